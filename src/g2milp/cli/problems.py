"""``g2milp problems``: the textbook families, and folders of instances made from a seed."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated, Any

import typer

from g2milp.cli import output
from g2milp.cli.options import (
    PANEL_INSTANCES,
    AsJson,
    Debug,
    Folder,
    Jobs,
    NoSeed,
    Overwrite,
    Resume,
    Seed,
    Settings,
    check_resume,
    jobs_of,
)
from g2milp.cli.progress import progress


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    group = typer.Typer(no_args_is_help=True)
    group.command("list")(list_problems)
    group.command("make")(make)
    group.command("download")(download)
    app.add_typer(
        group,
        name="problems",
        help="Textbook families and public data sets: list, make, download.",
        rich_help_panel=PANEL_INSTANCES,
    )


def list_problems(as_json: AsJson = False, seed: NoSeed = 0, debug: Debug = False) -> None:
    """List the families with their parameters, and the public sets that can be downloaded."""
    from g2milp.datasets.downloads import NAMED_SETS
    from g2milp.problems.registry import PROBLEMS

    families: list[dict[str, Any]] = [
        {
            "name": family.name,
            "title": family.title,
            "source": family.source,
            "parameters": _defaults(family.parameters),
        }
        for family in PROBLEMS.values()
    ]
    sets = [{"name": s.name, "title": s.title, "terms": s.terms} for s in NAMED_SETS.values()]
    output.result({"problems": families, "downloads": sets}, as_json=as_json)
    output.say("Families: g2milp problems make NAME", style="bold underline")
    for family in families:
        settings = " ".join(
            f"{key}={'drawn' if value is None else value}"
            for key, value in family["parameters"].items()
        )
        output.facts(
            family["name"],
            [("what", family["title"]), ("source", family["source"]), ("--set", settings)],
        )
    output.say("", "Public sets: g2milp problems download NAME", style="bold underline")
    for named in sets:
        output.facts(named["name"], [("what", named["title"]), ("terms", named["terms"])])


def make(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Family: see 'problems list'.")],
    folder: Folder,
    number: Annotated[
        int, typer.Option("-n", "--number", min=1, metavar="N", help="How many instances.")
    ] = 100,
    settings: Settings = None,
    jobs: Jobs = None,
    resume: Resume = False,
    overwrite: Overwrite = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Make N instances of a family as .mps.gz files, with a manifest."""
    from g2milp.datasets.making import make_folder
    from g2milp.problems.registry import parse_settings

    params = parse_settings(name, settings or [])
    check_resume(folder, resume=resume, overwrite=overwrite)
    with progress(f"Making {name}", number) as advance:
        made = make_folder(
            name,
            number,
            seed,
            folder,
            params=params,
            jobs=jobs_of(jobs),
            overwrite=overwrite,
            advance=advance,
        )
    output.result(
        {
            "problem": name,
            "folder": str(made.folder),
            "seed": seed,
            "settings": params,
            "written": made.written,
            "found": made.found,
        },
        as_json=as_json,
    )
    already = f" ({made.found} were there already)" if made.found else ""
    output.say(f"{made.written} instances written to {made.folder}{already}")


def download(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Set: see 'problems list'.")],
    folder: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder to write to; default: the user's cache."),
    ] = None,
    seed: NoSeed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Download a public data set; a broken download is continued."""
    from g2milp.datasets.downloads import download as fetch
    from g2milp.datasets.downloads import named_set

    named = named_set(name)
    arrived = 0
    with progress(f"Downloading {name}, MB", None) as advance:

        def count(size: int) -> None:
            nonlocal arrived
            before, arrived = arrived, arrived + size
            advance(arrived // 1_000_000 - before // 1_000_000)

        target = fetch(named, folder, advance=count)
    output.result(
        {"name": name, "folder": str(target), "bytes": arrived, "terms": named.terms},
        as_json=as_json,
    )
    output.say(f"{named.title}: in {target}", f"Terms: {named.terms}")


def _defaults(parameters: type[Any]) -> dict[str, Any]:
    return {field.name: field.default for field in dataclasses.fields(parameters)}
