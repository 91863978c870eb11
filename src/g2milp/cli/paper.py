"""``g2milp paper``: every table and figure of the paper, with our numbers beside the published."""

from __future__ import annotations

import shlex
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from g2milp.cli import output
from g2milp.cli.options import (
    PANEL_JUDGE,
    AsJson,
    Debug,
    Jobs,
    NoSeed,
    Overwrite,
    Resume,
    Seed,
    Settings,
    check_resume,
    jobs_of,
    settings_of,
)
from g2milp.errors import G2MILPError, ItemsFailed, UsageError

ScaleName = StrEnum("ScaleName", ["smoke", "short", "full"])
SolverName = StrEnum("SolverName", ["highs", "scip", "gurobi"])


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    group = typer.Typer(no_args_is_help=True)
    group.command("list")(list_experiments)
    group.command("run")(run)
    group.command("page")(page)
    app.add_typer(
        group,
        name="paper",
        help="Tables and figures of the paper, with our numbers: list, run, page.",
        rich_help_panel=PANEL_JUDGE,
    )


def list_experiments(seed: NoSeed = 0, as_json: AsJson = False, debug: Debug = False) -> None:
    """Which tables and figures there are."""
    from g2milp.experiments.registry import EXPERIMENTS

    entries = [
        {"name": e.name, "kind": e.kind, "paper": e.paper, "title": e.title, "data": e.real_data}
        for e in EXPERIMENTS.values()
    ]
    rows = [(e.name, e.title, e.printed or "(ours)") for e in EXPERIMENTS.values()]
    output.table(
        None, ("experiment", "what", "in the paper"), rows, left=3, spare=("in the paper",)
    )
    output.result({"experiments": entries}, as_json=as_json)


def run(
    name: Annotated[str, typer.Argument(help="Name from `paper list`, or `all`.")],
    folder: Annotated[Path, typer.Option("--output", "-o", help="Folder to write to.")] = Path(
        "g2milp-paper"
    ),
    scale: Annotated[ScaleName, typer.Option(help="How much of it.")] = ScaleName.short,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Real instances, where they are needed.")
    ] = None,
    solver: Annotated[
        SolverName | None, typer.Option(help="Instead of the broadest that is here.")
    ] = None,
    use: Annotated[
        list[str] | None,
        typer.Option("--use", metavar="SET/NAME=RUN", help="A trained model, instead of training."),
    ] = None,
    results: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Put JSON and figures into DIR/SCALE too, to keep them."),
    ] = None,
    settings: Settings = None,
    jobs: Jobs = None,
    resume: Resume = False,
    overwrite: Overwrite = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Make a table or figure; the same command continues, and done steps are not repeated."""
    from g2milp.experiments import running
    from g2milp.experiments.lab import Lab
    from g2milp.experiments.registry import EXPERIMENTS, experiment
    from g2milp.experiments.scales import scale_of

    check_resume(folder, resume=resume, overwrite=overwrite)
    chosen = list(EXPERIMENTS) if name == "all" else [experiment(name).name]
    if data is None:
        missing = [n for n in chosen if EXPERIMENTS[n].real_data]
        if missing and name != "all":
            raise UsageError(
                f"{missing[0]} works on real instances",
                hint="Give their folder: --data DIR (see docs/experiments.md).",
            )
        if missing:
            output.say(f"left out without --data: {', '.join(missing)}")
        chosen = [n for n in chosen if n not in missing]
    if overwrite:
        _clear(folder)
    lab = Lab(
        folder=folder / "lab",
        scale=scale_of(scale.value, settings_of(settings)),
        seed=seed,
        jobs=jobs_of(jobs),
        models=_models(use),
        data=data,
        solver=None if solver is None else solver.value,
        say=output.say,
    )
    documents: list[dict[str, Any]] = []
    failures = []
    for one in chosen:
        words = _command(one, scale, settings, seed, solver, lab.models, has_data=data is not None)
        try:
            ran = running.run(one, lab, folder, words, results)
        except G2MILPError as error:
            if name != "all":
                raise
            output.say(f"{one} failed: {error}")
            failures.append((one, str(error).splitlines()[0]))
            continue
        documents.append(ran.document)
        output.say(ran.table)
        for path in ran.files:
            output.say(f"written: {path}")
    output.result({"experiments": documents}, as_json=as_json)
    if failures:
        raise ItemsFailed(f"{len(failures)} of {len(chosen)} experiments failed", failures)


def page(
    results: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of results, or of one for each scale.")
    ] = Path("results/experiments"),
    target: Annotated[Path, typer.Option("--output", "-o", help="Markdown file.")] = Path(
        "RESULTS.md"
    ),
    overwrite: Overwrite = False,
    seed: NoSeed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Write one page of all results."""
    from g2milp.experiments.results_page import results_page
    from g2milp.instance.io.atomic import write_bytes

    text = results_page(results, target)
    write_bytes(target, text.encode(), overwrite=overwrite)
    output.say(f"written: {target}")
    output.result({"page": str(target)}, as_json=as_json)


def _models(use: list[str] | None) -> dict[str, Path]:
    found = {}
    for item in use or ():
        key, equals, path = item.partition("=")
        if not equals or key.count("/") != 1:
            raise UsageError(f"--use takes SET/NAME=RUN such as mis/best=run, not {item!r}")
        found[key] = Path(path)
    return found


def _command(
    name: str,
    scale: ScaleName,
    settings: list[str] | None,
    seed: int,
    solver: SolverName | None,
    models: dict[str, Path],
    *,
    has_data: bool,
) -> str:
    """The command as it can be given again; folders are the user's own, so they are not named."""
    from g2milp.experiments.registry import EXPERIMENTS

    words = ["g2milp", "paper", "run", name, "--scale", scale.value]
    words += ["--data", "DIR"] if has_data and EXPERIMENTS[name].reads_data else []
    words += ["--solver", solver.value] if solver is not None else []
    words += [word for key, path in models.items() for word in ("--use", f"{key}={path.name}")]
    words += [word for item in settings or () for word in ("--set", item)]
    words += ["--seed", str(seed)] if seed else []
    return shlex.join(words)


def _clear(folder: Path) -> None:
    """Remove what `run` writes: results and the lab; nothing else."""
    import shutil

    from g2milp.experiments.registry import EXPERIMENTS

    shutil.rmtree(folder / "lab", ignore_errors=True)
    for name in EXPERIMENTS:
        for path in [folder / f"{name}.json", folder / f"{name}.md", *folder.glob(f"{name}-*.svg")]:
            path.unlink(missing_ok=True)
