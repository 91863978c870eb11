"""What a figure of a task shows, as plain values: drawing is for the rooms above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from g2milp.downstream.augmentation import REAL_ONLY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


def picture(
    title: str,
    measures: Iterable[tuple[str, Mapping[str, Any]]],
    yardsticks: Sequence[str] = (),
) -> dict[str, Any]:
    """One mark for each (training set, spread); the first is what the others are compared with.

    `yardsticks` are marks that learn nothing: they look like those of real instances.
    """
    marks = []
    for label, of in measures:
        low, high = of["interval"] or (of["mean"], of["mean"])
        std = "" if of["std"] is None else f" ± {of['std']:.3g}"
        marks.append(
            {
                "label": label,
                "value": of["mean"],
                "low": max(low, 0.0),
                "high": high,
                "shown": f"{of['mean']:.4g}{std}",
                "real": label in yardsticks or label.startswith(REAL_ONLY),
            }
        )
    return {"title": title, "reference": marks[0]["value"] if marks else None, "marks": marks}
