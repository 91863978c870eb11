"""The native scanner, where it is built: the same result as the Python one, only faster.

It reads ordinary lines and gives up on any other, so that rules and messages live in Python alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.instance.io.mps.model import Entries

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.io.limits import ReadLimits
    from g2milp.instance.io.mps.cursor import Cursor

try:
    _text: Any = import_module("g2milp.instance.io._text")
except ImportError:  # installed without a compiler
    _text = None


def is_available() -> bool:
    """Whether the native scanner is built."""
    return _text is not None


def is_clean(text: bytes) -> bool:
    """Whether `text` is known to hold no control characters and no lone carriage returns."""
    return _text is not None and bool(_text.is_clean(text))


def scan_columns(
    cursor: Cursor, row_index: dict[bytes, int], limits: ReadLimits
) -> tuple[Entries, dict[bytes, int]] | None:
    """Read the COLUMNS section at `cursor`; None, and nothing moved, when a line is unusual."""
    if _text is None:
        return None
    found = _text.scan_columns(
        cursor.text,
        cursor.position,
        list(row_index),
        limits.line_bytes,
        limits.name_bytes,
        limits.items,
    )
    if found is None:
        return None
    position, lines, names, integer, indptr, rows, values = found
    col_index = dict(zip(names, range(len(names)), strict=True))
    if len(col_index) != len(names):
        return None
    cursor.jump(position, lines)
    entries = Entries(
        [name.decode("utf-8") for name in names],
        np.frombuffer(integer, dtype=np.uint8).astype(bool),
        np.frombuffer(indptr, dtype=np.int64),
        np.frombuffer(rows, dtype=np.int32),
        np.frombuffer(values, dtype=np.float64),
    )
    return entries, col_index


def join_entries(
    column_names: list[str],
    row_names: list[str],
    numbers: list[str],
    columns: NDArray[np.int32],
    rows: NDArray[np.int32],
    which: NDArray[np.int32],
) -> bytes | None:
    """One line ``column row number`` an entry; None without the native core.

    Shapes
    ------
    columns, rows, which : (entries,), indices into the three lists of words
    """
    if _text is None:
        return None
    joined: bytes = _text.join_entries(
        [name.encode("utf-8") for name in column_names],
        [name.encode("utf-8") for name in row_names],
        [number.encode("utf-8") for number in numbers],
        columns.astype(np.int32).tobytes(),
        rows.astype(np.int32).tobytes(),
        which.astype(np.int32).tobytes(),
    )
    return joined
