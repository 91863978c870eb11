"""The heavy operations as autograd functions over the C++ extension."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

MAX_PARTS = 12


def available() -> bool:
    """Whether the compiled extension is there."""
    return False


def instruction_set() -> str:
    """The instruction set chosen for this processor."""
    return "none"


def accepts(tensors: Sequence[Tensor]) -> bool:
    """Whether the extension can take these tensors."""
    return False
