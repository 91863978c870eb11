"""Sets of small instances, real and generated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from g2milp.datasets.dataset import Dataset
from g2milp.generation.contract import Generator
from g2milp.problems.registry import make_many


def independent_sets(n: int, seed: int, n_nodes: int = 12) -> Dataset:
    """Named as `problems make` names them: the same names for every seed."""
    milps = list(make_many("mis", n, seed, n_nodes=n_nodes))
    return Dataset.from_milps(milps, [f"mis-{i + 1:05d}" for i in range(n)])


def generated_from(
    data: Dataset,
    n: int,
    folder: Path,
    method: str = "random",
    seed: int = 0,
    mask_ratio: float = 0.3,
    **settings: Any,
) -> Dataset:
    """Written and read again, so that there is a manifest with templates."""
    from g2milp.baselines.registry import create
    from g2milp.generation.writing import write

    generator: Generator = create(method, **settings).fit(data)
    write(generator.sample(n, seed=seed, mask_ratio=mask_ratio), folder)
    return Dataset.open(folder)
