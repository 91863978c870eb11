"""``g2milp demo``: the whole story on a small set, told by the commands that you would type.

Each step is one command line, shown and then run as it stands; so the demo cannot drift away from
the commands, and running it again continues it as it would continue them.
"""

from __future__ import annotations

import shlex
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from g2milp.cli import output
from g2milp.cli.options import PANEL_TOOL, AsJson, Debug, Overwrite, Seed
from g2milp.errors import G2MILPError


@dataclass(frozen=True)
class Step:
    """One command of the story.

    `writes` says whether it takes ``--seed`` and ``--overwrite``; `extra` which extra it needs.
    Without the extra, the command `instead` is run, or the step is left out.
    """

    title: str
    command: str
    writes: bool = False
    extra: str | None = None
    instead: str | None = None

    def arguments(
        self, folder: Path, seed: int, *, overwrite: bool, complete: bool = True
    ) -> list[str]:
        """The command line of this step for one folder; `complete`: its extra is there."""
        command = self.command if complete else self.instead or self.command
        words = [word.replace("{folder}", str(folder)) for word in shlex.split(command)]
        if self.writes:
            words += ["--seed", str(seed)] + ["--overwrite"] * overwrite
        return words

    def missing(self) -> str | None:
        """The command that installs what this step needs and is not there."""
        from g2milp.cli.doctor import missing_extra

        return missing_extra(self.extra) if self.extra else None


STEPS = (
    Step(
        "Make a small data set: 30 maximum independent set problems",
        "problems make mis -n 30 --set n_nodes=60 -o {folder}/models",
        writes=True,
    ),
    Step("Describe it", "info {folder}/models"),
    Step("Read every file strictly", "check {folder}/models"),
    Step(
        "Write 30 look-alikes without learning: constraints exchange their entries",
        "baseline rewire {folder}/models -n 30 -o {folder}/rewired",
        writes=True,
    ),
    Step(
        "Learn from it (a taste: 100 steps)",
        "train {folder}/models -o {folder}/run --steps 100",
        writes=True,
        extra="train",
    ),
    Step(
        "Write 30 new instances, each with a proof that it is feasible",
        "generate {folder}/run -n 30 --certify feasible -o {folder}/new",
        writes=True,
        extra="train",
    ),
    Step(
        "Verify the proofs in exact arithmetic",
        "check {folder}/new --certificates",
        extra="train",
    ),
    Step(
        "Solve all of them, judge both against the real ones, and write a report",
        "evaluate {folder}/models {folder}/new {folder}/rewired --solver highs --seeds 1"
        " --cache {folder}/cache -o {folder}/report.html",
        writes=True,
        extra="train",
        instead="evaluate {folder}/models {folder}/rewired --solver highs --seeds 1"
        " --cache {folder}/cache -o {folder}/report.html",
    ),
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL_TOOL)(demo)


def demo(
    folder: Annotated[Path, typer.Option("--output", "-o", help="Folder to write to.")] = Path(
        "g2milp-demo"
    ),
    overwrite: Overwrite = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Tell the whole story on a small set, in under two minutes."""
    done: list[dict[str, Any]] = []
    for number, step in enumerate(STEPS, start=1):
        install = step.missing()
        arguments = step.arguments(folder, seed, overwrite=overwrite, complete=not install)
        output.say("", f"{number}. {step.title}", style="bold")
        output.say(f"$ g2milp {shlex.join(arguments)}", style="cyan")
        if install and not step.instead:
            output.warn(f"left out, since this needs: {install}")
            continue
        started = time.perf_counter()
        _run(arguments)
        seconds = round(time.perf_counter() - started, 3)
        done.append({"title": step.title, "command": ["g2milp", *arguments], "seconds": seconds})
    report = folder / "report.html"
    found = str(report) if report.is_file() else None
    output.result({"folder": str(folder), "steps": done, "report": found}, as_json=as_json)
    output.say("", f"Everything is in {folder}.", style="bold")
    if found:
        output.say(f"Open {found} in a browser.", style="bold")


def _run(arguments: list[str]) -> None:
    from g2milp.cli.app import run

    code = run(arguments)
    if code:
        raise G2MILPError(f"this step of the demo ended with exit code {code}")
