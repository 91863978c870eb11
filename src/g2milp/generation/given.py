"""Known solutions of templates, for planting: a folder of ``.sol`` files, or a ledger with some."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from g2milp.errors import InputError, UnreadableFile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset


def read_solutions(source: str | Path, templates: Dataset) -> dict[str, NDArray[np.float64]]:
    """Points by template name, for those templates that `source` has one of.

    `source` is a folder of ``<template>.sol`` files, or the ledger of ``g2milp solve`` with
    ``--save-solutions``.
    """
    from g2milp.solvers.solution_files import read_solution, solution_path

    path = Path(source)
    if not path.exists():
        raise UnreadableFile(path, "there is no such file or folder")
    found = {}
    for index, name in enumerate(templates.names):
        candidates = [solution_path(path, name, templates.content_hash(index))]
        if path.is_dir():
            candidates.insert(0, path / f"{name}.sol")
        for candidate in candidates:
            if candidate.is_file():
                found[name], _ = read_solution(templates[index], candidate)
                break
    if not found:
        raise InputError(
            f"{path} holds no solution of any template",
            hint="Expected are files called <template>.sol, or a ledger of g2milp solve "
            "--save-solutions.",
        )
    return found
