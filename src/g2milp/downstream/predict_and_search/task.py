"""Predict-and-search with and without generated instances, from sets to the result."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from g2milp.downstream.augmentation import REAL_ONLY
from g2milp.downstream.labels import Label
from g2milp.downstream.layout import gather, training_sets
from g2milp.downstream.picture import picture
from g2milp.downstream.predict_and_search.pool import PoolSettings, collect
from g2milp.downstream.predict_and_search.training import SearchRun, train_and_search
from g2milp.downstream.runs import Run, complete, digest, write_result
from g2milp.downstream.summary import summary
from g2milp.execution.ledger import Ledger, read
from g2milp.execution.local import run as run_locally
from g2milp.execution.task import Done, Task

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from g2milp.downstream.layout import Sets, TrainingSet
    from g2milp.downstream.predict_and_search.protocol import Protocol
    from g2milp.downstream.session import Session
    from g2milp.instance.milp import Milp

TASK = "predict-and-search"
PLAIN = "whole instance"
POOLS_NAME = "pools.jsonl"
POOL_KEY = ("instance_hash", "settings")
MEASURES = (
    "work_to_optimum",
    "seconds_to_optimum",
    "total_work",
    "total_seconds",
    "gap",
    "primal_integral",
    "failures",
    "not_found",
)


@dataclass(frozen=True, eq=False)
class PoolJob:
    """One instance whose near-optimal points are wanted."""

    milp: Milp
    settings: PoolSettings
    solver: str
    time_limit: float | None


def pool_of(job: PoolJob) -> dict[str, Any]:
    """The pool as a record, or only its state."""
    pool = collect(job.milp, job.settings, job.solver, 0, job.time_limit)
    if isinstance(pool, str):
        return {"state": pool}
    return {"state": "optimal", **pool.to_record()}


def predict_and_search(session: Session, protocol: Protocol) -> dict[str, Any]:
    """Run what is missing, and write the result into the session's folder."""
    settings = session.claim(TASK, protocol)
    pools = _pools(session, protocol)
    labels = {
        key: Label(
            record["objectives"][0] if record["state"] == "optimal" else None, record["state"]
        )
        for key, record in pools.items()
    }
    sets = gather(session.train, session.test, session.augmentations, labels)
    runs = _runs(session, sets, pools, protocol)
    with session.bar("Training and searching", len(runs)) as advance:
        records = complete(
            session.folder, runs, train_and_search, jobs=session.jobs, advance=advance
        )
    learned = [record for record in records if record["arm"] != PLAIN]
    rows = summary(learned, MEASURES)
    yardstick = summary(
        [{**record, "arm": REAL_ONLY} for record in records if record["arm"] == PLAIN], MEASURES
    )
    whole = {**yardstick[0], "arm": PLAIN}
    shown = picture(
        "Work until the optimum is found",
        ((row["arm"], row["work_to_optimum"]) for row in [*rows, whole]),
        (PLAIN,),
    )
    return write_result(
        session.folder,
        {
            **settings,
            **sets.facts,
            "whole_instance": whole,
            "summary": rows,
            "figure": shown,
            "runs": records,
        },
    )


def _runs(
    session: Session, sets: Sets, pools: Mapping[str, dict[str, Any]], protocol: Protocol
) -> list[Run]:
    """Of each repeat first the search without a prediction, then every training set."""
    test = sets.test.data
    tested = digest([test.content_hash(i) for i in range(len(test))], session.solver)
    how = digest([value for key, value in asdict(protocol).items() if key != "comparison"])
    runs: list[Run] = []

    def add(made: TrainingSet, *, learns: bool) -> None:
        parts = (made.train, made.held, test) if learns else (test,)
        hashes = [data.content_hash(i) for data in parts for i in range(len(data))]
        inputs = digest(tested, made.names, how, made.seed)
        if not learns:
            inputs = digest(tested, protocol.search_limit, made.seed)
        payload = SearchRun(
            sets=made if learns else None,
            test=test,
            pools={key: pools[key] for key in hashes},
            protocol=protocol,
            solver=session.solver,
            seed=made.seed,
            folder=session.folder / "checkpoints" / f"{made.repeat}-{inputs}",
        )
        runs.append(Run(TASK, made.arm if learns else PLAIN, made.repeat, inputs, payload))

    for made in training_sets(sets, protocol.comparison):
        if not runs or runs[-1].repeat != made.repeat:
            add(made, learns=False)
        add(made, learns=True)
    return runs


def _pools(session: Session, protocol: Protocol) -> dict[str, dict[str, Any]]:
    """The pools of all instances by content hash; what is missing is collected."""
    stamp = digest(asdict(protocol.pool), session.solver, session.time_limit)
    path = session.folder / POOLS_NAME
    with Ledger(path, POOL_KEY) as ledger:
        tasks = list(_missing(session, protocol, ledger, stamp))
        with session.bar("Collecting near-optimal points", len(tasks)) as advance:
            for key, record in _collected(tasks, session.jobs):
                ledger.append({"instance_hash": key, "settings": stamp, **record})
                advance(1, note=record["state"])
    return {r["instance_hash"]: r for r in read(path) if r["settings"] == stamp}


def _missing(session: Session, protocol: Protocol, ledger: Ledger, stamp: str) -> Iterator[Task]:
    seen = set()
    for data in session.sets:
        for i in range(len(data)):
            key = data.content_hash(i)
            if key in seen or {"instance_hash": key, "settings": stamp} in ledger:
                continue
            seen.add(key)
            yield Task(key, PoolJob(data[i], protocol.pool, session.solver, session.time_limit))


def _collected(tasks: list[Task], jobs: int) -> Iterator[tuple[str, dict[str, Any]]]:
    if jobs <= 1:
        for task in tasks:
            yield task.key, pool_of(task.payload)
        return
    for result in run_locally(tasks, pool_of, jobs=jobs):
        if isinstance(result, Done):
            yield result.task.key, result.value
        else:
            yield result.task.key, {"state": result.failure.value}
