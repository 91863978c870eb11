"""Models that ship with the package: ``mis``, ``setcover``, ``mik``; templates from `problems`.

``mis-v1`` names a version, ``mis`` the newest. They hold no instance: templates are made from the
run's own seed, so every run starts from fresh ones.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from g2milp.errors import UnavailableError, UnreadableFile, UsageError
from g2milp.generation.integrity import MANIFEST_NAME

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset

FOLDER = Path(__file__).parent.parent / "pretrained"
CHECKPOINTS = "checkpoints"
"""What a run folder has before its training is finished."""
TEMPLATES = 100
"""Templates of a run at most."""
_VERSIONED = re.compile(r"([a-z][a-z0-9]*)-v([0-9]+)")


def available() -> dict[str, Path]:
    """Folders by full name (``mis-v1``), oldest first."""
    found = [(m, path) for path in FOLDER.glob("*-v*") if (m := _VERSIONED.fullmatch(path.name))]
    found.sort(key=lambda item: (item[0][1], int(item[0][2])))
    return {path.name: path for _, path in found}


def resolve_model(name: str) -> tuple[Path, str | None]:
    """The model folder that `name` stands for, and the problem of a shipped one.

    A run or model folder of that name goes first; another folder, such as the instances ``mis/``
    that somebody has made for the problem, only where no shipped model is called so.
    """
    path = Path(name)
    if (path / MANIFEST_NAME).exists() or (path / CHECKPOINTS).exists():
        return path, None
    shipped = available()
    newest = {full.partition("-v")[0]: full for full in shipped}
    full = newest.get(name, name)
    problem = full.partition("-v")[0]
    if full in shipped:
        return shipped[full], problem
    if path.is_dir():
        return path, None
    if problem in newest:
        raise UnavailableError(
            f"there is no trained model {name!r} in this package",
            hint=f"The newest is {newest[problem]!r}, which {problem!r} stands for, too.",
        )
    if _is_problem(problem):
        raise UnavailableError(
            f"there is no trained model {name!r} in this package",
            hint=f"Train one: g2milp problems make {problem} -n 100 -o data, "
            "then g2milp train data -o run",
        )
    known = [*newest, *shipped]
    near = get_close_matches(name, known, n=1)
    meant = f"Did you mean {near[0]!r}? " if near else ""
    raise UnreadableFile(
        name,
        "there is no such model folder",
        hint=f"{meant}Shipped with the package are: {', '.join(known)}." if known else None,
    )


def templates_for(problem: str, n: int, seed: int) -> Dataset:
    """Fresh templates of a shipped model's problem, named after it."""
    from g2milp.datasets.dataset import Dataset
    from g2milp.problems.registry import make_many

    count = min(max(n, 1), TEMPLATES)
    names = [f"{problem}{k:03d}" for k in range(count)]
    return Dataset.from_milps(make_many(problem, count, seed), names)


def _is_problem(name: str) -> bool:
    from g2milp.problems.registry import PROBLEMS

    try:
        return name in PROBLEMS
    except UsageError:
        return False
