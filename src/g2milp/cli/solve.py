"""``g2milp solve``: hardness labels for every instance, in a ledger that outlives crashes."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from g2milp.cli import output
from g2milp.cli.options import (
    PANEL_JUDGE,
    Accept,
    AsJson,
    Debug,
    Jobs,
    Resume,
    Seed,
    Settings,
    ShardOption,
    jobs_of,
    settings_of,
    shard_of,
)
from g2milp.cli.progress import progress
from g2milp.cli.solve_report import report
from g2milp.errors import AlreadyExists, UsageError

if TYPE_CHECKING:
    from g2milp.solvers.labelling import Labelling, Plan

SolverName = StrEnum("SolverName", ["highs", "scip", "gurobi"])
Engine = StrEnum("Engine", ["local", "ray"])
_LIMITS = "Limits of one solve"
_RUNS = "Where it runs"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL_JUDGE)(solve)


def solve(
    data: Annotated[
        Path, typer.Argument(metavar="DATA", help="Folder of .mps/.lp[.gz] files, or one file.")
    ],
    ledger: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="LEDGER",
            help="Folder (one file a shard) or .jsonl file; what it has already is not done again.",
        ),
    ],
    solver: Annotated[SolverName, typer.Option(help="Who solves.")] = SolverName.highs,
    seeds: Annotated[int, typer.Option(min=1, help="Solves of each instance, each its own.")] = 3,
    time_limit: Annotated[
        float | None,
        typer.Option(
            min=0.001, help="Seconds; killed after 1.5 times that and 10.", rich_help_panel=_LIMITS
        ),
    ] = 300.0,
    work_limit: Annotated[
        float | None,
        typer.Option(min=0, help="Work of Gurobi, LP iterations of SCIP.", rich_help_panel=_LIMITS),
    ] = None,
    node_limit: Annotated[
        int | None, typer.Option(min=0, help="Branch-and-bound nodes.", rich_help_panel=_LIMITS)
    ] = None,
    iteration_limit: Annotated[
        int | None, typer.Option(min=0, help="LP iterations.", rich_help_panel=_LIMITS)
    ] = None,
    memory_limit: Annotated[
        int | None, typer.Option(min=1, help="Megabytes.", rich_help_panel=_LIMITS)
    ] = None,
    gap: Annotated[
        float,
        typer.Option(min=0, help="Relative gap that counts as optimal.", rich_help_panel=_LIMITS),
    ] = 1e-4,
    settings: Settings = None,
    cross_check: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            metavar="SHARE",
            help="Share of the solves to confirm with another solver and without presolve. "
            "Badly scaled instances always are.",
        ),
    ] = 0.0,
    save_solutions: Annotated[
        bool, typer.Option("--save-solutions", help="Write solutions/*.sol beside the ledger.")
    ] = False,
    known: Annotated[
        Path | None, typer.Option(metavar="FILE.solu", help="Compare with known optimal values.")
    ] = None,
    save_solu: Annotated[
        Path | None, typer.Option(metavar="FILE.solu", help="Write the optimal values found.")
    ] = None,
    accept: Accept = None,
    jobs: Jobs = None,
    shard: ShardOption = None,
    engine: Annotated[
        Engine, typer.Option(help="This machine or a Ray cluster.", rich_help_panel=_RUNS)
    ] = Engine.local,
    address: Annotated[
        str | None, typer.Option(help="Of the Ray cluster.", rich_help_panel=_RUNS)
    ] = None,
    resume: Resume = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Solve instances with several seeds and keep the effort in a ledger."""
    from g2milp.datasets.dataset import Dataset
    from g2milp.solvers.base import Limits
    from g2milp.solvers.labelling import Plan, parse_seeds
    from g2milp.solvers.solu import read_solu

    plan = Plan(
        solver=solver.value,
        seeds=parse_seeds(seeds, seed),
        limits=Limits(
            seconds=None if time_limit == float("inf") else time_limit,
            work=work_limit,
            nodes=node_limit,
            iterations=iteration_limit,
            memory_mb=memory_limit,
            gap=gap,
        ),
        options=settings_of(settings),
        cross_check=cross_check,
        save_solutions=save_solutions,
    )
    _check_place(ledger, data)
    if resume:
        _check_resumable(ledger, plan)
    if known is not None:  # a misspelt name is found now and not after hours
        read_solu(known)
    dataset = Dataset.open(data, accept=accept or ())
    part = shard_of(shard)
    total = len(range(part.index, len(dataset) * seeds, part.count))
    where = {"jobs": jobs_of(jobs), "engine": engine.value, "address": address}
    if engine is Engine.ray:
        where["jobs"] = jobs
    done, lines = _run(dataset, ledger, plan, (part.index, part.count), total, where)
    report(done, lines, plan, ledger, dataset.names, known, save_solu, as_json=as_json)


def _check_place(ledger: Path, data: Path) -> None:
    """A ledger has a folder of its own: readers take every ``.jsonl`` in it for labels."""
    from g2milp.datasets.members import is_model_file

    if is_model_file(ledger):
        raise UsageError(
            f"{ledger}: is called like a model, but a ledger is a folder or a .jsonl file"
        )
    if (ledger / "manifest.jsonl").exists() or _is_same(ledger, data):
        raise UsageError(
            f"{ledger}: holds instances, and a ledger wants a folder of its own",
            hint=f"For example: -o {ledger.resolve().name}-labels",
        )


def _is_same(one: Path, other: Path) -> bool:
    return one.exists() and other.exists() and one.samefile(other)


def _check_resumable(ledger: Path, plan: Plan) -> None:
    """``--resume`` wants a ledger with at least one solve of these settings."""
    from g2milp.execution.ledger import files_of
    from g2milp.solvers.records import solves_in
    from g2milp.solvers.settings import differences

    if not files_of(ledger):
        raise UsageError(f"{ledger}: there is no ledger to resume")
    wanted, last = _solver_and_settings(plan), None
    for line in solves_in(ledger):
        if _key(line) == wanted:
            return
        last = line
    hint = "Without --resume, solves with the new settings are added to it."
    if last is None:
        raise AlreadyExists(f"{ledger} holds no solve yet", hint=hint)
    changes = [
        f"{name} {old} → {new}"
        for name, old, new in zip(("solver", "version"), _key(last), wanted, strict=False)
        if old != new
    ]
    if isinstance(last.get("settings"), dict):
        changes += differences(last["settings"], _settings(plan))
    raise AlreadyExists(
        f"{ledger} holds no solve with these settings ({', '.join(changes)})", hint=hint
    )


def _key(line: dict[str, Any]) -> tuple[str, str, str]:
    return line["solver"], line["solver_version"], line["settings_hash"]


def _solver_and_settings(plan: Plan) -> tuple[str, str, str]:
    """What all lines of this plan have in common: solver, its version, hash of the settings."""
    from g2milp.solvers.registry import get_ready
    from g2milp.solvers.settings import settings_hash

    return plan.solver, get_ready(plan.solver).version(), settings_hash(_settings(plan))


def _settings(plan: Plan) -> dict[str, Any]:
    from g2milp.solvers.settings import settings_of

    return settings_of(
        plan.limits, threads=plan.threads, presolve=plan.presolve, options=plan.options
    )


def _run(
    dataset: Any,
    ledger: Path,
    plan: Plan,
    part: tuple[int, int],
    total: int,
    where: dict[str, Any],
) -> tuple[Labelling, list[dict[str, Any]]]:
    """Do the work; gives the lines of this part of it, also those of earlier runs."""
    from g2milp.execution.shards import Shard
    from g2milp.execution.signals import stop_on_signals
    from g2milp.solvers.labelling import label
    from g2milp.solvers.records import solves_in

    with stop_on_signals(), _warnings_as_words(), progress("Solving", total) as advance:
        done = label(dataset, ledger, plan, shard=Shard(*part), progress=_noted(advance), **where)
    wanted = _solver_and_settings(plan)
    lines = [
        line
        for line in (solves_in(ledger) if done.asked else ())
        if _key(line) == wanted and (line["instance_hash"], line["seed"]) in done.asked
    ]
    return done, lines


@contextmanager
def _warnings_as_words() -> Iterator[None]:
    """What the engine warns of is said like everything else, without a line of code."""

    def show(message: Warning | str, *_: object, **__: object) -> None:
        output.warn(str(message))

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def _noted(advance: Callable[..., None]) -> Callable[[dict[str, Any] | None], None]:
    """Follows the work with counts by status: ``12 optimal, 3 time limit``."""
    ends: Counter[str] = Counter()

    def note(record: dict[str, Any] | None) -> None:
        ends["found" if record is None else str(record["status"])] += 1
        counts = (f"{count} {end.replace('_', ' ')}" for end, count in ends.most_common())
        advance(1, note=", ".join(counts), found=record is None)

    return note
