"""Proposals for masked rows and columns, in the terms of the instance."""

from __future__ import annotations

import numpy as np
import pytest

from g2milp.graph.features import build_graph
from g2milp.instance.milp import Milp
from g2milp.models.masked_vae.config import parse
from g2milp.models.masked_vae.embed import embed
from g2milp.models.masked_vae.model import MaskedVAE
from g2milp.models.masked_vae.refill import refill
from g2milp.models.masked_vae.statistics import gather

INF = np.inf
SMALL = {"hidden": 8, "embedding": 8, "latent": 4, "depth": 2}


def instance(seed: int, m: int = 5, n: int = 7) -> Milp:
    rng = np.random.default_rng(seed)
    present = rng.random((m, n)) < 0.5
    lower = np.where(np.arange(m) % 2, rng.integers(1, 4, m), -INF)
    upper = np.where(np.arange(m) % 2, INF, rng.integers(4, 9, m))
    return Milp.build(
        objective=rng.integers(1, 9, n),
        indptr=np.concatenate([[0], present.sum(1).cumsum()]),
        indices=np.nonzero(present)[1],
        values=rng.choice([1.0, 2.0, 5.0], int(present.sum())),
        row_lower=lower,
        row_upper=upper,
        kinds=rng.integers(0, 2, n),
    )


def model_for(milps, network, scope="rows", **masking) -> MaskedVAE:
    config = parse({"network": {**SMALL, **network}, "masking": {"scope": scope, **masking}})
    return MaskedVAE(config, gather([build_graph(m, config.network.row_form) for m in milps]))


BLOCKS = {"row_conditioning": True, "slots": True, "values": "levels", "scaling": "symlog"}
NONE = np.empty(0, np.int64)


def ask(model, milps, rows, cols=None, seed=0, **options):
    graphs = [build_graph(m, model.config.network.row_form) for m in milps]
    rngs = [np.random.default_rng([seed, i]) for i in range(len(milps))]
    return refill(model, graphs, rows, cols or [NONE] * len(milps), rngs, **options)


def test_what_a_graph_gets_does_not_depend_on_its_neighbours() -> None:
    milps = [instance(s) for s in range(3)]
    model = model_for(milps, BLOCKS)
    rows = [np.array([2, 0]), np.array([1]), np.array([4, 3, 1])]
    together = ask(model, milps, rows)
    graphs = [build_graph(m) for m in milps]
    for index in range(3):
        rng = np.random.default_rng([0, index])
        alone, _ = refill(model, [graphs[index]], [rows[index]], [NONE], [rng])[0]
        joint = together[index][0]
        assert np.array_equal(alone.bias, joint.bias)
        assert np.array_equal(alone.degree, joint.degree)
        np.testing.assert_allclose(alone.logits(0), joint.logits(0), rtol=1e-4, atol=1e-5)


def test_the_order_of_the_asked_rows_is_kept() -> None:
    milp = instance(0)
    model = model_for([milp], {**BLOCKS, "values": "range"})
    ahead, _ = ask(model, [milp], [np.array([0, 3])])[0]
    back, _ = ask(model, [milp], [np.array([3, 0])])[0]
    np.testing.assert_allclose(ahead.bias, back.bias[::-1])
    np.testing.assert_allclose(ahead.logits(0), back.logits(1), rtol=1e-5)
    assert not np.allclose(ahead.logits(0), ahead.logits(1))


def test_numbers_are_levels_or_lie_in_the_range_of_the_data() -> None:
    milps = [instance(s) for s in range(4)]
    rows = [np.arange(m.n_rows) for m in milps]
    for values in ("levels", "range"):
        model = model_for(milps, {**BLOCKS, "values": values})
        known = model.statistics
        for (row, _), milp in zip(ask(model, milps, rows), milps, strict=True):
            drawn = row.weights(0, np.arange(milp.n_cols), np.random.default_rng(0))
            assert np.all((row.bias >= known.bias.low) & (row.bias <= known.bias.high))
            assert np.array_equal(row.bias, np.rint(row.bias))
            if values == "levels":
                assert set(drawn) <= set(known.weights.levels)
                assert set(row.degree) <= set(known.degree.levels)


def test_canonical_lower_sides_come_back_in_the_sign_of_the_instance() -> None:
    """All lower-side rows have positive entries and sides: so must the proposals be."""
    milps = [instance(s) for s in range(4)]
    model = model_for(milps, {"row_form": "canonical", "message": "paper"})
    seen = []
    for (row, _), milp in zip(ask(model, milps, [np.array([1, 0])] * 4), milps, strict=True):
        for place, i in enumerate((1, 0)):
            graph = build_graph(milp, "canonical")
            sign = -1 if graph.negated[i] else 1
            known = model.statistics.weights
            weights = sign * row.weights(place, np.arange(milp.n_cols))
            assert np.all((weights >= known.low) & (weights <= known.high))
            seen.append(sign)
    assert set(seen) == {1, -1}


def test_the_same_generator_gives_the_same_and_another_something_else() -> None:
    milp = instance(1)
    model = model_for([milp], BLOCKS)
    first, second, other = (
        ask(model, [milp], [np.array([0])], seed=seed)[0][0].logits(0) for seed in (0, 0, 1)
    )
    assert np.array_equal(first, second)
    assert not np.array_equal(first, other)


@pytest.mark.parametrize("bounds", [False, True])
def test_columns_get_objective_type_and_bounds(bounds) -> None:
    milps = [instance(s) for s in range(3)]
    model = model_for(milps, BLOCKS, "both", bounds=bounds)
    cols = [np.array([4, 1, 2])] * 3
    for _, col in ask(model, milps, [NONE] * 3, cols):
        assert col.objective.shape == (3,)
        assert col.type_scores.shape == (3, 4)
        if not bounds:
            assert col.lower is None
            assert col.upper is None
        else:
            assert np.all(col.lower <= col.upper)


def test_embeddings_do_not_depend_on_the_batch() -> None:
    milps = [instance(s, 4 + s) for s in range(3)]
    model = model_for(milps, BLOCKS)
    together = embed(model, milps)
    assert together.shape == (3, 8)
    for place, milp in enumerate(milps):
        np.testing.assert_allclose(embed(model, [milp])[0], together[place], rtol=1e-4, atol=1e-6)
    assert embed(model, []).shape == (0, 8)
