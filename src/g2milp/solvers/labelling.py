"""Solve every instance of a data set with several seeds, and keep the outcomes in a ledger.

Running it again does only what is missing. The lines do not depend on the number of workers, on
shards or on the engine, up to their order and the seconds.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2milp.datasets.dataset import Dataset, as_dataset
from g2milp.errors import InputError, UsageError
from g2milp.execution.engines import run_on
from g2milp.execution.ledger import Ledger
from g2milp.execution.shards import WHOLE, Shard
from g2milp.execution.task import Done, Task, WorkerLimits, kill_after
from g2milp.instance.milp import Milp
from g2milp.solvers.base import LARGEST_SEED, NO_LIMITS, SolveOutcome, Status
from g2milp.solvers.records import KEY, outcome_of_failure, record_of
from g2milp.solvers.registry import get_ready
from g2milp.solvers.settings import check_limits, settings_hash, settings_of
from g2milp.solvers.solution_files import has_plain_names, solution_path, write_solution
from g2milp.solvers.solving import SolveJob, solve_job

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from g2milp.execution.task import Result
    from g2milp.solvers.base import Limits

_TRIVIAL = Milp.build(
    objective=[1.0], indptr=[0, 1], indices=[0], values=[1.0], row_lower=[1.0], row_upper=[1.0]
)
CROSS_CHECK_SOLVES = 2
"""How many further solves, each with the same limit, a second opinion takes."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is solved how; the same for every instance.

    Attributes
    ----------
    seeds
        Each instance is solved once with each.
    cross_check
        The share of solves that get a second opinion; badly scaled instances always do, unless it
        is None.
    save_solutions
        Write the point of each instance's first seed beside the ledger as ``.sol``.
    """

    solver: str = "highs"
    seeds: tuple[int, ...] = (0, 1, 2)
    limits: Limits = NO_LIMITS
    threads: int = 1
    presolve: bool = True
    options: dict[str, Any] = field(default_factory=dict)
    cross_check: float | None = 0.0
    save_solutions: bool = False

    def __post_init__(self) -> None:
        if not self.seeds or len(set(self.seeds)) != len(self.seeds):
            raise UsageError("give each seed once, and at least one")
        outside = [seed for seed in self.seeds if not 0 <= seed <= LARGEST_SEED]
        if outside:
            raise UsageError(f"seeds lie in 0..{LARGEST_SEED}, not at {outside[0]}")
        if self.cross_check is not None and not 0 <= self.cross_check <= 1:
            raise UsageError(f"the share to cross-check must lie in 0..1, not {self.cross_check}")

    def wants_second_opinion(self, instance_hash: str, seed: int) -> bool:
        """Whether this solve belongs to the share that is cross-checked.

        Drawn from the instance and the seed, so that a resumed run draws the same.
        """
        number = int(sha256(f"{instance_hash}/{seed}".encode()).hexdigest()[:8], 16) / 2**32
        return number < (self.cross_check or 0.0)


@dataclass
class Labelling:
    """How a run went.

    Attributes
    ----------
    new, found
        Solves that this run did, and that the ledger had already.
    statuses
        How often each status ended a solve of this run.
    unreadable
        (name, error) of instances that could not be read.
    asked
        (instance hash, seed) of every solve that belongs to this run, new or found.
    """

    new: int = 0
    found: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    unreadable: list[tuple[str, InputError]] = field(default_factory=list)
    asked: set[tuple[str, int]] = field(default_factory=set, repr=False)


def label(
    data: Dataset | Milp | str | Path | Iterable[Milp],
    ledger: str | Path,
    plan: Plan | None = None,
    *,
    jobs: int = 1,
    shard: Shard = WHOLE,
    engine: str = "local",
    address: str | None = None,
    progress: Callable[[dict[str, Any] | None], None] | None = None,
) -> Labelling:
    """Solve what the ledger does not have yet.

    `progress` is called with each new line, and with None for each that was there already.
    """
    plan = plan or Plan()
    work = _Work(as_dataset(data), Path(ledger), plan, shard)
    return work.run(jobs, engine, address, progress)


class _Work:
    """The solves of one call, between the data set and the ledger."""

    def __init__(self, data: Dataset, path: Path, plan: Plan, shard: Shard) -> None:
        solver = get_ready(plan.solver)
        check_limits(solver, plan.limits)
        if plan.options:  # a misspelt one is found here and not in each worker
            solver.solve(_TRIVIAL, options=plan.options)
        self._data = data
        self._path = path
        self._plan = plan
        self._shard = shard
        self._blank = SolveOutcome(
            status=Status.ERROR,
            solver=plan.solver,
            solver_version=solver.version(),
            seed=0,
            threads=plan.threads,
        )
        self._settings = settings_of(
            plan.limits, threads=plan.threads, presolve=plan.presolve, options=plan.options
        )
        self._hash = settings_hash(self._settings)
        self._done = Labelling()

    def run(
        self,
        jobs: int,
        engine: str,
        address: str | None,
        progress: Callable[[dict[str, Any] | None], None] | None,
    ) -> Labelling:
        limits = WorkerLimits(memory_mb=self._plan.limits.memory_mb)
        with Ledger(self._path, KEY, self._shard) as ledger:
            tasks = self._tasks(ledger, progress)
            for result in run_on(
                engine, tasks, solve_job, jobs=jobs, limits=limits, address=address
            ):
                record = self._keep(ledger, result)
                if progress:
                    progress(record)
        return self._done

    def _tasks(
        self, ledger: Ledger, progress: Callable[[dict[str, Any] | None], None] | None
    ) -> Iterator[Task]:
        """The solves of this shard that are not in the ledger, read as they are needed."""
        asked = self._done.asked
        positions = ((index, seed) for index in range(len(self._data)) for seed in self._plan.seeds)
        broken = -1
        for index, seed in self._shard.of(positions):
            if index == broken:
                continue
            try:
                instance_hash = self._data.content_hash(index)
            except InputError as error:
                broken = index
                self._done.unreadable.append((self._data.names[index], error))
                continue
            key = self._key(instance_hash, seed)
            is_known = key in ledger or (instance_hash, seed) in asked
            asked.add((instance_hash, seed))
            if is_known:
                self._done.found += 1
                if progress:
                    progress(None)
                continue
            yield self._task(index, instance_hash, seed)

    def _task(self, index: int, instance_hash: str, seed: int) -> Task:
        plan = self._plan
        job = SolveJob(
            milp=self._data[index],
            solver=plan.solver,
            limits=plan.limits,
            seed=seed,
            threads=plan.threads,
            presolve=plan.presolve,
            options=plan.options,
            cross_check=self._cross_check(instance_hash, seed),
            keep_solution=plan.save_solutions
            and seed == plan.seeds[0]
            and has_plain_names(self._data[index]),
        )
        is_cross_checked = job.is_cross_checked
        solves = 1 + CROSS_CHECK_SOLVES * is_cross_checked
        seconds = plan.limits.seconds
        return Task(
            key=(index, instance_hash, seed),
            payload=job,
            second_payload=replace(job, cross_check=False) if is_cross_checked else None,
            seconds=kill_after(None if seconds is None else seconds * solves),
        )

    def _key(self, instance_hash: str, seed: int) -> dict[str, Any]:
        values = (instance_hash, self._plan.solver, self._blank.solver_version, self._hash, seed)
        return dict(zip(KEY, values, strict=True))

    def _cross_check(self, instance_hash: str, seed: int) -> bool | None:
        """What `SolveJob` is told: yes, never, or where the instance is badly scaled."""
        if self._plan.cross_check is None:
            return False
        return True if self._plan.wants_second_opinion(instance_hash, seed) else None

    def _keep(self, ledger: Ledger, result: Result) -> dict[str, Any]:
        index, instance_hash, seed = result.task.key
        name = self._data.names[index]
        if isinstance(result, Done):
            outcome: SolveOutcome = result.value
        else:
            outcome = outcome_of_failure(result, self._blank.but(seed=seed), result.seconds)
        record = record_of(
            outcome,
            instance=name,
            instance_hash=instance_hash,
            settings_hash=self._hash,
            settings=self._settings,
        )
        if outcome.solution is not None and self._plan.save_solutions:
            target = solution_path(self._path, name, instance_hash)
            write_solution(self._data[index], outcome, target, overwrite=True)
        ledger.append(record)
        self._done.new += 1
        status = outcome.status.value
        self._done.statuses[status] = self._done.statuses.get(status, 0) + 1
        return record


def parse_seeds(count: int, first: int = 0) -> tuple[int, ...]:
    """The seeds of ``--seeds COUNT``: COUNT numbers from `first` on."""
    if count < 1:
        raise UsageError(f"at least one seed is needed, not {count}")
    return tuple(range(first, first + count))
