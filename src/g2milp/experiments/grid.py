"""What tables have in common: cells of sets × generators × mask ratios."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.errors import G2MILPError
from g2milp.experiments.finding import Finding
from g2milp.experiments.generators import MAIN
from g2milp.experiments.lab import SETS, TITLES, Recipe, cells

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from g2milp.datasets.dataset import Dataset
    from g2milp.experiments.lab import Lab

    Published = Mapping[tuple[str, str, float | None], float]


def each_cell(
    lab: Lab, generators: Sequence[str] = MAIN, sets: Sequence[str] = SETS
) -> Iterator[Recipe]:
    """Recipes in the order of the paper's tables: rows first."""
    for generator, ratio in cells(generators, lab.scale.ratios):
        for of in sets:
            yield Recipe(of=of, generator=generator, mask_ratio=ratio)


def published(table: Published, recipe: Recipe) -> float | None:
    """The paper's number for a cell; whole-instance generators have no mask ratio."""
    from g2milp.experiments.generators import edits_templates

    ratio = recipe.mask_ratio if edits_templates(recipe.generator) else None
    return table.get((recipe.of, recipe.generator, ratio))


def measured(
    lab: Lab,
    recipe: Recipe,
    column: str,
    measure: Callable[[Dataset], Finding],
    n: int | None = None,
) -> Finding:
    """`measure` of a generated set; a generator that cannot make it leaves its reason instead."""
    try:
        data = lab.made(recipe, n)
        return measure(data)
    except G2MILPError as error:
        reason = str(error).splitlines()[0].rstrip(":")
        for place in (lab.folder, lab.data):  # results name no folders of this machine
            reason = reason.replace(str(place), "…") if place is not None else reason
        return Finding(row=recipe.title, column=column, value=None, note=reason)


def column_of(of: str, measure: str = "") -> str:
    """Heading of a set's column."""
    return f"{TITLES[of]}{', ' if measure else ''}{measure}"


def training_similarity(
    lab: Lab, of: str, suite: str, column: str, paper: float | None = None
) -> Finding:
    """The training set against itself, as in the paper's tables."""
    found = lab.scores_against(lab.real(of), lab.real(of), suite=suite)
    return Finding(
        row="training set",
        column=column,
        value=found.score,
        interval=found.interval,
        count=found.count,
        paper=paper,
    )


def similarity(
    lab: Lab,
    recipe: Recipe,
    suite: str,
    column: str,
    paper: float | None = None,
    n: int | None = None,
) -> Finding:
    """Score of a generated set in one suite."""

    def score(data: Dataset) -> Finding:
        found = lab.scores(recipe.of, data, suite=suite)
        return Finding(
            row=recipe.title,
            column=column,
            value=found.score,
            interval=found.interval,
            count=found.count,
            paper=paper,
        )

    return measured(lab, recipe, column, score, n)
