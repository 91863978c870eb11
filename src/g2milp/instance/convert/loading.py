"""What all conversions share: importing the other package, refusing what a `Milp` does not hold."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import NotAMilp, UnavailableError
from g2milp.instance.io.numbers import INFINITE
from g2milp.instance.milp import default_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def load(package: str, extra: str) -> Any:
    """The imported `package`, or how to get it."""
    try:
        return import_module(package)
    except ImportError as missing:
        raise UnavailableError(
            f"{package} is not installed", hint=f"pip install {extra}"
        ) from missing


def not_a_milp(model: str, what: str) -> NotAMilp:
    """The error for a model in memory with parts that a `Milp` does not hold."""
    return NotAMilp(
        f"<{model} model>",
        None,
        "not-a-milp",
        f"the model has {what}",
        hint="Only linear rows, bounds and integrality can be taken over.",
    )


def usable_names(names: Sequence[str], letter: str, count: int) -> Sequence[str]:
    """The names, or default ones where they are missing, empty or not distinct."""
    if len(names) == count and all(names) and len(set(names)) == count:
        return names
    return default_names(letter, count)


def with_infinities(sides: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sides of rows or columns with 1e20 and more as infinity."""
    large = np.abs(sides) >= INFINITE
    return np.where(large, np.copysign(np.inf, sides), sides)
