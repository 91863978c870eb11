"""``g2milp export``: a model folder to share, and what it gives away."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from g2milp.cli import output
from g2milp.cli.options import PANEL_MODELS, AsJson, Debug, Folder, NoSeed, Overwrite


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL_MODELS)(export)


def export(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of a trained model.")],
    folder: Folder,
    with_templates: Annotated[
        bool,
        typer.Option("--with-templates", help="Take the training instances along, as they are."),
    ] = False,
    overwrite: Overwrite = False,
    seed: NoSeed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Write a model folder to share, without the training instances."""
    from g2milp.generation.export import export as write_export
    from g2milp.generation.g2milp import G2MILP

    done = write_export(run, folder, G2MILP, with_templates=with_templates, overwrite=overwrite)
    output.result(
        {
            "folder": str(done.folder),
            "templates": done.templates,
            "disclosure": list(done.disclosure),
        },
        as_json=as_json,
    )
    output.facts("Exported", [("folder", done.folder), ("templates", done.templates)])
    output.say("Whoever has this folder has:")
    for line in done.disclosure:
        output.say(f"  • {line}")
