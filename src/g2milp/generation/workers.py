"""The same session in worker processes.

What every worker needs is written once, beside the run: the generator without templates, the
sketches of the known instances, the laws, given solutions. Templates are opened from their own
files; those that are only in memory are written down first. A worker opens all this with its first
block and keeps it.
"""

from __future__ import annotations

import json
import os
import shutil
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import OutOfSpace
from g2milp.execution.local import run
from g2milp.execution.task import Done, Task
from g2milp.generation.contract import Generator, SampleOptions
from g2milp.generation.folder import load_generator, save_generator
from g2milp.generation.options import as_json
from g2milp.generation.stream import Session
from g2milp.generation.writing import write_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from g2milp.datasets.dataset import Dataset

_open: dict[str, Session] = {}
"""The session of this worker process: one, since a worker belongs to one run."""


def blocks_in_workers(
    session: Session, target: Path, todo: Sequence[range], jobs: int
) -> Iterator[tuple[range, str | None]]:
    """Blocks as they end, each with the reason why it failed, or None."""
    prepared = (target / ".generation" / f"prepared-{os.getpid()}").resolve()
    folder = str(target.resolve())
    tasks = [Task(str(r[0]), (str(prepared), folder, r.start, r.stop)) for r in todo]
    try:
        _prepare(session, prepared)
        for result in run(tasks, make_block, jobs=jobs):
            *_, start, stop = result.task.payload
            if isinstance(result, Done):
                yield range(start, stop), None
            elif result.reason.startswith(f"{OutOfSpace.__name__}:"):
                raise OutOfSpace(result.reason.partition(": ")[2])
            else:
                yield range(start, stop), result.reason
    finally:
        shutil.rmtree(prepared, ignore_errors=True)


def make_block(payload: tuple[str, str, int, int]) -> None:
    """Make one block in this process. Called by the worker with what `blocks_in_workers` sent."""
    from g2milp.generation.run import write_block

    prepared, folder, start, stop = payload
    if prepared not in _open:
        _open[prepared] = _opened(Path(prepared))
    write_block(_open[prepared], Path(folder), range(start, stop))


def _prepare(session: Session, folder: Path) -> None:
    from safetensors.numpy import save

    from g2milp.instance.io.atomic import write_bytes, write_json

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    generator = session.generator
    save_generator(generator, folder / "generator", templates=False, overwrite=True)
    known = generator.templates_
    assert known is not None
    same = known is session.templates
    description = {
        "class": f"{type(generator).__module__}:{type(generator).__qualname__}",
        "seed": session.seed,
        "options": as_json(session.options),
        "anonymise": session.anonymise,
        "templates": _described(session.templates, folder / "templates"),
        "known": None if same else _described(known, folder / "known"),
    }
    arrays = {"sketches": session.novelty.sketches}
    for name, x in (session.solutions or {}).items():
        arrays[f"solution:{name}"] = np.ascontiguousarray(x)
    write_bytes(folder / "arrays.safetensors", save(arrays))
    write_json(folder / "session.json", description)


def _opened(folder: Path) -> Session:
    from safetensors.numpy import load

    description = json.loads((folder / "session.json").read_bytes())
    arrays = load((folder / "arrays.safetensors").read_bytes())
    module, _, name = description["class"].partition(":")
    cls: type[Generator] = getattr(import_module(module), name)
    generator = load_generator(folder / "generator", cls)
    templates = _dataset(description["templates"])
    generator.templates_ = (
        templates if description["known"] is None else _dataset(description["known"])
    )
    given: dict[str, Any] = description["options"]
    extra = tuple(sorted(given.pop("extra").items()))
    solutions = {key.removeprefix("solution:"): x for key, x in arrays.items() if key != "sketches"}
    return Session(
        generator,
        seed=description["seed"],
        templates=templates,
        options=SampleOptions(**given, extra=extra),
        solutions=solutions or None,
        anonymise=description["anonymise"],
        sketches=arrays["sketches"],
    )


def _described(dataset: Dataset, folder: Path) -> dict[str, Any]:
    """How a worker opens these instances again: from their files, or from copies in `folder`."""
    paths = [path for path in dataset.paths if path is not None]
    if len(paths) < len(dataset):
        files = write_folder(zip(dataset.names, dataset, strict=True), folder, overwrite=True)
        paths = [folder / name for name in files]
    return {
        "paths": [str(path.resolve()) for path in paths],
        "names": list(dataset.names),
        "accept": list(dataset.accept),
    }


def _dataset(description: dict[str, Any]) -> Dataset:
    from g2milp.datasets.dataset import Dataset
    from g2milp.datasets.members import Member

    accept = tuple(description["accept"])
    return Dataset(
        [
            Member(name=name, path=Path(path), accept=accept)
            for name, path in zip(description["names"], description["paths"], strict=True)
        ]
    )
