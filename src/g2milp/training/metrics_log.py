"""``metrics.jsonl``: one JSON object a line, at least every ten steps, cut back on resume.

A line is written whole and flushed. After a kill the file may hold steps beyond the checkpoint that
training goes on from, and half a line; both are removed before it goes on, so that every step is
there once. The same numbers can go to TensorBoard.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from g2milp.instance.io.atomic import write_bytes

if TYPE_CHECKING:
    from pathlib import Path

    from g2milp.training.board import Board


class MetricsLog:
    """Appends records; without a path it keeps none."""

    def __init__(self, path: Path | None, board: Board | None = None) -> None:
        self.path = path
        self.board = board

    def cut_after(self, step: int) -> None:
        """Drop everything that is later than `step`."""
        if self.path is None or not self.path.exists():
            return
        kept = [line for line in self.path.read_bytes().splitlines() if _step_of(line) <= step]
        write_bytes(self.path, b"".join(line + b"\n" for line in kept), overwrite=True)

    def add(self, record: dict[str, Any]) -> None:
        """Append one record; numbers that are not finite become null."""
        if self.board is not None:
            self.board.add(record)
        if self.path is None:
            return
        line = json.dumps({key: _plain(value) for key, value in record.items()}, allow_nan=False)
        with self.path.open("ab") as file:
            file.write(line.encode() + b"\n")


def _step_of(line: bytes) -> float:
    try:
        record = json.loads(line)
        return float(record["step"])
    except (ValueError, TypeError, KeyError):
        return math.inf


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.7g}") if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    return value
