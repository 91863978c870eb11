"""Disclosure: what a generated set tells about the instances it was made from.

For whoever wants to share: the share of the reference's rows, names and numbers that stand
unchanged somewhere in the generated set, and a membership test.

The membership test is an attack: guess that an instance was used for training when a generated one
is near to it. Its AUC compares training instances with fresh real ones; 0.5 means that the
generated set does not tell who was in the training set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.novelty.overlap import nearest, parts_of
from g2milp.evaluation.two_sample.classifier import area

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.evaluation.profile import Profile


@dataclass(frozen=True)
class Disclosure:
    """What is disclosed.

    Attributes
    ----------
    rows
        Share of the reference's rows that appear unchanged in the generated set.
    names
        Share of the names of rows and columns; None where all names are default ones.
    coefficients
        Share of the distinct coefficients and sides.
    membership_auc
        AUC of the membership attack; None without fresh real instances to compare with.
    """

    rows: float
    names: float | None
    coefficients: float
    membership_auc: float | None


def disclosure(
    reference: Sequence[Profile], generated: Sequence[Profile], fresh: Sequence[Profile] = ()
) -> Disclosure:
    """Measure all of it."""
    made = np.unique(np.concatenate([p.rows for p in generated]))
    own = np.concatenate([p.rows for p in reference])
    named = [p for p in reference if not p.default_names]
    return Disclosure(
        rows=float(np.isin(own, made).mean()) if own.size else 0.0,
        names=_contained([p.names for p in named], [p.names for p in generated]) if named else None,
        coefficients=_contained(
            [p.coefficients for p in reference], [p.coefficients for p in generated]
        ),
        membership_auc=_membership(reference, generated, fresh) if fresh else None,
    )


def _contained(
    reference: Sequence[NDArray[np.uint64]], generated: Sequence[NDArray[np.uint64]]
) -> float:
    """Share of the reference's members that the generated sets hold, from sketches.

    A sketch holds the smallest hashes of a set. Below the smallest end of any full sketch, every
    member of every set is seen, and hashes are random: the share there estimates the whole.
    """
    from g2milp.evaluation.profile import SKETCH

    ends = [sketch[-1] for sketch in (*reference, *generated) if sketch.size >= SKETCH]
    known = np.unique(np.concatenate(list(reference)))
    held = np.unique(np.concatenate(list(generated)))
    if ends:
        known = known[known <= min(ends)]
    return float(np.isin(known, held).mean()) if known.size else 0.0


def _membership(
    reference: Sequence[Profile], generated: Sequence[Profile], fresh: Sequence[Profile]
) -> float:
    made = [parts_of(p) for p in generated]
    inside = nearest([parts_of(p) for p in reference], made).distance
    outside = nearest([parts_of(p) for p in fresh], made).distance
    score = -np.concatenate([inside, outside])
    return area(score, np.arange(score.size) < inside.size)
