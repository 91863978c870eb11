"""`fit`: from a data set to a trained model, in a run folder or without one."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import torch

from g2milp.errors import UnavailableError, UsageError
from g2milp.models import kernels
from g2milp.models.contrast.typed import one_bucket
from g2milp.models.masked_vae import presets
from g2milp.models.masked_vae.config import by_full_key
from g2milp.models.masked_vae.state import build
from g2milp.models.masked_vae.statistics import gather
from g2milp.training.board import Board
from g2milp.training.checkpoints import FOLDER, read_newest
from g2milp.training.distributed import own_gpu, process_group
from g2milp.training.lock import run_lock
from g2milp.training.loop import Loop, Progress
from g2milp.training.metrics_log import MetricsLog
from g2milp.training.optimiser import FlatAdam
from g2milp.training.run_folder import BOARD_FOLDER, METRICS_NAME, open_run
from g2milp.training.source import GraphSource, split, usable
from g2milp.training.step import StepMaker

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from g2milp.datasets.dataset import Dataset
    from g2milp.models.contrast.typed import Typist
    from g2milp.models.masked_vae.config import Config
    from g2milp.models.masked_vae.state import Model
    from g2milp.training.distributed import Group
    from g2milp.training.loop import Report
    from g2milp.training.selection import Selector


def fit(
    dataset: Dataset,
    run_dir: Path | None = None,
    preset: str = "auto",
    settings: dict[str, Any] | None = None,
    *,
    device: str = "cpu",
    select: Selector | None = None,
    progress: Report | None = None,
    warn: Callable[[str], None] | None = None,
    resume: bool | None = None,
    overwrite: bool = False,
    tensorboard: bool = False,
    typist: Typist = one_bucket,
) -> Model:
    """Train a model.

    Parameters
    ----------
    dataset
        The instances to learn from.
    run_dir
        Where checkpoints and metrics are kept; the same call goes on where it stopped. None keeps
        nothing.
    preset, settings
        Where the configuration starts, and what is changed in it, by dotted or unambiguous name.
    select
        Judges checkpoints instead of the validation loss.
    progress, warn
        Are told how it goes.
    resume
        True: there must be something to go on with. None: go on if there is.
    overwrite
        Start again and replace the run that is there.
    tensorboard
        Write the curves for TensorBoard, too, into the run folder.
    typist
        Says which entries of an instance may change places, for learning by contrast.
    """
    if not len(dataset):
        raise UsageError("there is nothing to learn from: the data set is empty")
    chosen = _device(device)
    changes = by_full_key(settings or {})
    if "preset" in changes:
        raise UsageError("preset is where the settings start, not one of them: give it by itself")
    source, config, model = _prepare(dataset, preset, changes, typist)
    indices = usable(source, config.masking)
    train, validation = split(indices, config.training.validation_share, config.training.seed)
    model.to(chosen)
    kernels.keep_memory()

    with ExitStack() as stack:
        group = stack.enter_context(process_group(chosen))
        folder = None
        if run_dir is not None:
            folder = run_dir / FOLDER
            if group.leads:
                _open(
                    run_dir,
                    stack,
                    _started_with(config, dataset, chosen, select, group),
                    resume=resume,
                    overwrite=overwrite,
                )
        optimiser = FlatAdam(model, config.training.weight_decay)
        loop = Loop(
            StepMaker(model, optimiser, source, train, group, chosen),
            MetricsLog(run_dir / METRICS_NAME if run_dir is not None and group.leads else None),
            validation,
            folder,
            select,
            progress or _silent,
        )
        group.any(False)
        if folder is not None:
            checkpoint, skipped = read_newest(folder, optimiser.parameters.numel())
            for reason in skipped:
                (warn or _silent)(f"this checkpoint is damaged and not used: {reason}")
            if checkpoint is not None:
                loop.resume(checkpoint)
        loop.log.cut_after(loop.position.step)
        if tensorboard and run_dir is not None and group.leads:
            board = Board(run_dir / BOARD_FOLDER, from_step=loop.position.step + 1)
            stack.callback(board.close)
            loop.log.board = board
        loop.run()
    return model.cpu().eval()  # instances are made on the CPU, wherever the networks were trained


def _prepare(
    dataset: Dataset, preset: str, changes: dict[str, Any], typist: Typist
) -> tuple[GraphSource, Config, Model]:
    """Graphs in the form that the configuration asks for, and the untrained model."""
    form = changes.get("network.row_form") or presets.row_form_of(preset)
    source = GraphSource(dataset, form, typist=typist)
    statistics = gather(source)
    steps = changes.get("training.steps")
    fitted = steps if isinstance(steps, int) else None
    scope = changes.get("masking.scope", "rows")
    config = presets.preset(preset, statistics, fitted, scope).updated(changes)
    return source, config, build(config, statistics)


def _open(
    run_dir: Path,
    stack: ExitStack,
    started_with: dict[str, Any],
    *,
    resume: bool | None,
    overwrite: bool,
) -> None:
    run_dir.mkdir(parents=True, exist_ok=True)
    stack.enter_context(run_lock(run_dir))
    record = open_run(run_dir, started_with, resume=resume, overwrite=overwrite)
    torch.set_num_threads(record["threads"])


def _started_with(
    config: Config,
    dataset: Dataset,
    device: torch.device,
    select: Selector | None,
    group: Group,
) -> dict[str, Any]:
    return {
        "config": config.model_dump(mode="json"),
        "data": dataset.hash,
        "device": device.type,
        "processes": group.size,
        "select": "validation" if select is None else select.name,
        "threads": torch.get_num_threads(),
    }


def _device(name: str) -> torch.device:
    if name not in ("cpu", "cuda"):
        raise UsageError(f"device must be cpu or cuda, not {name!r}")
    if name == "cuda" and not torch.cuda.is_available():
        raise UnavailableError(
            "this PyTorch sees no CUDA device", hint="Train with --device cpu, or check nvidia-smi."
        )
    return own_gpu() if name == "cuda" else torch.device(name)


def _silent(_: Progress | str) -> None:
    """Nobody wants to know."""
