"""What the downstream experiments share: real sets from the lab, generated ones by name.

The paper mixes η = 0.01 and 0.05 in halves for optimal values and takes 0.01 for
predict-and-search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from g2milp.experiments.finding import Finding
from g2milp.experiments.generators import edits_templates, label_of
from g2milp.experiments.lab import Recipe
from g2milp.experiments.solving import solver_for

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from g2milp.datasets.dataset import Dataset
    from g2milp.downstream.session import Session
    from g2milp.experiments.lab import Lab

REAL = "real only"


def session(
    lab: Lab,
    folder: Path,
    of: str,
    train: Dataset,
    generators: Sequence[str],
    ratios: Sequence[float],
    count: int,
    learned_from: int | None = None,
) -> Session:
    """Training set, unseen test set, and `count` instances of each generator, ratios mixed."""
    arms = {}
    for generator in generators:
        chosen = ratios if edits_templates(generator) else ratios[:1]
        arms[label_of(generator)] = [
            Recipe(of=of, generator=generator, mask_ratio=ratio, learned_from=learned_from)
            for ratio in chosen
        ]
    return session_of(lab, folder, train, lab.fresh(of, lab.scale.tested), arms, count)


def session_of(
    lab: Lab,
    folder: Path,
    train: Dataset,
    test: Dataset,
    arms: Mapping[str, Sequence[Recipe]],
    count: int,
    solver: str | None = None,
    seconds: float | None = None,
) -> Session:
    """The same with any recipes, by what their mixture is called."""
    from g2milp.downstream.augmentation import Augmentation
    from g2milp.downstream.session import Session

    augmentations: dict[Augmentation, list[Dataset]] = {}
    for name, recipes in arms.items():
        sets = [lab.made(recipe, count) for recipe in recipes]
        folders = tuple(path.parent for data in sets if (path := data.paths[0]) is not None)
        augmentations[Augmentation(name, folders)] = sets
    return Session(
        folder=folder,
        train=train,
        test=test,
        augmentations=augmentations,
        solver=solver_for(train, lab.solver or solver),
        time_limit=seconds or lab.scale.seconds,
        jobs=lab.jobs,
    )


def raw(result: dict[str, Any], arm: str, measure: str) -> tuple[float, ...]:
    """The numbers of all repeats of one training set."""
    return tuple(run[measure] for run in result["runs"] if run["arm"] == arm and measure in run)


def findings(
    result: dict[str, Any], measure: str, title: str, paper: dict[str, float]
) -> list[Finding]:
    """The measure of every training set, and the gain over real instances alone."""
    found = []
    for row in result["summary"]:
        values = row[measure]
        found.append(
            Finding(
                row=row["arm"],
                column=title,
                value=values["mean"],
                paper=paper.get(f"{row['arm']}/{measure}"),
                note=f"± {values['std']:.3g}" if values.get("std") is not None else "",
                count=values["n"],
                raw=raw(result, row["arm"], measure),
            )
        )
        gain = row["improvement"]
        if gain is not None:
            interval = gain["of_means_interval"]
            found.append(
                Finding(
                    row=row["arm"],
                    column="improvement",
                    value=gain["of_means"],
                    interval=None if interval is None else (interval[0], interval[1]),
                    paper=paper.get(f"{row['arm']}/improvement"),
                    note=f"better in {gain['better']} of {gain['n']}",
                )
            )
    return found
