"""Data-parallel training under ``torchrun``: each process takes its share of every batch.

Every process draws the same batch, works on its part of the graphs and adds up gradients, so all
hold the same parameters. The first one alone writes, validates and shows progress. Where they
train on GPUs, each has its own, and what they exchange lies there: NCCL knows no other memory.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import distributed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor


@dataclass(frozen=True)
class Group:
    """The processes that train together; one is the usual case."""

    rank: int = 0
    size: int = 1
    device: str = "cpu"

    @property
    def leads(self) -> bool:
        """Whether this process writes and speaks."""
        return self.rank == 0

    def sum_in_place(self, tensor: Tensor) -> None:
        """Add up over the processes."""
        if self.size > 1:
            distributed.all_reduce(tensor)

    def any(self, flag: bool) -> bool:
        """Whether the flag is set in any process."""
        if self.size == 1:
            return flag
        votes = torch.tensor([float(flag)], device=self.device)
        distributed.all_reduce(votes, op=distributed.ReduceOp.MAX)
        return bool(votes.item())


def own_gpu() -> torch.device:
    """The GPU of this process: that of its number on this machine, as ``torchrun`` counts."""
    own = int(os.environ.get("LOCAL_RANK", "0")) % torch.cuda.device_count()
    torch.cuda.set_device(own)
    return torch.device("cuda", own)


@contextlib.contextmanager
def process_group(device: torch.device) -> Iterator[Group]:
    """The group that ``torchrun`` announces in the environment, or this process alone."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1 or not distributed.is_available():
        yield Group()
        return
    distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
    try:
        yield Group(distributed.get_rank(), distributed.get_world_size(), str(device))
    finally:
        distributed.destroy_process_group()
