"""``g2milp solve``: hardness labels for every instance, in a ledger that outlives crashes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
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
from g2milp.errors import AlreadyExists, InputError, ItemsFailed, UsageError

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
    from g2milp.datasets.members import is_model_file
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
    if resume:
        _check_resumable(ledger, plan)
    if known is not None:  # a misspelt name is found now and not after hours
        read_solu(known)
    if is_model_file(ledger):
        raise UsageError(
            f"{ledger}: is called like a model, but a ledger is a folder or a .jsonl file"
        )
    dataset = Dataset.open(data, accept=accept or ())
    part = shard_of(shard)
    total = len(range(part.index, len(dataset) * seeds, part.count))
    where = {"jobs": jobs_of(jobs), "engine": engine.value, "address": address}
    if engine is Engine.ray:
        where["jobs"] = jobs
    done, lines = _run(dataset, ledger, plan, (part.index, part.count), total, where)
    _report(done, lines, plan, ledger, known, save_solu, as_json)


def _check_resumable(ledger: Path, plan: Plan) -> None:
    """``--resume`` wants a ledger with at least one solve of these settings."""
    from g2milp.execution.ledger import files_of
    from g2milp.solvers.records import solves_in

    if not files_of(ledger):
        raise UsageError(f"{ledger}: there is no ledger to resume")
    wanted = _settings_hash(plan)
    if not any(
        line["settings_hash"] == wanted and line["solver"] == plan.solver
        for line in solves_in(ledger)
    ):
        raise AlreadyExists(
            f"{ledger} holds no solve with these settings",
            hint="Without --resume, solves with the new settings are added to it.",
        )


def _settings_hash(plan: Plan) -> str:
    from g2milp.solvers.settings import settings_hash, settings_of

    return settings_hash(
        settings_of(plan.limits, threads=plan.threads, presolve=plan.presolve, options=plan.options)
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

    with stop_on_signals(), progress("Solving", total) as advance:
        done = label(dataset, ledger, plan, shard=Shard(*part), progress=_noted(advance), **where)
    wanted = _settings_hash(plan)
    lines = [
        line
        for line in (solves_in(ledger) if done.asked else ())
        if line["solver"] == plan.solver
        and line["settings_hash"] == wanted
        and (line["instance_hash"], line["seed"]) in done.asked
    ]
    return done, lines


def _noted(advance: Callable[..., None]) -> Callable[[dict[str, Any] | None], None]:
    """Follows the work with counts by status: ``12 optimal, 3 time limit``."""
    ends: Counter[str] = Counter()

    def note(record: dict[str, Any] | None) -> None:
        ends["found" if record is None else str(record["status"])] += 1
        counts = (f"{count} {end.replace('_', ' ')}" for end, count in ends.most_common())
        advance(1, note=", ".join(counts))

    return note


def _report(
    done: Labelling,
    lines: list[dict[str, Any]],
    plan: Plan,
    ledger: Path,
    known: Path | None,
    save_solu: Path | None,
    as_json: bool,
) -> None:
    from g2milp.solvers.base import DEFAULT_GAP
    from g2milp.solvers.solu import contradictions, read_solu, truths_of, write_solu
    from g2milp.solvers.summary import summary

    if done.unreadable and not done.asked:
        _nothing_readable([error for _, error in done.unreadable])
    gap = DEFAULT_GAP if plan.limits.gap is None else plan.limits.gap
    against = contradictions(lines, read_solu(known), gap) if known else []
    failures = [
        *(_unreadable(name, error) for name, error in done.unreadable),
        *(_failure(line, _state(line), line["message"]) for line in lines if _has_failed(line)),
        *(_failure(line, "contradiction", reason) for line, reason in against),
    ]
    if save_solu:
        write_solu(truths_of(lines), save_solu, overwrite=True)
    whole = summary(lines)
    payload = {"ledger": str(ledger), "new": done.new, "found": done.found, **whole}
    payload["failures"] = failures
    output.result(payload, as_json=as_json)
    _say(whole, done, ledger)
    if failures:
        listed = [(failure["path"], failure["message"]) for failure in failures]
        of = "solve is" if len(lines) == 1 else "solves are"
        raise ItemsFailed(f"{len(failures)} failed, {len(lines)} {of} in the ledger", listed)


def _nothing_readable(errors: list[InputError]) -> None:
    if len(errors) == 1:
        raise errors[0]
    listed = "\n".join(f"  {error.message}" for error in errors[:20])
    raise InputError(f"none of the {len(errors)} instances can be read:\n{listed}")


def _has_failed(line: dict[str, Any]) -> bool:
    return line["status"] in ("error", "crashed") or line["checked"] == "wrong"


def _state(line: dict[str, Any]) -> str:
    return "wrong" if line["checked"] == "wrong" else str(line["status"])


def _failure(line: Mapping[str, Any], kind: str, message: str) -> dict[str, Any]:
    return {
        "path": line["instance"],
        "seed": line["seed"],
        "type": kind,
        "line": None,
        "rule": None,
        "message": message,
        "hint": None,
    }


def _unreadable(name: str, error: InputError) -> dict[str, Any]:
    return {
        "path": getattr(error, "path", name),
        "seed": None,
        "type": type(error).__name__,
        "line": getattr(error, "line", None),
        "rule": getattr(error, "rule", None),
        "message": error.message,
        "hint": error.hint,
    }


def _say(whole: dict[str, Any], done: Labelling, ledger: Path) -> None:
    facts = [
        ("ledger", f"{ledger}"),
        ("solves", f"{whole['solves']} ({done.new} new, {done.found} found)"),
        ("ended", ", ".join(f"{n} {status}" for status, n in whole["statuses"].items())),
        ("checked", ", ".join(f"{n} {level}" for level, n in whole["checked"].items())),
        ("censored", f"{whole['censored_share']:.1%}"),
    ]
    output.facts("Solved", facts)
    for solver, effort in whole["effort"].items():
        rows = [
            [
                measure,
                *(f"{of[k]:.4g}" for k in ("mean", "median", "shifted_geometric_mean", "max")),
            ]
            for measure, of in effort.items()
        ]
        headers = ["effort", "mean", "median", "shifted geom. mean", "largest"]
        spare = ("mean", "largest", "median")
        output.table(f"Effort of {solver}", headers, rows, left=1, spare=spare)
