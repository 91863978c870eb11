"""``g2milp train``: learn from instances; the run folder is the model when it is done."""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from g2milp.cli import output
from g2milp.cli.options import (
    PANEL_MODELS,
    Accept,
    AsJson,
    Debug,
    Overwrite,
    Resume,
    Seed,
    Settings,
    settings_of,
)
from g2milp.cli.progress import progress
from g2milp.errors import UsageError

if TYPE_CHECKING:
    from g2milp.generation.g2milp import G2MILP
    from g2milp.training.loop import Progress
    from g2milp.training.selection import Selector

Scope = StrEnum("Scope", ["rows", "cols", "both"])
Select = StrEnum("Select", ["validation", "similarity", "hardness"])
Device = StrEnum("Device", ["cpu", "cuda"])
PRESET_HELP = (
    "auto, which is best, fits a judge of exchanges to the data; blocks fits the paper's "
    "autoencoder to it; paper-mis, -setcover, -mik, -nurse and code-mis, -setcover, -mik are the "
    "published hyper-parameters and those of the authors' code."
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=PANEL_MODELS)(train)


def train(
    data: Annotated[Path, typer.Argument(metavar="DATA", help="Folder of instances, or one file.")],
    run: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="RUN", help="Run folder; it is the model when training ends."
        ),
    ],
    preset: Annotated[str, typer.Option(help=PRESET_HELP)] = "auto",
    steps: Annotated[int | None, typer.Option(min=1, help="Optimisation steps.")] = None,
    scope: Annotated[
        Scope | None, typer.Option(help="What is masked and learned: the paper's c, v, vc.")
    ] = None,
    select: Annotated[
        Select,
        typer.Option(
            help="How the best checkpoint is chosen: by validation loss, by similarity of a small "
            "generated set, or by its hardness (the paper's way; it looks at a test measure)."
        ),
    ] = Select.validation,
    device: Annotated[Device, typer.Option(help="Where the networks run.")] = Device.cpu,
    tensorboard: Annotated[
        bool, typer.Option("--tensorboard", help="Write the curves for TensorBoard, too.")
    ] = False,
    settings: Settings = None,
    accept: Accept = None,
    resume: Resume = False,
    overwrite: Overwrite = False,
    seed: Seed = 0,
    as_json: AsJson = False,
    debug: Debug = False,
) -> None:
    """Learn from instances how to generate new ones.

    The same command continues a run that was interrupted, with the same result. Under torchrun the
    batches are shared between the processes.
    """
    from g2milp.datasets.cache import packed
    from g2milp.datasets.dataset import Dataset
    from g2milp.generation.g2milp import G2MILP, require_torch

    if resume and overwrite:
        raise UsageError("--resume and --overwrite exclude each other")
    # Compute threads that wait asleep, not spinning: with other work on the machine two spinning
    # ones made a step five to nine times as long. Read when torch is loaded, not later.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    require_torch()
    given = settings_of(settings)
    if steps is not None:
        given["training.steps"] = steps
    if scope is not None:
        given["masking.scope"] = str(scope)
    generator = G2MILP(seed=seed, preset=preset, settings=given)
    dataset = packed(Dataset.open(data, accept=accept or ()))
    if select is Select.hardness:
        output.warn(
            "--select hardness looks at what the model is judged by in the end: say so where you "
            "report its results"
        )
    with progress("Training", None) as advance:
        generator.fit(
            dataset,
            run_dir=run,
            device=str(device),
            select=_selector(generator, select, seed),
            progress=_reporter(advance),
            warn=output.warn,
            resume=True if resume else None,
            overwrite=overwrite,
            tensorboard=tensorboard,
        )
    if int(os.environ.get("RANK", "0")) == 0:
        generator.save(run, overwrite=True)
        _tell(run, generator, as_json)


def _reporter(advance: Callable[..., None]) -> Callable[[Progress], None]:
    """Turns what the training loop reports into movements of the bar."""
    reached = 0

    def report(now: Progress) -> None:
        nonlocal reached
        minutes, seconds = divmod(round(now.seconds_left), 60)
        note = (
            f"{now.step}/{now.steps}, loss {now.losses['loss']:.4g}, {minutes}:{seconds:02d} left"
        )
        if now.validation is not None:
            note += f", validation {now.validation['loss']:.4g}"
            if "logits_auc" in now.validation:
                note += f", AUC {now.validation['logits_auc']:.3f}"
        advance(now.step - reached, note=note)
        reached = now.step

    return report


def _selector(generator: G2MILP, select: Select, seed: int) -> Selector | None:
    if select is Select.validation:
        return None
    from g2milp.evaluation.selection import ByHardness, BySimilarity

    if select is Select.similarity:
        return BySimilarity(generator, seed=seed)
    return ByHardness(generator, seed=seed)


def _tell(run: Path, generator: G2MILP, as_json: bool) -> None:
    config = generator.model.config
    parameters = sum(p.numel() for p in generator.model.parameters())
    facts: dict[str, Any] = {
        "run": str(run),
        "preset": config.preset,
        "scope": config.masking.scope,
        "steps": config.training.steps,
        "parameters": parameters,
        "instances": generator.model.statistics.n_graphs,
    }
    output.facts("Model", list(facts.items()))
    output.say(f"Next: g2milp generate {output.visible(str(run))} -n 100 -o new/")
    output.result({**facts, "config": config.model_dump(mode="json")}, as_json=as_json)
