"""Hardness of generated instances against that of the reference, measure by measure.

The main figure is the ratio of shifted geometric means, paired by template:

    log ratio = mean over pairs of log((effort(generated) + s) / (effort(template) + s))

with a 95 % interval from drawing templates again. Without known templates both sets are drawn
independently. Beside it stand what the paper reports (means and their relative error), medians,
distances of the distributions, and the log-rank test, which knows about solves that were cut off.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.hardness.records import MEASURES, efforts, main_configurations
from g2milp.evaluation.hardness.survival import horizon, log_rank, median, restricted_mean

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.evaluation.hardness.records import Efforts, Measure, Solve

    Floats = NDArray[np.float64]

SHIFT: dict[str, float] = {
    "work": 100.0,
    "nodes": 10.0,
    "lp_iterations": 100.0,
    "seconds": 0.1,
    "root_gap": 0.01,
}
GUROBI_WORK_SHIFT = 0.1
"""Gurobi's work units are about a second, those of the others are simplex iterations."""

REPLICATES = 1000


@dataclass(frozen=True)
class Summary:
    """Effort of one set.

    `mean` is the restricted mean up to the horizon that both sets are observed for; `median` is
    None where more than half of the solves were cut off.
    """

    instances: int
    mean: float
    deviation: float
    median: float | None
    shifted_geometric_mean: float
    censored: float


@dataclass(frozen=True)
class HardnessComparison:
    """One measure of one solver, reference against generated.

    Attributes
    ----------
    relative_error
        |mean generated − mean reference| / mean reference, as in the paper's tables.
    ratio, interval
        Ratio of shifted geometric means, and its 95 % interval.
    pairs
        Generated instances whose template has an effort; 0: the ratio is not paired.
    distribution_distance
        Kolmogorov–Smirnov distance of the efforts.
    p_value
        Log-rank test of equal distributions.
    horizon
        Where means are cut off; None without censored solves.
    """

    solver: str
    solver_version: str
    measure: Measure
    shift: float
    reference: Summary
    generated: Summary
    relative_error: float | None
    ratio: float
    interval: tuple[float, float]
    pairs: int
    distribution_distance: float
    p_value: float
    horizon: float | None


def compare_hardness(
    solves: Sequence[Solve],
    reference: Sequence[str],
    generated: Sequence[str],
    parents: Sequence[int],
    *,
    seed: int = 0,
) -> tuple[HardnessComparison, ...]:
    """Compare two sets, given by content hashes; `parents` are indices into the reference."""
    found = []
    for configuration in main_configurations(solves, [*reference, *generated]):
        mine = [solve for solve in solves if solve.configuration == configuration]
        for measure in MEASURES:
            x, y = efforts(mine, reference, measure), efforts(mine, generated, measure)
            if x.values.size and y.values.size:
                rng = np.random.default_rng([seed, 11])
                found.append(_compare(configuration, measure, x, y, parents, rng))
    return tuple(found)


def _compare(
    configuration: tuple[str, str, str],
    measure: Measure,
    x: Efforts,
    y: Efforts,
    parents: Sequence[int],
    rng: np.random.Generator,
) -> HardnessComparison:
    solver, version, _ = configuration
    shift = GUROBI_WORK_SHIFT if (solver, measure) == ("gurobi", "work") else SHIFT[measure]
    end = horizon(x.values, x.censored, y.values, y.censored)
    cut = end if math.isfinite(end) else float(max(x.values.max(), y.values.max()))
    reference, generated = _summary(x, cut, shift), _summary(y, cut, shift)
    log_x, log_y = np.log(x.values + shift), np.log(y.values + shift)
    place = {int(i): k for k, i in enumerate(x.index)}
    pairs = [(k, place[parents[i]]) for k, i in enumerate(y.index) if parents[int(i)] in place]
    if pairs:
        ratio, interval = _paired(log_x, log_y, np.array(pairs), rng)
    else:
        ratio, interval = _unpaired(log_x, log_y, rng)
    return HardnessComparison(
        solver=solver,
        solver_version=version,
        measure=measure,
        shift=shift,
        reference=reference,
        generated=generated,
        relative_error=(
            abs(generated.mean - reference.mean) / reference.mean if reference.mean > 0 else None
        ),
        ratio=ratio,
        interval=interval,
        pairs=len(pairs),
        distribution_distance=_kolmogorov_smirnov(x.values, y.values),
        p_value=log_rank(x.values, x.censored, y.values, y.censored),
        horizon=end if math.isfinite(end) else None,
    )


def _summary(efforts: Efforts, cut: float, shift: float) -> Summary:
    values, censored = efforts.values, efforts.censored
    return Summary(
        instances=int(values.size),
        mean=restricted_mean(values, censored, cut) if cut > 0 else 0.0,
        deviation=float(np.minimum(values, cut).std()),
        median=median(values, censored),
        shifted_geometric_mean=float(np.exp(np.log(values + shift).mean()) - shift),
        censored=float(censored.mean()),
    )


def _paired(
    log_x: Floats, log_y: Floats, pairs: NDArray[np.int64], rng: np.random.Generator
) -> tuple[float, tuple[float, float]]:
    """Templates are drawn with all their children."""
    gain = log_y[pairs[:, 0]] - log_x[pairs[:, 1]]
    _, family = np.unique(pairs[:, 1], return_inverse=True)
    size = np.bincount(family).astype(np.float64)
    total = np.bincount(family, gain)
    drawn = rng.multinomial(size.size, np.full(size.size, 1 / size.size), size=REPLICATES)
    means = (drawn @ total) / (drawn @ size)
    return _exp(float(gain.mean()), means)


def _unpaired(
    log_x: Floats, log_y: Floats, rng: np.random.Generator
) -> tuple[float, tuple[float, float]]:
    drawn = [
        rng.multinomial(v.size, np.full(v.size, 1 / v.size), size=REPLICATES) @ v / v.size
        for v in (log_x, log_y)
    ]
    return _exp(float(log_y.mean() - log_x.mean()), drawn[1] - drawn[0])


def _exp(value: float, replicates: Floats) -> tuple[float, tuple[float, float]]:
    low, high = np.quantile(replicates, [0.025, 0.975])
    return math.exp(value), (math.exp(float(low)), math.exp(float(high)))


def _kolmogorov_smirnov(x: Floats, y: Floats) -> float:
    at = np.concatenate([x, y])
    f = np.searchsorted(np.sort(x), at, "right") / x.size
    g = np.searchsorted(np.sort(y), at, "right") / y.size
    return float(np.abs(f - g).max())
