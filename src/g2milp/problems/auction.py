r"""Combinatorial auctions: winner determination with the "arbitrary" scheme of Leyton-Brown et al.

    max  \sum_b p_b x_b   subject to   \sum_{b \ni i} x_b \le 1 for every item i,   x binary

Winner determination for bids on bundles of items (Leyton-Brown, Pearson and Shoham 2000, "arbitrary
relationships"), with the parameters of Gasse et al. (2019). Items have common values; a bidder has
private values around them, grows a first bundle by interest and compatibility, and adds substitute
bundles of the same size. At most one of the bids of a bidder may win: they share a dummy item,
which is a row of its own. As in the data of Gasse et al., a bidder with only two bids gets none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from g2milp.errors import UsageError
from g2milp.instance.milp import Kind, Milp
from g2milp.problems.parameters import Parameters

if TYPE_CHECKING:
    from numpy.typing import NDArray

Bundle = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class AuctionParameters(Parameters):
    """Sizes, and the constants of the scheme under their published names."""

    n_items: int = 100
    n_bids: int = 500
    min_value: float = 1.0
    max_value: float = 100.0
    value_deviation: float = 0.5
    add_item_prob: float = 0.65
    max_n_sub_bids: int = 5
    additivity: float = 0.2
    budget_factor: float = 1.5
    resale_factor: float = 0.5

    RANGES: ClassVar[dict[str, tuple[float, float]]] = {
        "n_items": (2, 10**4),
        "n_bids": (1, 10**6),
        "min_value": (0, 10**9),
        "max_value": (0, 10**9),
        "value_deviation": (0, 1),
        "add_item_prob": (0, 1),
        "max_n_sub_bids": (0, 10**3),
        "additivity": (0, 5),
        "budget_factor": (0, 10**3),
        "resale_factor": (0, 10**3),
    }

    def check(self) -> None:
        """Values need room between their ends, and small auctions have few different bundles."""
        if self.max_value < self.min_value or self.max_value == 0:
            raise UsageError(
                f"max_value {self.max_value:g} must be positive and not below min_value "
                f"{self.min_value:g}"
            )


PARAMETERS = AuctionParameters


@dataclass(frozen=True)
class _Market:
    """What all bidders share: item values and how well items go together."""

    values: NDArray[np.float64]
    compatibility: NDArray[np.float64]


def make(parameters: AuctionParameters, rng: np.random.Generator) -> Milp:
    """Draw one instance; bidders come until there are enough bids."""
    n_items = parameters.n_items
    upper = np.triu(rng.random((n_items, n_items)), k=1)
    both = upper + upper.T
    market = _Market(
        rng.uniform(parameters.min_value, parameters.max_value, size=n_items),
        both / both.sum(axis=1, keepdims=True),
    )
    bundles: list[Bundle] = []
    prices: list[float] = []
    dummies = 0
    while len(bundles) < parameters.n_bids:
        bids = _bidder(parameters, market, rng)
        if len(bids) > parameters.n_bids - len(bundles):
            bids = dict(list(bids.items())[: parameters.n_bids - len(bundles)])
        exclusive: Bundle = (n_items + dummies,) if len(bids) > 2 else ()
        dummies += len(exclusive)
        bundles += [bundle + exclusive for bundle in bids]
        prices += bids.values()
    return _winner_determination(parameters, bundles, prices)


def _bidder(
    parameters: AuctionParameters, market: _Market, rng: np.random.Generator
) -> dict[Bundle, float]:
    """The bids of one bidder: a first bundle, then its best substitutes."""
    interests = rng.random(parameters.n_items)
    private = market.values + parameters.max_value * parameters.value_deviation * (
        2 * interests - 1
    )

    def price_of(bundle: Bundle) -> float:
        synergy = float(len(bundle)) ** (1 + parameters.additivity)
        return float(private[list(bundle)].sum() + synergy)

    size = 1
    while size < parameters.n_items and rng.random() < parameters.add_item_prob:
        size += 1
    first = _grown(_pick(interests, rng), size, interests, market, rng)
    price = price_of(first)
    if price < 0:
        return {}
    bids = {first: price}
    budget = parameters.budget_factor * price
    resale = parameters.resale_factor * float(market.values[list(first)].sum())
    substitutes = [_grown(item, size, interests, market, rng) for item in first]
    for bundle in sorted(substitutes, key=lambda bundle: (-price_of(bundle), bundle)):
        if len(bids) > parameters.max_n_sub_bids:
            break
        cost = price_of(bundle)
        worth = float(market.values[list(bundle)].sum())
        if 0 <= cost <= budget and worth >= resale and bundle not in bids:
            bids[bundle] = cost
    return bids


def _grown(
    start: int,
    size: int,
    interests: NDArray[np.float64],
    market: _Market,
    rng: np.random.Generator,
) -> Bundle:
    """A bundle of `size` items: each next one by interest times mean compatibility."""
    bundle = [start]
    affinity = market.compatibility[start].copy()
    left = interests.copy()
    left[start] = 0.0
    while len(bundle) < size:
        item = _pick(left * affinity, rng)
        bundle.append(item)
        affinity += market.compatibility[item]
        left[item] = 0.0
    return tuple(sorted(bundle))


def _pick(weights: NDArray[np.float64], rng: np.random.Generator) -> int:
    """An index with probability proportional to its weight."""
    totals = np.cumsum(weights)
    return int(np.searchsorted(totals, rng.random() * totals[-1], side="right"))


def _winner_determination(
    parameters: AuctionParameters, bundles: list[Bundle], prices: list[float]
) -> Milp:
    """A row for each item (or dummy item) that is in a bid, a column for each bid."""
    lengths = [len(bundle) for bundle in bundles]
    bids = np.repeat(np.arange(len(bundles)), lengths)
    items = np.array([item for bundle in bundles for item in bundle], dtype=np.int64)
    used, rows = np.unique(items, return_inverse=True)
    order = np.lexsort((bids, rows))
    n_items = parameters.n_items
    return Milp.build(
        name=f"auction-{n_items}-{parameters.n_bids}",
        sense="max",
        objective=prices,
        objective_name="revenue",
        indptr=np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=used.size))]),
        indices=bids[order],
        values=np.ones(bids.size),
        row_lower=np.full(used.size, -np.inf),
        row_upper=np.ones(used.size),
        col_upper=np.ones(len(bundles)),
        kinds=np.full(len(bundles), Kind.INTEGER),
        row_names=[f"item_{i}" if i < n_items else f"bidder_{i - n_items}" for i in used.tolist()],
        col_names=[f"bid_{b}" for b in range(len(bundles))],
    )
