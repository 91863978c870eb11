"""Training curves for TensorBoard, where the extra is installed and they are asked for."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from g2milp.errors import UnavailableError

if TYPE_CHECKING:
    from pathlib import Path


class Board:
    """Writes the numbers of metric records as scalars into ``RUN/tensorboard/``."""

    def __init__(self, folder: Path, *, from_step: int) -> None:
        if find_spec("tensorboard") is None:
            raise UnavailableError(
                "TensorBoard is not installed",
                hint='Install the extra: pip install "g2milp[tensorboard]"',
            )
        from torch.utils.tensorboard import SummaryWriter

        self._writer = SummaryWriter(str(folder), purge_step=from_step)

    def add(self, record: dict[str, Any]) -> None:
        """One record of the metrics log; nested numbers get a path."""
        step = int(record["step"])
        for name, value in record.items():
            if isinstance(value, dict):
                for part, number in value.items():
                    self._writer.add_scalar(f"{name}/{part}", number, step)
            elif name != "step":
                self._writer.add_scalar(f"training/{name}", value, step)

    def close(self) -> None:
        """Write what is buffered."""
        self._writer.close()
