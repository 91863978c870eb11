"""For tests, yours and ours: equality of instances with a readable difference, tiny instances.

`random_milp` makes ugly instances on purpose: every kind of row, bound and column, numbers that do
not survive fifteen digits, negative zeros, names that need quoting.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.instance.milp import (
    COLUMN_FIELDS,
    MATRIX_FIELDS,
    ROW_FIELDS,
    Kind,
    Milp,
    differing_fields,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from g2milp.generation.contract import Generator
    from g2milp.instance.milp import Sense

SHOWN = 5

HARD_NUMBERS = (0.1, 1 / 3, -1e-8, 123456789.123456789, float(np.nextafter(1.0, 2.0)), 2.0**60 + 1)


def assert_milp_equal(actual: Milp, expected: Milp) -> None:
    """Raise `AssertionError` that says where two instances differ, bit for bit."""
    different = differing_fields(actual, expected)
    if different:
        lines = [f"the instances differ in {', '.join(different)}"]
        for name in different:
            lines += _difference(name, actual, expected)
        raise AssertionError("\n".join(lines))


def check_generator(make: Callable[[], Generator], data: Sequence[Milp] | None = None) -> None:
    """Run the whole generator contract; `AssertionError` names the promise that is broken.

    Parameters
    ----------
    make
        Returns a new, unfitted generator each time.
    data
        Training instances; small textbook ones if left out.
    """
    from g2milp.generation.conformance import CHECKS, Case

    data = training_milps() if data is None else data
    case = Case(make, data, make().fit(data))
    for check in CHECKS:
        try:
            check(case)
        except AssertionError as error:
            raise AssertionError(f"{check.__name__}: {check.__doc__} ({error})") from error


def training_milps() -> list[Milp]:
    """Three small set covers and nothing else: enough for any generator to learn from."""
    from g2milp.problems.registry import make_many

    return list(make_many("setcover", 3, seed=0, n_rows=20, n_cols=30, density=0.2))


def tiny_milps() -> dict[str, Milp]:
    """Small instances by name, each with one thing that is easily lost."""
    inf = np.inf
    binary = [int(Kind.INTEGER)] * 3
    return {
        "knapsack": _tiny(
            [[2, 3, 1]], [-inf], [4], objective=[5, 4, 3], sense="max", upper=[1] * 3, kinds=binary
        ),
        "range": _tiny([[1, 2], [3, -1]], [1, -inf], [3, 2]),
        "equality": _tiny([[1, 2], [3, -1]], [1, 0.5], [1, 0.5]),
        "free row": _tiny([[1, 2], [3, -1]], [-inf, 1], [inf, inf]),
        "offset": _tiny([[1, 1]], [1], [inf], objective=[0.1, 0.2], offset=-0.3),
        "semi": _tiny(
            [[1, 1]],
            [2.5],
            [inf],
            lower=[2, 2],
            upper=[5, 7],
            kinds=[Kind.SEMI_CONTINUOUS, Kind.SEMI_INTEGER],
        ),
        "free column": _tiny(
            [[1, 1]], [0], [0], objective=[1, -1], lower=[-inf, -inf], upper=[inf, 3]
        ),
        "empty row": _tiny([[0, 0]], [-1], [1]),
        "infeasible": _tiny([[1, 1]], [3], [inf], upper=[1, 1], kinds=binary[:2]),
        "crossed bounds": _tiny([[1, 1]], [3], [inf], lower=[2, 0], upper=[1, 1]),
        "no rows": _tiny([], [], [], objective=[1, 2], upper=[1, 1]),
    }


def random_milp(
    rng: np.random.Generator,
    *,
    n_rows: int = 8,
    n_cols: int = 10,
    density: float = 0.3,
    hard_numbers: bool = True,
) -> Milp:
    """A random instance with every kind of row and column; not necessarily feasible."""
    counts = rng.binomial(n_cols, density, size=n_rows)
    indices = [np.sort(rng.permutation(n_cols)[:count]) for count in counts]
    row_lower, row_upper = _sides(rng, n_rows, hard_numbers)
    kinds = rng.choice(4, size=n_cols, p=[0.35, 0.5, 0.1, 0.05]).astype(np.uint8)
    col_lower, col_upper = _bounds(rng, kinds, hard_numbers)
    return Milp.build(
        name=f"random-{n_rows}-{n_cols}",
        sense="min" if rng.random() < 0.5 else "max",
        offset=float(_numbers(rng, 1, hard_numbers)[0]),
        objective=np.where(rng.random(n_cols) < 0.8, _numbers(rng, n_cols, hard_numbers), 0.0),
        indptr=np.concatenate([[0], np.cumsum(counts)]),
        indices=np.concatenate([np.zeros(0, np.int64), *indices]),
        values=_numbers(rng, int(counts.sum()), hard_numbers),
        row_lower=row_lower,
        row_upper=row_upper,
        col_lower=col_lower,
        col_upper=col_upper,
        kinds=kinds,
        row_names=[f"row[{i}]" for i in range(n_rows)],
        col_names=[f"x({j})" for j in range(n_cols)],
    )


def permuted(milp: Milp, row_order: NDArray[np.int64], col_order: NDArray[np.int64]) -> Milp:
    """The instance with row ``row_order[i]`` at place i and column ``col_order[j]`` at place j."""
    matrix = milp.matrix()[row_order][:, col_order].tocsr()
    return Milp.build(
        name=milp.name,
        sense=milp.sense,
        offset=milp.offset,
        objective_name=milp.objective_name,
        objective=milp.objective[col_order],
        indptr=matrix.indptr,
        indices=matrix.indices,
        values=matrix.data,
        row_lower=milp.row_lower[row_order],
        row_upper=milp.row_upper[row_order],
        col_lower=milp.col_lower[col_order],
        col_upper=milp.col_upper[col_order],
        kinds=milp.kinds[col_order],
        row_names=[milp.row_names[i] for i in row_order],
        col_names=[milp.col_names[j] for j in col_order],
    )


def _tiny(
    matrix: list[list[float]],
    row_lower: list[float],
    row_upper: list[float],
    *,
    objective: list[float] | None = None,
    lower: list[float] | None = None,
    upper: list[float] | None = None,
    kinds: list[int] | None = None,
    sense: Sense = "min",
    offset: float = 0.0,
) -> Milp:
    entries = [(j, value) for row in matrix for j, value in enumerate(row) if value]
    counts = [sum(value != 0 for value in row) for row in matrix]
    return Milp.build(
        name="tiny",
        sense=sense,
        offset=offset,
        objective=[1.0] * len(matrix[0]) if objective is None else objective,
        indptr=np.concatenate([[0], np.cumsum(counts, dtype=np.int64)]),
        indices=[j for j, _ in entries],
        values=[value for _, value in entries],
        row_lower=row_lower,
        row_upper=row_upper,
        col_lower=lower,
        col_upper=upper,
        kinds=kinds,
    )


def _numbers(rng: np.random.Generator, count: int, hard: bool) -> NDArray[np.float64]:
    whole = rng.integers(1, 100, size=count) * rng.choice([-1, 1], size=count)
    numbers: NDArray[np.float64] = whole.astype(np.float64)
    if hard:
        odd = rng.random(count) < 0.4
        numbers[odd] = rng.choice(HARD_NUMBERS, size=count)[odd]
    return numbers


def _sides(
    rng: np.random.Generator, count: int, hard: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """At most, at least, equal, range and free rows."""
    side = _numbers(rng, count, hard)
    width = np.abs(_numbers(rng, count, hard))
    kind = rng.choice(5, size=count, p=[0.4, 0.25, 0.2, 0.1, 0.05])
    lower = np.where((kind == 0) | (kind == 4), -np.inf, side)
    upper = np.select([kind == 1, kind == 3, kind == 4], [np.inf, side + width, np.inf], side)
    return lower, upper


def _bounds(
    rng: np.random.Generator, kinds: NDArray[np.uint8], hard: bool
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Free, non-negative, boxed, fixed and binary columns; semi ones with two finite bounds."""
    count = kinds.size
    kind = rng.choice(5, size=count)
    lower = np.select([kind == 0, kind == 2], [-np.inf, -np.abs(_numbers(rng, count, hard))], 0.0)
    upper = np.select(
        [kind <= 1, kind == 2, kind == 3], [np.inf, np.abs(_numbers(rng, count, hard)), 0.0], 1.0
    )
    semi = (kinds == Kind.SEMI_CONTINUOUS) | (kinds == Kind.SEMI_INTEGER)
    lower[semi] = rng.integers(1, 4, size=count)[semi]
    upper[semi] = rng.integers(5, 9, size=count)[semi]
    return lower, upper


def _difference(name: str, actual: Milp, expected: Milp) -> list[str]:
    """Up to five lines on what differs in one field."""
    ours, theirs = getattr(actual, name), getattr(expected, name)
    if name not in (*COLUMN_FIELDS, *ROW_FIELDS, *MATRIX_FIELDS):
        return [f"  {name}: {ours!r} instead of {theirs!r}"]
    if len(ours) != len(theirs):
        return [f"  {name}: {len(ours)} entries instead of {len(theirs)}"]
    if isinstance(ours, np.ndarray) and isinstance(theirs, np.ndarray):
        if ours.dtype != theirs.dtype:
            return [f"  {name}: dtype {ours.dtype} instead of {theirs.dtype}"]
        words = f"u{ours.dtype.itemsize}"
        places = np.flatnonzero(ours.view(words) != theirs.view(words)).tolist()
    else:
        places = [i for i, (a, b) in enumerate(zip(ours, theirs, strict=True)) if a != b]
    lines = [
        f"  {name}{_place(name, place, expected)}: {_shown(ours[place])} "
        f"instead of {_shown(theirs[place])}"
        for place in places[:SHOWN]
    ]
    if len(places) > SHOWN:
        lines.append(f"  {name}: {len(places) - SHOWN} more")
    return lines


def _place(name: str, place: int, milp: Milp) -> str:
    if name in ("values", "indices") and place < milp.n_nonzeros:
        row = int(np.searchsorted(milp.indptr, place, side="right")) - 1
        return f"[{place}] (row {milp.row_names[row]!r}, column index {milp.indices[place]})"
    if name in COLUMN_FIELDS:
        return f"[{place}] (column {milp.col_names[place]!r})"
    if name in ROW_FIELDS:
        return f"[{place}] (row {milp.row_names[place]!r})"
    return f"[{place}]"


def _shown(value: object) -> str:
    return repr(value.item()) if isinstance(value, np.generic) else repr(value)
