"""From a `Milp` to the features of its graph (paper, table of features in appendix A.1).

Two forms of rows. ``"canonical"`` is the paper's: minimise, every finite side of a row is one `≤`
row, a lower side negated; its only row feature is the bias. ``"rows"`` is ours: a row stays one row
and tells its kind, because an equality that is taken apart cannot be regenerated as an equality.
The nine column features are those of Ecole, in Ecole's order, in both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from g2milp.graph.bipartite import Bipartite
from g2milp.instance.milp import Kind, RowSense

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

RowForm: TypeAlias = Literal["canonical", "rows"]

COLUMN_FEATURES = (
    "objective",
    "is_type_binary",
    "is_type_integer",
    "is_type_implicit_integer",
    "is_type_continuous",
    "has_lower_bound",
    "has_upper_bound",
    "lower_bound",
    "upper_bound",
)
TYPE_FEATURES = slice(1, 5)
BOUND_FEATURES = slice(5, 9)

ROW_FEATURES: dict[RowForm, tuple[str, ...]] = {
    "canonical": ("bias",),
    "rows": ("bias", "is_less", "is_greater", "is_equality", "is_range", "width"),
}
KIND_FEATURES = slice(1, 5)
_FEATURE_SENSES = (RowSense.LESS, RowSense.GREATER, RowSense.EQUAL, RowSense.RANGE)


def build_graph(milp: Milp, row_form: RowForm = "rows") -> Bipartite:
    """The graph of one instance."""
    return _canonical_graph(milp) if row_form == "canonical" else _graph_of_rows(milp)


def column_features(milp: Milp) -> NDArray[np.float64]:
    """The nine features of each column; a missing bound has the value 0 beside its indicator.

    The objective is that of the minimisation. A `Milp` knows no implicit integers, so that column
    is zero; semi-continuous and semi-integer columns count as what they are when they are not zero.
    """
    features = np.zeros((milp.n_cols, len(COLUMN_FEATURES)))
    features[:, 0] = milp.objective if milp.sense == "min" else -milp.objective
    binary, integer = milp.is_binary, milp.is_integer
    features[:, 1] = binary
    features[:, 2] = integer & ~binary
    features[:, 4] = ~integer
    has_lower, has_upper = np.isfinite(milp.col_lower), np.isfinite(milp.col_upper)
    features[:, 5], features[:, 6] = has_lower, has_upper
    features[has_lower, 7] = milp.col_lower[has_lower]
    features[has_upper, 8] = milp.col_upper[has_upper]
    return features


def bias_of_rows(milp: Milp) -> NDArray[np.float64]:
    """The one number that stands for the sides of a row: the upper one, else the lower, else 0."""
    upper, lower = np.isfinite(milp.row_upper), np.isfinite(milp.row_lower)
    bias = np.zeros(milp.n_rows)
    bias[lower] = milp.row_lower[lower]
    bias[upper] = milp.row_upper[upper]
    return bias


def _graph_of_rows(milp: Milp) -> Bipartite:
    senses = milp.senses
    features = np.zeros((milp.n_rows, len(ROW_FEATURES["rows"])))
    features[:, 0] = bias_of_rows(milp)
    for feature, sense in enumerate(_FEATURE_SENSES, start=KIND_FEATURES.start):
        features[:, feature] = senses == sense
    ranged = senses == RowSense.RANGE
    with np.errstate(over="ignore"):
        width = milp.row_upper[ranged] - milp.row_lower[ranged]
    features[ranged, 5] = np.minimum(width, np.finfo(np.float64).max)
    return Bipartite.build(
        row_features=features,
        col_features=column_features(milp),
        indptr=milp.indptr,
        indices=milp.indices,
        values=milp.values,
        maskable=senses != RowSense.FREE,
    )


def _canonical_graph(milp: Milp) -> Bipartite:
    """Eq. 1: each finite lower side as a negated row, then the upper one (Ecole's order)."""
    sides = np.stack([np.isfinite(milp.row_lower), np.isfinite(milp.row_upper)], axis=1)
    source, side = np.nonzero(sides)
    sign = np.where(side == 1, 1.0, -1.0)
    bias = np.where(side == 1, milp.row_upper[source], -milp.row_lower[source])
    degrees = milp.row_degrees[source]
    indptr = np.concatenate([[0], np.cumsum(degrees)])
    entry = np.arange(indptr[-1]) + np.repeat(milp.indptr[source] - indptr[:-1], degrees)
    return Bipartite.build(
        row_features=bias.reshape(-1, 1),
        col_features=column_features(milp),
        indptr=indptr,
        indices=milp.indices[entry],
        values=milp.values[entry] * np.repeat(sign, degrees),
        source_rows=source.astype(np.int64),
        negated=side == 0,
    )


def class_to_kind(type_class: int) -> Kind:
    """The kind of a column that was given one of the four types of the features."""
    return Kind.CONTINUOUS if type_class == 3 else Kind.INTEGER


def sides_from_bias(
    milp: Milp, rows: NDArray[np.int64], bias: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """New sides of rows from new biases: each keeps its kind, a range its width.

    The inverse of `bias_of_rows`; free rows stay free.
    """
    lower, upper = milp.row_lower[rows].copy(), milp.row_upper[rows].copy()
    has_lower, has_upper = np.isfinite(lower), np.isfinite(upper)
    only_lower, both = has_lower & ~has_upper, has_lower & has_upper
    with np.errstate(over="ignore"):
        width = upper[both] - lower[both]
    upper[has_upper] = bias[has_upper]
    lower[only_lower] = bias[only_lower]
    lower[both] = np.where(width > 0, bias[both] - width, bias[both])
    return lower, upper
