"""``g2milp evaluate``: score generated sets against real ones, with everything to doubt it by."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from g2milp.cli import output
from g2milp.cli.options import PANEL_JUDGE, Accept, AsJson, Debug, Jobs, Overwrite, Seed, jobs_of
from g2milp.cli.progress import progress
from g2milp.errors import UsageError

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.result import Evaluation
    from g2milp.reports.downstream import DownstreamTask

SuiteName = StrEnum("SuiteName", ["v1", "g2milp-2023", "g2milp-2023-14", "acm-2024"])
SolverName = StrEnum("SolverName", ["highs", "scip", "gurobi"])
_HARDNESS = "Hardness"
_SPARE = ("W", "KS", "JS", "p", "pairs", "high", "low")
"""Columns that a narrow terminal can do without, the first one first."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL_JUDGE)(evaluate)


def evaluate(
    reference: Annotated[Path, typer.Argument(help="Folder of real instances.")],
    generated: Annotated[
        list[Path], typer.Argument(metavar="GENERATED…", help="Folders of generated instances.")
    ],
    report: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write an HTML report to this file.")
    ] = None,
    suite: Annotated[SuiteName, typer.Option(help="Which metrics count.")] = SuiteName.v1,
    fresh: Annotated[
        Path | None,
        typer.Option(help="Real instances that were not trained on: ceiling, membership test."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(metavar="RUN|mis|…", help="Compare embeddings of this model, too.")
    ] = None,
    ledger: Annotated[
        list[Path] | None,
        typer.Option(help="Ledger with solves; can be repeated.", rich_help_panel=_HARDNESS),
    ] = None,
    solver: Annotated[
        SolverName | None,
        typer.Option(
            help="Solve what the first ledger lacks; without one, results are kept in the cache.",
            rich_help_panel=_HARDNESS,
        ),
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, help="Solves of each instance.", rich_help_panel=_HARDNESS)
    ] = 3,
    time_limit: Annotated[
        float, typer.Option(min=0.001, help="Seconds of one solve.", rich_help_panel=_HARDNESS)
    ] = 300.0,
    relaxation: Annotated[
        bool | None,
        typer.Option(
            help="Compare the LP relaxations of solved instances (default: with --solver).",
            show_default=False,
            rich_help_panel=_HARDNESS,
        ),
    ] = None,
    downstream: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="DIR", help="Show a result of `g2milp downstream` in the report, too; repeat."
        ),
    ] = None,
    tables: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write the tables as CSV and LaTeX.")
    ] = None,
    cache: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Keep what was computed for each file.")
    ] = None,
    fail_under: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="End with exit code 6 if a score is lower (for CI)."),
    ] = None,
    two_sample: Annotated[bool, typer.Option(help="Run the classifier and distance tests.")] = True,
    network: Annotated[
        bool,
        typer.Option(
            "--network", help="A graph network as a second classifier (minutes; needs PyTorch)."
        ),
    ] = False,
    power: Annotated[
        bool, typer.Option(help="Show that the classifiers recognise the baseline Random.")
    ] = True,
    accept: Accept = None,
    overwrite: Overwrite = False,
    jobs: Jobs = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Score generated instances against real ones: similarity, hardness, validity, novelty."""
    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.evaluate import EvaluationOptions, evaluate_all

    tasks = _tasks(downstream or [], report)
    real = Dataset.open(reference, accept=accept or ())
    named = zip(_names(generated), generated, strict=True)
    made = {name: Dataset.open(path, accept=accept or ()) for name, path in named}
    unseen = Dataset.open(fresh, accept=accept or ()) if fresh is not None else None
    ledgers = list(ledger or ())
    if solver is not None:
        ledgers = _solve(solver, ledgers, cache, [real, *made.values()], seeds, time_limit, jobs)
    sets = [real, *made.values(), *([unseen] if unseen is not None else [])]
    with progress("Reading", sum(len(data) for data in sets)) as advance:
        found = evaluate_all(
            real,
            made,
            EvaluationOptions(
                suite=suite.value,
                fresh=unseen,
                ledgers=ledgers,
                relaxation=solver is not None if relaxation is None else relaxation,
                embed=_embedder(model) if model is not None else None,
                two_sample=two_sample,
                network=network and two_sample,
                power=power and two_sample,
                seed=seed,
                jobs=jobs_of(jobs),
                cache=cache,
                advance=advance,
            ),
        )
    _show(found, as_json)
    if tables is not None:
        _write_tables(tables, found, overwrite=overwrite)
    if report is not None:
        from g2milp.reports.report import write_report

        write_report(found, report, tasks=tasks, overwrite=overwrite)
        output.say(f"Report: {report}")
    if fail_under is not None:
        _require(found, fail_under)


def _tasks(folders: list[Path], report: Path | None) -> list[DownstreamTask]:
    """What the report shows of downstream tasks; wrong folders are told before the work."""
    from g2milp.reports.downstream import read_task

    if folders and report is None:
        raise UsageError("--downstream is shown in the report", hint="Add -o report.html.")
    return [read_task(folder) for folder in folders]


def _require(found: list[Evaluation], least: float) -> None:
    """Fail with the lowest score, so that nobody repairs one set after the other."""
    below = sorted((e for e in found if e.score < least), key=lambda e: e.score)
    if len(below) > 1:
        listed = ", ".join(f"{e.generated_name} {e.score:.3f}" for e in below)
        output.say(f"Below {least}: {listed}")
    for evaluation in below:
        evaluation.require(least)


def _names(folders: list[Path]) -> list[str]:
    """What each set is called: its folder, with as many parents as tell the sets apart."""
    places = [path.resolve() for path in folders]
    if len(set(places)) < len(places):
        raise UsageError("two of the generated folders are the same")
    for depth in range(1, max(len(place.parts) for place in places)):
        names = ["/".join(place.parts[1:][-depth:]) for place in places]
        if len(set(names)) == len(names):
            return names
    return [str(place) for place in places]


def _show(found: list[Evaluation], as_json: bool) -> None:
    """One set: its object; several: a list under ``evaluations``."""
    if as_json:
        documents = [evaluation.to_dict() for evaluation in found]
        output.result(
            documents[0] if len(documents) == 1 else {"evaluations": documents}, as_json=True
        )
        return
    for evaluation in found:
        output.say(evaluation.generated_name, style="bold")
        _print_tables(evaluation)


def _print_tables(evaluation: Evaluation) -> None:
    from g2milp.evaluation.tables import shown, telltale_line

    for table, note in shown(evaluation):
        output.table(table.title, table.columns, table.written, spare=_SPARE)
        if note:
            output.say(note)
    told = telltale_line(evaluation)
    if told:
        output.say("", told)
    for flag in evaluation.flags:
        output.warn(f"{flag.code}: {flag.message}")


def _solve(
    solver: SolverName,
    ledgers: list[Path],
    cache: Path | None,
    sets: list[Dataset],
    seeds: int,
    time_limit: float,
    jobs: int | None,
) -> list[Path]:
    """Solve what is missing; gives the ledgers to read."""
    from g2milp.solvers.base import Limits
    from g2milp.solvers.labelling import Plan, label

    target = ledgers[0] if ledgers else _own_ledger(cache, sets)
    plan = Plan(solver=solver.value, seeds=tuple(range(seeds)), limits=Limits(seconds=time_limit))
    total = sum(len(data) for data in sets) * seeds
    with progress(f"Solving with {solver.value}", total) as advance:
        for data in sets:
            label(data, target, plan, jobs=jobs_of(jobs), progress=_step(advance))
    return ledgers or [target]


def _own_ledger(cache: Path | None, sets: list[Dataset]) -> Path:
    """Where solves are kept without ``--ledger``: the same sets find them again."""
    if cache is not None:
        return cache / "ledger"
    from hashlib import sha256

    from g2milp.datasets.cache import cache_folder

    places = sorted({str(path.resolve().parent) for data in sets for path in data.paths if path})
    return cache_folder() / "ledgers" / sha256("\n".join(places).encode()).hexdigest()[:20]


def _step(advance: Callable[..., None]) -> Callable[[dict[str, Any] | None], None]:
    return lambda record: advance(1)


def _embedder(run: str) -> Callable[[Dataset], Any]:
    from g2milp.generation.g2milp import G2MILP
    from g2milp.generation.pretrained import resolve_model

    return G2MILP.load(resolve_model(run)[0]).embed


def _write_tables(folder: Path, found: list[Evaluation], *, overwrite: bool) -> None:
    from g2milp.evaluation.tables import tables
    from g2milp.instance.io.atomic import write_bytes

    folder.mkdir(parents=True, exist_ok=True)
    for evaluation in found:
        name = evaluation.generated_name.replace("/", "-").replace("\\", "-")
        stem = f"{name}-" if len(found) > 1 else ""
        for table in tables(evaluation):
            for ending, text in (("csv", table.as_csv()), ("tex", table.as_latex())):
                path = folder / f"{stem}{table.name}.{ending}"
                if not overwrite and path.is_file() and path.read_bytes() == text.encode():
                    continue  # the same command again
                write_bytes(path, text.encode(), overwrite=overwrite)
    output.say(f"Tables: {folder}")
