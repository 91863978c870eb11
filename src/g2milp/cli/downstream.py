"""``g2milp downstream``: does it pay to add generated instances? Three tasks, with and without."""

from __future__ import annotations

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
    Overwrite,
    Resume,
    Seed,
    Settings,
    jobs_of,
    settings_of,
)
from g2milp.cli.progress import progress
from g2milp.errors import UnreadableFile, UsageError

if TYPE_CHECKING:
    from g2milp.downstream.session import Session

SolverName = StrEnum("SolverName", ["highs", "scip", "gurobi"])
ValuePreset = StrEnum("ValuePreset", ["mik", "mis", "nurse"])
Method = StrEnum("Method", ["grid", "smac"])
_SETS = "Sets"
_GAIN = ("added", "improvement", "95 % interval", "better")

Train = Annotated[
    Path, typer.Option("--train", help="Real instances to learn from.", rich_help_panel=_SETS)
]
Test = Annotated[
    Path,
    typer.Option(
        "--test", help="Real instances to test on; none may be kin.", rich_help_panel=_SETS
    ),
]
Augment = Annotated[
    list[str] | None,
    typer.Option(
        "--augment",
        metavar="[NAME=]DATA[,DATA…]",
        help="Generated instances to add; repeat it to compare several, a comma mixes sets.",
        rich_help_panel=_SETS,
    ),
]
Out = Annotated[Path, typer.Option("--output", "-o", metavar="DIR", help="Labels, runs, result.")]
Ledgers = Annotated[
    list[Path] | None,
    typer.Option("--ledger", help="Ledger with optimal values; what it lacks is solved."),
]
Who = Annotated[SolverName, typer.Option("--solver", help="Who solves.")]
TimeLimit = Annotated[float, typer.Option(min=0.001, help="Seconds of one solve for a label.")]
Added = Annotated[
    list[str] | None,
    typer.Option(
        metavar="N|X%", help="Generated instances to add, or their share; can be repeated."
    ),
]
Size = Annotated[
    list[int] | None,
    typer.Option(min=2, help="Learn from the first N real instances; can be repeated."),
]
Repeats = Annotated[
    int | None, typer.Option(min=1, help="Repeats, each with its own split, draw and weights.")
]


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    group = typer.Typer(no_args_is_help=True)
    group.command("optimal-value")(optimal_value)
    group.command("predict-and-search")(predict_and_search)
    group.command("tuning")(tuning)
    app.add_typer(
        group,
        name="downstream",
        help="Learning tasks with and without generated instances: does it pay?",
        rich_help_panel=PANEL_JUDGE,
    )


def optimal_value(
    train: Train,
    test: Test,
    folder: Out,
    augment: Augment = None,
    preset: Annotated[
        ValuePreset, typer.Option(help="The paper's protocol for this data set.")
    ] = ValuePreset.mik,
    epochs: Annotated[int | None, typer.Option(min=1, help="Passes over the set.")] = None,
    added: Added = None,
    size: Size = None,
    repeats: Repeats = None,
    ledger: Ledgers = None,
    solver: Who = SolverName.highs,
    time_limit: TimeLimit = 300.0,
    settings: Settings = None,
    accept: Accept = None,
    jobs: Jobs = None,
    resume: Resume = False,
    overwrite: Overwrite = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Predict optimal values; compare the error with and without generated instances."""
    _require_torch()
    from g2milp.downstream.optimal_value.protocol import protocol
    from g2milp.downstream.optimal_value.task import optimal_value as run

    given = {
        **settings_of(settings),
        **_set(epochs=epochs, repeats=repeats),
        **_amounts(added, size),
        "seed": seed,
    }
    chosen = protocol(preset.value, **given)
    session = _session(
        (train, test, augment, accept), folder, ledger, solver, time_limit, jobs, resume, overwrite
    )
    result = run(session, chosen)
    rows = [
        [
            row["arm"],
            row["mse"]["mean"],
            row["mse"]["std"],
            *_gain(row),
        ]
        for row in result["summary"]
    ]
    columns = ["training set", "test MSE", "± std", *_GAIN]
    _finish(result, folder, "Optimal value prediction", columns, rows, as_json)


def predict_and_search(
    train: Train,
    test: Test,
    folder: Out,
    augment: Augment = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Passes over the set.")] = None,
    added: Added = None,
    size: Size = None,
    search_limit: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds of one search.")
    ] = None,
    repeats: Repeats = None,
    solver: Who = SolverName.highs,
    time_limit: TimeLimit = 300.0,
    settings: Settings = None,
    accept: Accept = None,
    jobs: Jobs = None,
    resume: Resume = False,
    overwrite: Overwrite = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Predict binary columns, search near the prediction; compare effort and failures."""
    _require_torch()
    from g2milp.downstream.predict_and_search.protocol import protocol
    from g2milp.downstream.predict_and_search.task import predict_and_search as run

    given = {
        **settings_of(settings),
        **_set(epochs=epochs, repeats=repeats, search_limit=search_limit),
        **_amounts(added, size),
        "seed": seed,
    }
    chosen = protocol(**given)
    session = _session(
        (train, test, augment, accept), folder, None, solver, time_limit, jobs, resume, overwrite
    )
    result = run(session, chosen)
    rows = [
        [
            row["arm"],
            row["work_to_optimum"]["mean"],
            row["seconds_to_optimum"]["mean"],
            row["gap"]["mean"],
            row["failures"]["mean"],
            *_gain(row),
        ]
        for row in [result["whole_instance"], *result["summary"]]
    ]
    columns = ["training set", "work", "seconds", "gap", "failures", *_GAIN]
    _finish(result, folder, "Until the optimum is found", columns, rows, as_json)


def tuning(
    train: Train,
    test: Test,
    folder: Out,
    augment: Augment = None,
    method: Annotated[
        Method, typer.Option(help="The best of a fixed design, or a search with a surrogate.")
    ] = Method.grid,
    budget: Annotated[int | None, typer.Option(min=2, help="Configurations to try.")] = None,
    few: Annotated[int | None, typer.Option(min=1, help="Real instances of a split.")] = None,
    added: Annotated[
        int | None, typer.Option(min=1, help="Generated instances that join them.")
    ] = None,
    splits: Annotated[int | None, typer.Option(min=1, help="Splits, without overlap.")] = None,
    node_limit: Annotated[int | None, typer.Option(min=1, help="Nodes of one solve.")] = None,
    settings: Settings = None,
    accept: Accept = None,
    jobs: Jobs = None,
    resume: Resume = False,
    overwrite: Overwrite = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Tune HiGHS on few, few and generated, and many real instances; compare on unseen ones."""
    from g2milp.downstream.tuning.protocol import protocol
    from g2milp.downstream.tuning.task import tuning as run

    given = {
        **settings_of(settings),
        **_set(budget=budget, few=few, added=added, splits=splits, node_limit=node_limit),
        "method": method.value,
        "seed": seed,
    }
    chosen = protocol(**given)
    session = _session(
        (train, test, augment, accept),
        folder,
        None,
        SolverName.highs,
        chosen.time_limit,
        jobs,
        resume,
        overwrite,
    )
    result = run(session, chosen)
    rows = [
        [row["arm"], row["transfer"]["mean"], row["transfer"]["std"], *_gain(row)]
        for row in result["summary"]
    ]
    columns = ["tuned on", "effort / default", "± std", *_GAIN]
    _finish(result, folder, "On unseen real instances", columns, rows, as_json)


def _require_torch() -> None:
    from g2milp.generation.g2milp import require_torch

    require_torch()


def _set(**options: Any) -> dict[str, Any]:
    return {key: value for key, value in options.items() if value is not None}


def _amounts(added: list[str] | None, size: list[int] | None) -> dict[str, Any]:
    return {
        **({"added": tuple(_amount(text) for text in added)} if added else {}),
        **({"sizes": tuple(size)} if size else {}),
    }


def _amount(text: str) -> int | float:
    """``20`` or ``50%``."""
    try:
        return float(text[:-1]) / 100 if text.endswith("%") else int(text)
    except ValueError as error:
        raise UsageError(f"--added takes a number or a share like 50%, not {text!r}") from error


def _session(
    sets: tuple[Path, Path, list[str] | None, list[str] | None],
    folder: Path,
    ledgers: list[Path] | None,
    solver: SolverName,
    time_limit: float,
    jobs: int | None,
    resume: bool,
    overwrite: bool,
) -> Session:
    from g2milp.datasets.dataset import Dataset
    from g2milp.downstream.augmentation import Augmentation, parse_augmentation
    from g2milp.downstream.session import Session
    from g2milp.execution.ledger import files_of

    if resume and overwrite:
        raise UsageError("--resume and --overwrite exclude each other")
    for path in ledgers or ():
        if not files_of(path):
            raise UnreadableFile(path, "there is no such ledger")
    train, test, augment, accept = sets
    rules = accept or ()
    augmentations: dict[Augmentation, list[Dataset]] = {}
    for text in augment or ():
        name, paths = parse_augmentation(text)
        folders = tuple(Path(path) for path in paths)
        own = name or "+".join(path.name or str(path) for path in folders)
        if any(own == other.name for other in augmentations):
            raise UsageError(f"two sets to add have one name, {own!r}", hint="Use NAME=DATA.")
        augmentations[Augmentation(own, folders)] = [
            Dataset.open(path, accept=rules) for path in folders
        ]
    return Session(
        folder=folder,
        train=Dataset.open(train, accept=rules),
        test=Dataset.open(test, accept=rules),
        augmentations=augmentations,
        ledgers=ledgers or (),
        solver=solver.value,
        time_limit=time_limit,
        jobs=jobs_of(jobs),
        resume=resume,
        overwrite=overwrite,
        bar=progress,
    )


def _gain(row: dict[str, Any]) -> list[object]:
    """Instances added, improvement of the means with its interval, how many repeats were better."""
    gain = row["improvement"]
    if gain is None:
        return [None, None, None, None]
    ends = gain["of_means_interval"]
    return [
        " … ".join(str(end) for end in dict.fromkeys((row["added"][0], row["added"][-1]))),
        f"{gain['of_means']:+.1%}",
        f"{ends[0]:+.1%} … {ends[1]:+.1%}" if ends else None,
        f"{gain['better']} of {gain['n']}",
    ]


def _finish(
    result: dict[str, Any],
    folder: Path,
    title: str,
    columns: list[str],
    rows: list[list[object]],
    as_json: bool,
) -> None:
    from g2milp.cli.downstream_figure import write_figure
    from g2milp.downstream.summary import shortages

    write_figure(result["figure"], folder / "figure.svg")
    output.table(title, columns, rows)
    for line in shortages(result):
        output.warn(line)
    output.say(f"Every run: {output.visible(str(folder / 'result.json'))}")
    output.result(result, as_json=as_json)
