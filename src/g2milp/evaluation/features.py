"""From a data set to its table of statistics, in parallel and never twice.

What is computed for an instance (`Profile`) is kept in a cache: one JSON line an instance, found
again by the hash of its file, so that scoring the same folder again reads no model.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from g2milp.errors import InputError
from g2milp.evaluation.cache import ProfileCache
from g2milp.evaluation.profile import Profile, profile_of
from g2milp.evaluation.structure.registry import STATISTICS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset

WORTH_WORKERS = 8
"""Fewer files than this are read here: starting a worker takes longer."""

LISTED = 10
"""Files that cannot be read are listed up to this many."""

Unreadable: TypeAlias = tuple[str, str | None]
"""Why a file cannot be read, and what to do."""


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
        return int(self.values.shape[0])

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
    in_files = all(data.paths[index] is not None for index in missing)
    if jobs > 1 and in_files and len(missing) >= WORTH_WORKERS:
        yield from _in_workers(data, missing, names, jobs)
        return
    failures: list[Unreadable] = []
    for index in missing:
        try:
            milp = data[index]
        except InputError as error:
            failures.append((error.message, error.hint))
            continue
        yield index, profile_of(milp, names)
    _refuse(failures, len(data))


def _in_workers(
    data: Dataset, missing: list[int], names: tuple[str, ...], jobs: int
) -> Iterator[tuple[int, Profile]]:
    from g2milp.execution.local import run
    from g2milp.execution.task import Done, Task

    members = data.members
    tasks = (
        Task(index, (str(members[index].path), members[index].accept, names)) for index in missing
    )
    failures: list[Unreadable] = []
    for result in run(tasks, profile_file, jobs=jobs):
        if not isinstance(result, Done):
            failures.append((f"{data.names[result.task.key]}: {result.reason}", None))
        elif not isinstance(result.value, Profile):
            failures.append(result.value)
        else:
            yield result.task.key, result.value
    _refuse(failures, len(data))


def profile_file(task: tuple[str, tuple[str, ...], tuple[str, ...]]) -> Profile | Unreadable:
    """The work of one worker task: the profile of a file, or why it cannot be read."""
    from g2milp.instance.io.files import read

    path, accept, names = task
    try:
        milp = read(path, accept=accept)
    except InputError as error:
        return error.message, error.hint
    return profile_of(milp, names)


def _refuse(failures: list[Unreadable], total: int) -> None:
    """A set without some of its instances would be another set: refuse, and name them all."""
    if failures:
        listed = "\n".join(f"  {reason}" for reason, _ in failures[:LISTED])
        rest = len(failures) - LISTED
        more = f"\n  ... and {rest} more" if rest > 0 else ""
        hints = [hint for _, hint in failures if hint]
        raise InputError(
            f"{len(failures)} of {total} instances cannot be read:\n{listed}{more}",
            hint=hints[0] if hints else "Remove them from the folder, or repair them.",
        )
