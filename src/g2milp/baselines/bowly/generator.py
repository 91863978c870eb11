"""`Bowly`: every controllable parameter is set from the training set, as in the paper's comparison.

Sizes and density are those of a random training instance; mean and spread of the coefficients, the
share of integer columns and the attachment of rows and columns are the training set's. Two forms:

* ``as published``: x ≥ 0 without upper bounds, real coefficients. On sets whose coefficients are
  widely spread (mixed-integer knapsacks) the numbers get unreadably long, which is what the paper
  reports.
* ``integer_valued=True``: integer coefficients, an integer planted point and finite bounds like the
  training set's, so that the planted point is also the optimum of the integer program.

``search="nodes:500"`` then walks from each program to neighbours that are planted too, towards a
wanted statistic or hardness (`targets` lists them), `steps` steps far.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from g2milp.baselines.bowly.encoding import ALPHA_GRID, Encoded, coefficient_grid, on_grid
from g2milp.baselines.bowly.pattern import degree_sequence, pattern
from g2milp.baselines.bowly.search import search
from g2milp.baselines.bowly.targets import Target, measure_of
from g2milp.errors import DamagedArtifact, UsageError
from g2milp.generation.contract import Draft, Generator, Redrawn, SampleOptions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset
    from g2milp.instance.milp import Milp


@dataclass(frozen=True, kw_only=True)
class BowlyParameters:
    """What is controlled besides the size; names and laws are Bowly's.

    `basis_split` is the share of basic columns, `violations` the share of planted values that are
    made fractional, by a Beta(`beta`, `beta`) variate. Where the training set says nothing (basis,
    beta) the middle of the ranges of his scripts is taken; `violations` is a setting.
    """

    coefficient_mean: float
    coefficient_std: float
    row_attachment: float
    col_attachment: float
    integer_share: float
    basis_split: float = 0.5
    violations: float = 0.0
    beta: float = 1.0
    typical_upper: float = 1.0


class Bowly(Generator):
    """Bowly (2019): programs with a planted optimum, made from statistics alone.

    The template gives its size and density only; nothing of it is copied, whatever the mask ratio.

    Parameters
    ----------
    integer_valued
        Integer coefficients, an integer planted point, finite bounds.
    violations
        Share of planted values that are fractional. The paper does not name it; its programs are
        solved at the root in hundredths of a second, as ours are without any. Half of them, the
        middle of Bowly's scripts, leaves programs of set-cover size open after 30 s.
    search
        ``NAME``, ``NAME:NUMBER`` or ``NAME:max``: walk towards this statistic or effort.
    steps
        Steps of the search, each the best of four neighbours.
    """

    kind: ClassVar[str] = "bowly"
    edits_templates: ClassVar[bool] = False

    def __init__(
        self,
        *,
        mask_ratio: float = 0.1,
        seed: int = 0,
        integer_valued: bool = False,
        violations: float = 0.0,
        search: str = "",
        steps: int = 50,
    ) -> None:
        super().__init__(mask_ratio=mask_ratio, seed=seed)
        if not 0.0 <= violations <= 1.0:
            raise UsageError(f"violations is a share in 0..1, not {violations}")
        if search:
            measure_of(search.partition(":")[0])
        if steps < 0:
            raise UsageError(f"steps must not be negative, but is {steps}")
        self.integer_valued = integer_valued
        self.violations = violations
        self.search = search
        self.steps = steps
        self.parameters_: BowlyParameters | None = None
        self.target_: Target | None = None

    def _fit(self, data: Dataset, **how: Any) -> None:
        if how:
            raise UsageError(f"bowly learns without options, not with {', '.join(sorted(how))}")
        milps = list(data)
        self.parameters_ = replace(parameters_of(milps), violations=self.violations)
        self.target_ = Target.parse(self.search, milps) if self.search else None

    def _redraw(self, drafts: Sequence[Draft], options: SampleOptions) -> list[Redrawn]:
        assert self.parameters_ is not None
        redrawn = []
        for draft in drafts:
            encoded = sample_encoded(
                draft.template, self.parameters_, draft.rng, integer_valued=self.integer_valued
            )
            notes: dict[str, Any] = {}
            if self.target_ is not None:
                found = search(
                    encoded,
                    self.target_.of,
                    target=self.target_.value,
                    steps=self.steps,
                    rng=draft.rng,
                )
                encoded = found.encoded
                notes["search"] = {
                    **self.target_.to_dict(),
                    "start": found.values[0],
                    "found": found.values[-1],
                }
            milp = encoded.decode(f"bowly-{draft.number:05d}")
            notes["planted_relaxation_optimum"] = float(milp.objective @ encoded.x)
            redrawn.append(Redrawn(whole=milp, notes=notes))
        return redrawn

    def _state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        assert self.parameters_ is not None
        return {}, {
            "integer_valued": self.integer_valued,
            "search": self.search,
            "steps": self.steps,
            "target": self.target_.to_dict() if self.target_ else None,
            "parameters": asdict(self.parameters_),
        }

    @classmethod
    def _from_state(cls, arrays: dict[str, NDArray[Any]], values: dict[str, Any]) -> Self:
        names = {f.name for f in fields(BowlyParameters)}
        given = values.get("parameters")
        if not isinstance(given, dict) or set(given) != names:
            raise DamagedArtifact("bowly", "not the parameters of a Bowly generator")
        if not all(isinstance(v, (int, float)) and np.isfinite(v) for v in given.values()):
            raise DamagedArtifact("bowly", "a parameter is not a finite number")
        try:
            generator = cls(
                integer_valued=bool(values["integer_valued"]),
                violations=float(given["violations"]),
                search=str(values["search"]),
                steps=int(values["steps"]),
            )
        except (KeyError, TypeError, ValueError, UsageError) as error:
            raise DamagedArtifact(
                "bowly", f"not the state of a Bowly generator ({error})"
            ) from error
        generator.parameters_ = BowlyParameters(**given)
        if generator.search:
            generator.target_ = Target.from_dict(values.get("target"))
        return generator


def parameters_of(milps: Sequence[Milp]) -> BowlyParameters:
    """Bowly's parameters that match the statistics of a training set."""
    coefficients = np.concatenate([m.values for m in milps])
    integers = sum(int(m.is_integer.sum()) for m in milps)
    columns = sum(m.n_cols for m in milps)
    uppers = np.concatenate([m.col_upper for m in milps])
    finite = uppers[np.isfinite(uppers) & (uppers >= 1)]
    return BowlyParameters(
        coefficient_mean=float(coefficients.mean()) if coefficients.size else 1.0,
        coefficient_std=_spread(coefficients),
        row_attachment=_attachment([m.row_degrees for m in milps]),
        col_attachment=_attachment([m.col_degrees for m in milps]),
        integer_share=integers / max(columns, 1),
        typical_upper=float(np.median(finite)) if finite.size else 1.0,
    )


def _spread(values: NDArray[np.float64]) -> float:
    """Standard deviation, by scaled numbers where squares overflow (from 1e154 on)."""
    if not values.size:
        return 0.0
    with np.errstate(over="ignore"):
        plain = float(values.std())
    largest = float(np.abs(values).max())
    return plain if np.isfinite(plain) else largest * float((values / largest).std())


def _attachment(degrees: Sequence[NDArray[np.int64]]) -> float:
    """The attachment p whose degrees would be about as spread as these.

    Uniform popularity (p = 0) gives a coefficient of variation of 1/√3 beside Poisson noise, full
    preferential attachment (p = 1) one of about 1; the share in between is interpolated.
    """
    spread = []
    for d in degrees:
        mean = float(d.mean()) if d.size else 0.0
        if mean > 0:
            spread.append(np.sqrt(max(float(d.var()) - mean, 0.0)) / mean)
    value = float(np.mean(spread)) if spread else 0.0
    low = 1.0 / np.sqrt(3.0)
    return float(np.clip((value - low) / (1.0 - low), 0.0, 1.0))


def sample_encoded(
    template: Milp,
    parameters: BowlyParameters,
    rng: np.random.Generator,
    *,
    integer_valued: bool = False,
) -> Encoded:
    """One planted program of the size and density of `template`."""
    m, n = template.n_rows, template.n_cols
    if not m or not n:
        raise UsageError("Bowly's generator needs at least one row and one column")
    n_edges = max(template.n_nonzeros, 1)
    rows, cols = pattern(
        degree_sequence(m, n_edges, parameters.row_attachment, n, rng),
        degree_sequence(n, n_edges, parameters.col_attachment, m, rng),
        rng,
    )
    values = rng.normal(parameters.coefficient_mean, parameters.coefficient_std, rows.size)
    basic = _basis(m, n, parameters.basis_split, rng)
    alpha = _alpha(m, n, parameters, rng, integer_valued=integer_valued)
    integer = rng.permutation(n) < round(parameters.integer_share * n)
    upper = np.full(n, np.inf)
    bound_dual = np.zeros(n)
    if integer_valued:
        values = np.where(np.round(values) == 0, 1.0, np.round(values))
        upper = np.maximum(np.full(n, np.ceil(parameters.typical_upper)), 1.0)
        alpha[:n] = np.where(basic[:n], np.minimum(alpha[:n], upper), alpha[:n])
        at_upper = basic[:n] & (alpha[:n] == upper)
        bound_dual = np.where(at_upper, np.ceil(rng.lognormal(size=n)), 0.0)
    grid = coefficient_grid(rows, cols, values, alpha, m, n)
    values = on_grid(values, grid)  # integers are on every grid up to 1
    values[values == 0] = grid
    return Encoded(
        n_rows=m,
        n_cols=n,
        rows=rows,
        cols=cols,
        values=values,
        alpha=alpha,
        basic=basic,
        integer=integer,
        upper=upper,
        bound_dual=bound_dual,
    )


def _basis(m: int, n: int, split: float, rng: np.random.Generator) -> NDArray[np.bool_]:
    """β: round(split·min(n, m)) basic columns, and slacks up to m."""
    k = round(split * min(n, m))
    columns = rng.permutation(n) < k
    slacks = rng.permutation(m) < m - k
    return np.concatenate([columns, slacks])


def _alpha(
    m: int,
    n: int,
    parameters: BowlyParameters,
    rng: np.random.Generator,
    *,
    integer_valued: bool,
) -> NDArray[np.float64]:
    """α: ⌈LogNormal⌉ for columns, some made fractional by a Beta variate; LogNormal for rows."""
    of_cols = np.ceil(rng.lognormal(size=n))
    fraction = rng.beta(parameters.beta, parameters.beta, size=n)
    fractional = rng.permutation(n) < round(parameters.violations * n)
    of_rows = rng.lognormal(size=m)
    if integer_valued:
        return np.concatenate([of_cols, np.ceil(of_rows)])
    of_cols = np.where(fractional, np.maximum(of_cols - fraction, ALPHA_GRID), of_cols)
    return np.maximum(on_grid(np.concatenate([of_cols, of_rows]), ALPHA_GRID), ALPHA_GRID)
