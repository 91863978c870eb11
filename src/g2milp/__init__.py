"""Learn from a handful of MILP models, write new ones, and prove how good they are.

The public names are resolved on first use: ``import g2milp`` loads neither torch nor a solver.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.evaluate import evaluate
    from g2milp.generation.contract import Generator
    from g2milp.generation.g2milp import G2MILP
    from g2milp.generation.writing import write
    from g2milp.instance.io.files import read
    from g2milp.instance.milp import Kind, Milp

__version__ = "0.1.0"

_HOMES = {
    "Dataset": "g2milp.datasets.dataset",
    "G2MILP": "g2milp.generation.g2milp",
    "Generator": "g2milp.generation.contract",
    "Kind": "g2milp.instance.milp",
    "Milp": "g2milp.instance.milp",
    "evaluate": "g2milp.evaluation.evaluate",
    "read": "g2milp.instance.io.files",
    "write": "g2milp.generation.writing",
}

__all__ = ["G2MILP", "Dataset", "Generator", "Kind", "Milp", "evaluate", "read", "write"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'g2milp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
