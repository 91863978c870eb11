"""What scoring needs of one instance: statistics, and hashes that show what was copied."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from g2milp.evaluation.structure.communities import mix
from g2milp.evaluation.structure.distinct import distinct
from g2milp.evaluation.structure.registry import VERSION, statistics_of
from g2milp.evaluation.structure.row_hashes import bits, hash_columns, hash_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

SKETCH = 512
"""Smallest hashes that stand for a set: an unbiased sample of its members."""


@dataclass(frozen=True, eq=False)
class Profile:
    """One instance.

    Attributes
    ----------
    statistics
        Values by name.
    content, structure
        Hash of the exact content (without names) and of the isomorphism class.
    rows, columns
        32-bit hashes of the rows (column numbers, coefficients, sides) and of the columns
        (number, objective, bounds, kind), in order.
    names, coefficients
        The `SKETCH` smallest hashes of the set of names (rows and columns) and of the set of
        distinct coefficients and sides.
    """

    statistics: dict[str, float]
    content: str
    structure: str
    rows: NDArray[np.uint32]
    columns: NDArray[np.uint32]
    names: NDArray[np.uint64]
    coefficients: NDArray[np.uint64]
    default_names: bool

    def to_json(self) -> dict[str, Any]:
        """As JSON values; arrays in base64."""
        return {
            "version": VERSION,
            "statistics": self.statistics,
            "content": self.content,
            "structure": self.structure,
            "rows": _encoded(self.rows),
            "columns": _encoded(self.columns),
            "names": _encoded(self.names),
            "coefficients": _encoded(self.coefficients),
            "default_names": self.default_names,
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Self:
        """The inverse; raises KeyError, TypeError or ValueError for what it is not."""
        if value["version"] != VERSION:
            raise ValueError("made by another version")
        return cls(
            statistics={str(name): float(x) for name, x in value["statistics"].items()},
            content=str(value["content"]),
            structure=str(value["structure"]),
            rows=np.frombuffer(base64.b64decode(value["rows"]), dtype=np.uint32),
            columns=np.frombuffer(base64.b64decode(value["columns"]), dtype=np.uint32),
            names=np.frombuffer(base64.b64decode(value["names"]), dtype=np.uint64),
            coefficients=np.frombuffer(base64.b64decode(value["coefficients"]), dtype=np.uint64),
            default_names=bool(value["default_names"]),
        )


def profile_of(milp: Milp, names: Sequence[str]) -> Profile:
    """Compute all of it for one instance."""
    from g2milp.instance.fingerprint import content_hash, structure_hash
    from g2milp.instance.milp import default_names

    numbers = np.arange(milp.n_cols, dtype=np.uint64)
    values = np.concatenate([milp.values, milp.row_lower, milp.row_upper])
    return Profile(
        statistics=statistics_of(milp, names),
        content=content_hash(milp),
        structure=structure_hash(milp),
        rows=_short(hash_rows(milp)),
        columns=_short(mix(hash_columns(milp) + mix(numbers))),
        names=_sketch(_text_hashes((*milp.row_names, *milp.col_names))),
        coefficients=_sketch(mix(bits(np.unique(values[np.isfinite(values)])))),
        default_names=milp.col_names == default_names("c", milp.n_cols)
        and milp.row_names == default_names("r", milp.n_rows),
    )


def _short(hashes: NDArray[np.uint64]) -> NDArray[np.uint32]:
    return (hashes >> np.uint64(32)).astype(np.uint32)


def _sketch(hashes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    return distinct(hashes)[:SKETCH]


def _text_hashes(texts: Sequence[str]) -> NDArray[np.uint64]:
    digests = b"".join(hashlib.blake2b(t.encode(), digest_size=8).digest() for t in texts)
    return np.frombuffer(digests, dtype=np.uint64)


def _encoded(array: NDArray[Any]) -> str:
    return base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
