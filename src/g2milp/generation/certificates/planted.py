"""The planted point of a template: given or found, made exactly rational once, then kept.

A point that satisfies all rows of the template exactly satisfies every row that is not masked, for
every mask. So the expensive part is done once a template, and certifying an instance only has to
look at its redrawn rows.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import InputError
from g2milp.generation.certificates.arithmetic import excess, largest, row_activities
from g2milp.generation.certificates.claim import TOLERANCE, Level
from g2milp.generation.certificates.linear_program import first_feasible_point
from g2milp.generation.certificates.refinement import exact_point
from g2milp.generation.integrity import read_json_object
from g2milp.instance.fingerprint import content_hash
from g2milp.instance.io.atomic import write_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from g2milp.instance.milp import Milp

KEPT = 256
"""Planted points that are held in memory; others are found again, with the same result."""


@dataclass(frozen=True, eq=False)
class Planted:
    """A feasible point of a template with the level at which it is one."""

    point: list[Fraction]
    level: Level
    origin: str
    max_violation: Fraction


class PlantedPoints:
    """Points by template, from `given` solutions where there are some, else by a short solve."""

    def __init__(self, given: Mapping[str, NDArray[np.float64]] | None) -> None:
        self._given = given or {}
        self._kept: OrderedDict[str, Planted] = OrderedDict()
        self.folder: Path | None = None
        """Where points are shared with other workers and with a later call; None: nowhere."""

    def of(self, template: Milp, name: str) -> Planted:
        """The planted point of a template; the name is how the template is known here."""
        if name not in self._kept:
            self._kept[name] = self._shared(template, name)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(name)
        return self._kept[name]

    def _shared(self, template: Milp, name: str) -> Planted:
        """From the folder if it is there, else found and put there."""
        if self.folder is None:
            return self._find(template, name)
        path = self.folder / f"{content_hash(template)}.json"
        if path.is_file():
            return _from_json(read_json_object(path), template)
        found = self._find(template, name)
        self.folder.mkdir(parents=True, exist_ok=True)
        write_json(path, _as_json(found), overwrite=True)
        return found

    def _find(self, template: Milp, name: str) -> Planted:
        if name in self._given:
            x, origin = np.asarray(self._given[name], dtype=np.float64), "given"
            if x.shape != (template.n_cols,):
                raise InputError(
                    f"the solution of {name} has {x.size} entries for {template.n_cols} variables"
                )
            found = planted(template, x, origin)
            if found is None:
                raise InputError(
                    f"the solution given for {name} is not feasible",
                    hint="Give another one, or none: a short solve then looks for one.",
                )
            return found
        found = planted(template, first_feasible_point(template), "solved")
        if found is None:
            raise InputError(
                f"no feasible point of the template {name} was found in a short solve",
                hint="Give one with --solutions (a folder of .sol files), or other templates.",
            )
        return found


def _as_json(found: Planted) -> dict[str, Any]:
    return {
        "level": found.level,
        "origin": found.origin,
        "max_violation": str(found.max_violation),
        "point": {str(j): str(v) for j, v in enumerate(found.point) if v},
    }


def _from_json(content: dict[str, Any], template: Milp) -> Planted:
    point = [Fraction(0)] * template.n_cols
    for j, value in content["point"].items():
        point[int(j)] = Fraction(value)
    violation = Fraction(content["max_violation"])
    return Planted(point, content["level"], content["origin"], violation)


def planted(milp: Milp, x: NDArray[np.float64], origin: str) -> Planted | None:
    """`x` as an exact point where possible, else at level ``tolerance``; None if infeasible."""
    if not np.isfinite(x).all():
        return None
    exact = exact_point(milp, x)
    if exact is not None and violation_of(milp, exact) == 0:
        return Planted(exact, "exact", origin, Fraction(0))
    near = [
        Fraction(round(v)) if whole else Fraction(v)
        for v, whole in zip(x.tolist(), milp.is_integer.tolist(), strict=True)
    ]
    violation = violation_of(milp, near)
    return Planted(near, "tolerance", origin, violation) if violation <= TOLERANCE else None


def violation_of(milp: Milp, point: Sequence[Fraction]) -> Fraction:
    """The largest violation of a row, a bound or an integrality, exactly."""
    activities = row_activities(milp, point)
    rows = zip(milp.row_lower.tolist(), activities, milp.row_upper.tolist(), strict=True)
    cols = zip(
        milp.col_lower.tolist(),
        point,
        milp.col_upper.tolist(),
        (milp.kinds >= 2).tolist(),
        milp.is_integer.tolist(),
        strict=True,
    )
    of_rows = largest(excess(lower, value, upper) for lower, value, upper in rows)
    of_cols = largest(
        max(
            Fraction(0) if semi and v == 0 else excess(lower, v, upper),
            abs(v - round(v)) if whole else Fraction(0),
        )
        for lower, v, upper, semi, whole in cols
    )
    return max(of_rows, of_cols)


def objective_of(milp: Milp, point: Sequence[Fraction]) -> Fraction:
    """C'x + offset, exactly."""
    total = Fraction(milp.offset)
    for c, v in zip(milp.objective.tolist(), point, strict=True):
        if v and c:
            total += Fraction(c) * v
    return total
