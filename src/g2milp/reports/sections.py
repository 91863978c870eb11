"""What one generated set shows in the report: its figures and tables, section by section."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.hardness.records import efforts, main_configurations
from g2milp.evaluation.numbers import interval, ratio, score
from g2milp.evaluation.structure.registry import STATISTICS
from g2milp.reports.figures.effort import effort_curves
from g2milp.reports.figures.histogram import histogram
from g2milp.reports.figures.intervals import Mark, intervals
from g2milp.reports.figures.scatter import scatter
from g2milp.reports.figures.shares import Part, shares
from g2milp.reports.projection import project

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.evaluation.hardness.compare import HardnessComparison
    from g2milp.evaluation.hardness.records import Measure
    from g2milp.evaluation.result import Evaluation
    from g2milp.evaluation.scoring import StatisticScore
    from g2milp.evaluation.two_sample.classifier import ClassifierTest
    from g2milp.evaluation.two_sample.distances import GradedDistance
    from g2milp.evaluation.two_sample.graph_network import NetworkTest
    from g2milp.reports.figures.drawing import Figure

SMALLEST_RATIO, LARGEST_RATIO = 0.05, 1000.0
WORTH_DRAWING = 4
"""Efforts with fewer different values make no curve: the table says it all."""
CURVES: tuple[Measure, ...] = ("work", "nodes")
"""Measures whose distributions are drawn; all are in the table."""


@dataclass(frozen=True, eq=False)
class Panel:
    """One statistic with its histogram; `is_constant`: one value in all instances of both sets."""

    statistic: StatisticScore
    definition: str
    figure: Figure
    is_constant: bool


@dataclass(frozen=True, eq=False)
class Map:
    """The map, and how it was made."""

    figure: Figure
    method: str
    of: str
    has_random: bool


def score_figure(found: Sequence[Evaluation]) -> Figure:
    """Scores of one or more sets, between the two yardsticks."""
    first = found[0]
    marks = [
        Mark(e.generated_name, e.score, *e.interval, "made", _with_interval(e.score, e.interval))
        for e in found
    ]
    for label, yardstick, style in (
        ("real instances (ceiling)", first.ceiling, "real"),
        ("a pure copy", first.copy_score, "copy"),
    ):
        if yardstick is not None:
            shown = _with_interval(yardstick.value, yardstick.interval)
            marks.append(Mark(label, yardstick.value, *yardstick.interval, style, shown))
    low = math.floor(10 * min(mark.low for mark in marks) - 0.5) / 10
    return intervals("Similarity to the real instances", marks, (max(low, 0.0), 1.0))


def classifier_figure(evaluation: Evaluation) -> Figure | None:
    """AUC of the classifiers, and on Random, which they must recognise."""
    tests = evaluation.two_sample
    if tests is None or tests.classifier is None:
        return None
    marks = _auc_marks(tests.classifier.classifier, tests.classifier, tests.power)
    if tests.network is not None:
        marks += _auc_marks("graph network", tests.network, tests.network.power)
    low = math.floor(10 * min(0.45, *(mark.low for mark in marks))) / 10
    return intervals("AUC of telling generated from real", marks, (low, 1.0), line_at=0.5)


def _auc_marks(by: str, test: ClassifierTest | NetworkTest, power: float | None) -> list[Mark]:
    shown = _with_interval(test.auc, test.interval)
    marks = [Mark(f"generated, by {by}", test.auc, *test.interval, "made", shown)]
    if power is not None:
        words = "Random, η = 0.1 (power)"
        marks.append(Mark(words, power, power, power, "random", score(power)))
    return marks


def distance_figure(evaluation: Evaluation) -> Figure | None:
    """Graded distances, real–real = 1."""
    tests = evaluation.two_sample
    if tests is None or not tests.distances:
        return None
    marks = [_distance_mark(d) for d in tests.distances]
    axis = _around_one(marks)
    title = "Distance to the real instances, real to real = 1"
    return intervals(title, marks, axis, log=True, line_at=1.0)


def _distance_mark(d: GradedDistance) -> Mark:
    shown = f"{ratio(d.ratio)} ({interval(*d.interval)})"
    return Mark(f"{d.name}, {d.on}", d.ratio, *d.interval, "made", shown)


def ratio_figure(evaluation: Evaluation) -> Figure | None:
    """Effort of generated instances in units of that of their templates."""
    marks = [
        Mark(
            f"{h.solver}: {h.measure.replace('_', ' ')}",
            h.ratio,
            *h.interval,
            "made",
            f"{ratio(h.ratio)} ({interval(*h.interval)})",
        )
        for h in evaluation.hardness
        if not _is_work_again(h, evaluation.hardness)
    ]
    if not marks:
        return None
    title = "Effort, generated over real (shifted geometric means)"
    return intervals(title, marks, _around_one(marks), log=True, line_at=1.0)


def _is_work_again(h: HardnessComparison, every: Sequence[HardnessComparison]) -> bool:
    """LP iterations of a solver whose unit of work they are: the same line twice."""
    return h.measure == "lp_iterations" and any(
        o.solver == h.solver
        and o.measure == "work"
        and (o.ratio, o.interval) == (h.ratio, h.interval)
        for o in every
    )


def effort_figures(evaluation: Evaluation) -> list[Figure]:
    """The distributions of the main measures, a solver each."""
    evidence = evaluation.evidence
    own = [profile.content for profile in evidence.reference.profiles]
    new = [profile.content for profile in evidence.generated.profiles]
    figures = []
    for configuration in main_configurations(evidence.solves, [*own, *new]):
        solves = [s for s in evidence.solves if s.configuration == configuration]
        for measure in CURVES:
            real, made = efforts(solves, own, measure), efforts(solves, new, measure)
            both = np.unique(np.concatenate([real.values, made.values]))
            if real.values.size and made.values.size and both.size >= WORTH_DRAWING:
                title = f"{configuration[0]}: share solved within some {measure}"
                figures.append(effort_curves(title, measure, real, made))
    return figures


def map_figure(evaluation: Evaluation) -> Map | None:
    """Real, generated and Random on one map; of representations where there is a model."""
    evidence = evaluation.evidence
    own, new = evidence.reference_embedding, evidence.generated_embedding
    names = evidence.random.features.names if evidence.random is not None else ()
    if own is not None and new is not None:
        clouds, of = [own, new], "encoder representations"
        other = evidence.random.embedding if evidence.random is not None else None
    else:
        columns = names or evidence.reference.names
        clouds = [evidence.reference.columns(columns), evidence.generated.columns(columns)]
        of = f"{len(columns)} statistics"
        other = evidence.random.features.values if evidence.random is not None else None
    styles = ["real", "made"] + (["random"] if other is not None else [])
    clouds += [other] if other is not None else []
    if sum(map(len, clouds)) < 4:
        return None
    placed, method = project(clouds, seed=evaluation.seed)
    sizes = ", ".join(
        f"{len(points)} {word}"
        for points, word in zip(placed, ("real", "generated", "Random's"), strict=False)
    )
    words = (
        f"Each mark is an instance ({sizes}), near ones are alike. "
        f"Nearest neighbours of generated ones: {_neighbours(placed)}."
    )
    drawn = [*zip(styles, placed, strict=True)][::-1]
    return Map(scatter(f"{method} map of {of}", words, drawn), method, of, other is not None)


def _neighbours(placed: Sequence[NDArray[np.float64]]) -> str:
    """Which kind stands nearest to generated instances: the map in words."""
    points = np.concatenate(placed)
    kind = np.repeat(np.arange(len(placed)), [len(cloud) for cloud in placed])
    made = np.flatnonzero(kind == 1)
    apart = ((points[made][:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    apart[np.arange(made.size), made] = np.inf
    nearest = kind[apart.argmin(axis=1)]
    names = ("real", "generated", "Random's")
    return ", ".join(
        f"{100 * float((nearest == k).mean()):.0f} % {names[k]}" for k in range(len(placed))
    )


def panels(evaluation: Evaluation, most: int) -> list[Panel]:
    """Histograms, the least similar statistics first; statistics that say nothing come last."""
    evidence = evaluation.evidence
    ordered = sorted(evaluation.statistics, key=lambda s: (s.similarity, s.name))
    made = []
    for s in ordered[:most]:
        real, new = evidence.reference.column(s.name), evidence.generated.column(s.name)
        constant = bool(np.ptp(np.concatenate([real, new])) == 0)
        figure = histogram(s.name, real, new)
        made.append(Panel(s, STATISTICS[s.name].definition, figure, constant))
    return made


def validity_figure(evaluation: Evaluation) -> Figure:
    """What is known about feasibility."""
    v = evaluation.validity
    return shares(
        "What is known about feasibility",
        [
            Part("feasible", v.feasible, "good"),
            Part("unknown", v.unknown, "unknown"),
            Part("unbounded", v.unbounded, "odd"),
            Part("infeasible", v.infeasible, "bad"),
        ],
    )


def nearest_figure(evaluation: Evaluation) -> Figure | None:
    """Distance to the nearest real instance, against that among real ones."""
    real = evaluation.evidence.real_distance
    if real is None:
        return None
    made = evaluation.evidence.nearest_distance
    return histogram("the distance to the nearest real instance", real, made)


def _with_interval(value: float, ends: tuple[float, float]) -> str:
    return f"{score(value)} ({score(ends[0])} to {score(ends[1])})"


def _around_one(marks: Sequence[Mark]) -> tuple[float, float]:
    """A logarithmic axis that holds all marks and 1."""
    low = min(0.8, *(mark.low for mark in marks)) / 1.1
    high = max(1.25, *(mark.high for mark in marks)) * 1.1
    return max(low, SMALLEST_RATIO), min(high, LARGEST_RATIO)
