"""From a data set to its table of statistics, in parallel and never twice.

What is computed for an instance (`Profile`) is kept in a cache: one JSON line an instance, found
again by the hash of its file, so that scoring the same folder again reads no model.
"""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.cache import ProfileCache
from g2milp.evaluation.profile import Profile, profile_of
from g2milp.evaluation.structure.registry import STATISTICS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset

CHUNK = 4
"""Files that a worker is given at once."""


@dataclass(frozen=True, eq=False)
class Features:
    """Statistics of a data set.

    Attributes
    ----------
    names
        The statistics, one a column of `values`.
    values
        One row an instance.
    profiles
        Names, hashes and signatures of the instances, in the same order.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]
    profiles: tuple[Profile, ...]

    def __len__(self) -> int:
        return len(self.profiles)

    def column(self, name: str) -> NDArray[np.float64]:
        """The values of one statistic."""
        return self.values[:, self.names.index(name)]

    def columns(self, names: Sequence[str]) -> NDArray[np.float64]:
        """The values of several statistics, one a column."""
        return self.values[:, [self.names.index(name) for name in names]]

    def subset(self, rows: NDArray[np.int64]) -> Features:
        """Some of the instances."""
        return Features(self.names, self.values[rows], tuple(self.profiles[int(i)] for i in rows))


def features_of(
    data: Dataset,
    names: Sequence[str] | None = None,
    *,
    jobs: int = 1,
    cache: Path | None = None,
    advance: Callable[[int], None] | None = None,
) -> Features:
    """Statistics (default: all) of every instance, in the order of the data set."""
    wanted = tuple(STATISTICS if names is None else names)
    store = ProfileCache(cache) if cache is not None else None
    profiles: list[Profile | None] = [None] * len(data)
    missing = []
    for index, path in enumerate(data.paths):
        found = store.find(path, wanted) if store is not None and path is not None else None
        profiles[index] = found
        if found is None:
            missing.append(index)
        elif advance is not None:
            advance(1)
    for index, profile in _computed(data, missing, wanted, jobs):
        profiles[index] = profile
        path = data.paths[index]
        if store is not None and path is not None:
            store.add(path, profile)
        if advance is not None:
            advance(1)
    done = tuple(profile for profile in profiles if profile is not None)
    rows = [[profile.statistics[name] for name in wanted] for profile in done]
    values = np.array(rows, dtype=np.float64).reshape(len(done), len(wanted))
    return Features(wanted, values, done)


def _computed(
    data: Dataset, missing: list[int], names: tuple[str, ...], jobs: int
) -> Iterator[tuple[int, Profile]]:
    files = [index for index in missing if data.paths[index] is not None]
    if jobs > 1 and len(files) == len(missing) > 2 * CHUNK:
        with ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_one_thread) as pool:
            tasks = [(data.subset([index]), names) for index in missing]
            yield from zip(missing, pool.map(_profile_file, tasks, chunksize=CHUNK), strict=True)
        return
    for index in missing:
        yield index, profile_of(data[index], names)


def _profile_file(task: tuple[Dataset, tuple[str, ...]]) -> Profile:
    part, names = task
    return profile_of(part[0], names)


def _one_thread() -> None:
    os.environ["OMP_NUM_THREADS"] = "1"
