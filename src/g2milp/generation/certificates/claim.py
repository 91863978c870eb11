"""What a certificate claims, as it stands in the manifest beside the points."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from g2milp.generation.certificates.points import spelled_long

if TYPE_CHECKING:
    from g2milp.generation.contract import CertificateKind

Level: TypeAlias = Literal["exact", "tolerance"]
TOLERANCE = Fraction(1, 10**6)
"""Level ``tolerance``: no row, bound or integrality is violated by more than this."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Certificate:
    """A claim with its points.

    Attributes
    ----------
    level
        ``"exact"``: every row, bound and integrality holds in rational arithmetic;
        ``"tolerance"``: within `TOLERANCE`, as solvers mean it.
    origin
        Where the planted point came from: ``"given"`` or ``"solved"``.
    objective, bound
        Value of the point, and for ``"bounded"`` the dual bound that no point can pass.
    moved_sides, largest_move
        How many sides of redrawn rows had to move, and how far relative to max(1, |side|).
    redrawn_rows, kept_rows
        Redraws of rows that the point did not fit, and rows that were left as the template's.
    repaired_cols
        Columns whose redrawn kind, bound or cost was moved.
    """

    kind: CertificateKind
    level: Level
    origin: str
    objective: Fraction
    point: list[Fraction]
    bound: Fraction | None = None
    dual: list[Fraction] | None = None
    max_violation: Fraction = Fraction(0)
    moved_sides: int = 0
    largest_move: float = 0.0
    redrawn_rows: int = 0
    kept_rows: int = 0
    repaired_cols: int = 0

    def as_json(self) -> dict[str, Any]:
        """The claim without the points; rationals as text."""
        return {
            "kind": self.kind,
            "level": self.level,
            "origin": self.origin,
            "objective": spelled_long(self.objective),
            "bound": None if self.bound is None else spelled_long(self.bound),
            "max_violation": float(self.max_violation),
            "moved_sides": self.moved_sides,
            "largest_move": self.largest_move,
            "redrawn_rows": self.redrawn_rows,
            "kept_rows": self.kept_rows,
            "repaired_cols": self.repaired_cols,
        }
