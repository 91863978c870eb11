"""`Milp` and linopy models.

linopy holds arrays of variables and of constraints with labels, each array of one kind. So columns
become an array for every run of one kind, rows an array for every run of similar length (its arrays
are rectangular); the labels are the names. It has no rows with two sides: the lower sides of those
are arrays of their own, and `from_linopy` makes one row of each again.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import InvalidMilp
from g2milp.instance.convert.loading import load, not_a_milp, usable_names, with_infinities
from g2milp.instance.milp import Kind, Milp

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

_KINDS = {
    "C": Kind.CONTINUOUS,
    "B": Kind.INTEGER,
    "I": Kind.INTEGER,
    "S": Kind.SEMI_CONTINUOUS,
}
_COLUMNS, _ROWS, _LOWER = "g2milp_columns_", "g2milp_rows_", "g2milp_lower_sides_"
"""Names of the dimensions that `to_linopy` makes; their labels are names of ours."""
_PADDED, _SMALL = 4, 4096
"""An array of rows may hold so many times its entries, and always the second number of them."""


def to_linopy(milp: Milp) -> Any:
    """A `linopy.Model` that holds `milp`, names of rows and columns included.

    Raises
    ------
    InvalidMilp
        The instance has what linopy has no place for: a constant in the objective, semi-integer
        variables, semi-continuous ones without a positive lower bound.
    """
    linopy = load("linopy", "linopy")
    _refuse_what_it_cannot_hold(milp)
    model = linopy.Model()
    labels = [
        _add_columns(milp, model, start, end)
        for start, end in _runs(milp.kinds, np.where(milp.kinds >= 2, milp.col_lower, 0.0))
    ]
    variables = np.concatenate([np.zeros(0, np.int64), *labels])
    finite_lower = np.isfinite(milp.row_lower)
    ranged = finite_lower & np.isfinite(milp.row_upper) & ~milp.is_equality
    downwards = finite_lower & ~np.isfinite(milp.row_upper)
    sign = np.where(milp.is_equality, "=", np.where(downwards, ">=", "<="))
    sides = np.where(downwards, milp.row_lower, milp.row_upper)
    every = np.arange(milp.n_rows)
    _add_rows(milp, model, variables, _ROWS, every, sign, sides)
    lower = np.flatnonzero(ranged)
    _add_rows(
        milp, model, variables, _LOWER, lower, np.full(lower.size, ">="), milp.row_lower[lower]
    )
    used = np.flatnonzero(milp.objective)
    model.add_objective(
        _expression(model, {}, milp.objective[used], variables[used]), sense=milp.sense
    )
    return model


def _refuse_what_it_cannot_hold(milp: Milp) -> None:
    semi = milp.kinds == Kind.SEMI_CONTINUOUS
    for what, found in (
        ("a constant in the objective", milp.offset != 0.0),
        ("rows without any variable", bool(milp.n_rows and not milp.n_cols)),
        ("semi-integer variables", bool((milp.kinds == Kind.SEMI_INTEGER).any())),
        (
            "semi-continuous variables without a positive lower bound",
            bool((milp.col_lower[semi] <= 0).any()),
        ),
    ):
        if found:
            raise InvalidMilp(f"{milp.name!r}: linopy has no place for {what}")


def _runs(*keys: NDArray[Any]) -> Iterator[tuple[int, int]]:
    """Start and end of each stretch in which all `keys` stay the same."""
    changes = np.zeros(max(len(keys[0]) - 1, 0), dtype=bool)
    for key in keys:
        changes |= key[1:] != key[:-1]
    cuts = [0, *(np.flatnonzero(changes) + 1).tolist(), len(keys[0])]
    yield from ((a, b) for a, b in pairwise(cuts) if a < b)


def _blocks(lengths: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Start and end of stretches of rows that can be held as a rectangle without much waste."""
    start, longest, entries = 0, 0, 0
    for row, length in enumerate(lengths.tolist()):
        wide, filled = max(longest, length), entries + length
        if row > start and wide * (row + 1 - start) > max(_PADDED * filled, _SMALL):
            yield start, row
            start, wide, filled = row, length, length
        longest, entries = wide, filled
    if lengths.size:
        yield start, len(lengths)


def _add_columns(milp: Milp, model: Any, start: int, end: int) -> NDArray[np.int64]:
    kind = Kind(int(milp.kinds[start]))
    semi = kind == Kind.SEMI_CONTINUOUS
    name = f"{_COLUMNS}{len(model.variables)}"
    lower = float(milp.col_lower[start]) if semi else milp.col_lower[start:end]
    added = model.add_variables(
        lower=lower,
        upper=milp.col_upper[start:end],
        coords={name: list(milp.col_names[start:end])},
        name=name,
        integer=kind == Kind.INTEGER,
        semi_continuous=semi,
    )
    return np.asarray(added.labels.values, dtype=np.int64)


def _add_rows(
    milp: Milp,
    model: Any,
    variables: NDArray[np.int64],
    prefix: str,
    rows: NDArray[np.int64],
    sign: NDArray[np.str_],
    sides: NDArray[np.float64],
) -> None:
    import xarray as xr

    lengths = np.diff(milp.indptr)[rows]
    for start, end in _blocks(lengths):
        part, count = rows[start:end], lengths[start:end]
        shape = (end - start, max(int(count.max()), 1))
        filled = np.arange(shape[1]) < count[:, None]
        picked = (milp.indptr[part][:, None] + np.arange(shape[1]))[filled]
        labels, values = np.full(shape, -1, dtype=np.int64), np.full(shape, np.nan)
        labels[filled], values[filled] = variables[milp.indices[picked]], milp.values[picked]
        empty = count == 0  # linopy drops rows without a variable
        labels[empty, 0], values[empty, 0] = variables[:1], 0.0
        name = f"{prefix}{len(model.constraints)}"
        coords = {name: [milp.row_names[row] for row in part.tolist()]}
        model.add_constraints(
            _expression(model, coords, values, labels),
            xr.DataArray(sign[start:end], coords=coords, dims=[name]),
            xr.DataArray(sides[start:end], coords=coords, dims=[name]),
            name=name,
        )


def _expression(
    model: Any,
    coords: dict[str, list[str]],
    values: NDArray[np.float64],
    labels: NDArray[np.int64],
) -> Any:
    from linopy import LinearExpression
    from xarray import Dataset

    dims = [*coords, "_term"]
    return LinearExpression(
        Dataset({"coeffs": (dims, values), "vars": (dims, labels)}, coords), model
    )


def from_linopy(model: Any) -> Milp:
    """The instance that a `linopy.Model` describes, with names such as ``flow[north,3]``."""
    load("linopy", "linopy")
    arrays = model.matrices
    if arrays.Q is not None and arrays.Q.nnz:
        raise not_a_milp("linopy", "a quadratic objective")
    if getattr(arrays, "indicator_A", None) is not None and arrays.indicator_A.shape[0]:
        raise not_a_milp("linopy", "indicator constraints")
    if len(getattr(model.variables, "sos", ())):
        raise not_a_milp("linopy", "special ordered sets")
    if _is_scaled(model, arrays):  # its matrices are the scaled ones, rounded
        raise not_a_milp("linopy", "scaling factors other than 1")
    n_rows, n_cols = len(arrays.clabels), len(arrays.vlabels)
    kinds = [_KINDS[letter] for letter in arrays.vtypes.tolist()]
    sense = np.asarray(arrays.sense, dtype="U1") if n_rows else np.zeros(0, "U1")
    sides = np.asarray(arrays.b, dtype=float) if n_rows else np.zeros(0)
    matrix = arrays.A.tocsr() if n_rows else None
    if matrix is not None:
        matrix.sum_duplicates()
    lower = with_infinities(np.where(sense == "<", -np.inf, sides))
    upper = with_infinities(np.where(sense == ">", np.inf, sides))
    names = _names(model.constraints, arrays.clabels)
    col_names = [name for name, _ in _names(model.variables, arrays.vlabels)]
    kept = _join_sides(names, lower)
    row_names = [names[row][0] for row in kept.tolist()]
    part = matrix[kept] if matrix is not None else None
    return Milp.build(
        sense="max" if model.objective.sense == "max" else "min",
        objective=arrays.c,
        col_lower=with_infinities(arrays.lb),
        col_upper=with_infinities(arrays.ub),
        kinds=kinds,
        col_names=usable_names(col_names, "c", n_cols),
        row_lower=lower[kept],
        row_upper=upper[kept],
        row_names=usable_names(row_names, "r", len(row_names)),
        indptr=[0] if part is None else part.indptr,
        indices=[] if part is None else part.indices,
        values=[] if part is None else part.data,
    )


def _is_scaled(model: Any, arrays: Any) -> bool:
    factors = [getattr(model.objective, "scaling", 1), getattr(arrays, "var_scaling", 1)]
    factors += [getattr(rows, "scaling", 1) for _, rows in model.constraints.items()]
    return any(np.any(np.asarray(factor) != 1) for factor in factors)


def _join_sides(names: list[tuple[str, str]], lower: NDArray[np.float64]) -> NDArray[np.int64]:
    """The rows that stay, after the lower sides `to_linopy` split off went back to their rows."""
    split = {row for row, (_, container) in enumerate(names) if container.startswith(_LOWER)}
    whole = {
        name: row for row, (name, container) in enumerate(names) if container.startswith(_ROWS)
    }
    gone = {row for row in split if names[row][0] in whole}
    for row in gone:
        lower[whole[names[row][0]]] = lower[row]
    return np.array([row for row in range(len(names)) if row not in gone], dtype=np.int64)


def _names(container: Any, labels: Iterable[int]) -> list[tuple[str, str]]:
    """The name of each variable or constraint, and the one of the array that holds it."""
    names = []
    for label in labels:
        name, coordinates = container.get_label_position(int(label))
        inside = ",".join(str(value) for value in coordinates.values())
        ours = str(name).startswith((_COLUMNS, _ROWS, _LOWER)) and name in coordinates
        names.append((inside if ours else f"{name}[{inside}]" if inside else str(name), str(name)))
    return names
