"""Contrasts are legal exchanges of hidden entries of one bucket, and hide what they say."""

from __future__ import annotations

import numpy as np
import pytest
from tests.models.contrast.planted import halves

from g2milp.graph.features import build_graph
from g2milp.models.contrast.hiding import HIDDEN_SHARE, hide, look, make_contrasts
from g2milp.models.contrast.typed import Typing, one_bucket
from g2milp.problems.registry import make


def pairs_of(milp) -> set[tuple[int, int]]:
    return set(zip(milp.entry_rows.tolist(), milp.indices.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(4))
def test_contrasts_are_legal_exchanges_of_one_bucket(seed: int) -> None:
    milps = [halves(seed), make("setcover", seed=seed, n_rows=20, n_cols=30, density=0.2)]
    rng = np.random.default_rng(seed)
    typings = [
        Typing(
            rng.integers(0, 3, m.n_nonzeros).astype(np.int32),
            np.zeros(m.n_rows, np.int32),
        )
        for m in milps
    ]
    found = make_contrasts(
        [build_graph(m) for m in milps], typings, 60, np.random.default_rng(seed), count_shared=True
    )
    rows, cols = found.rows.numpy(), found.cols.numpy()
    assert rows.shape[1] > 0
    np.testing.assert_allclose(found.share.sum(), 1.0, rtol=1e-5)
    second = milps[0].n_rows
    visible = found.view.visible
    seen = set(zip(visible.by_row.targets.tolist(), visible.by_row.indices.tolist(), strict=True))
    for p in range(rows.shape[1]):
        k = int(rows[0, p] >= second)
        shift = np.array([second, milps[0].n_cols]) * k
        real = pairs_of(milps[k])
        (r, c), (s, d), *exchanged = (
            (int(rows[q, p]) - shift[0], int(cols[q, p]) - shift[1]) for q in range(4)
        )
        assert exchanged == [(r, d), (s, c)]
        assert {(r, c), (s, d)} <= real
        assert not real & set(exchanged)
        assert not seen & {(rows[q, p], cols[q, p]) for q in range(4)}
        bucket = dict(zip(sorted(real), typings[k].bucket.tolist(), strict=True))
        assert bucket[r, c] == bucket[s, d]


def test_a_view_counts_what_is_hidden_and_what_there_is() -> None:
    milp = make("setcover", seed=0, n_rows=20, n_cols=30, density=0.2)
    graph, rows = build_graph(milp), np.arange(5, 15)
    hidden = hide(graph, rows, np.random.default_rng(0))
    assert set(milp.entry_rows[hidden].tolist()) <= set(rows.tolist())
    share = hidden.size / milp.row_degrees[rows].sum()
    assert abs(share - HIDDEN_SHARE) < 0.12
    view = look([graph], [hidden])
    lost = np.bincount(milp.entry_rows[hidden], minlength=20)
    counts = np.expm1(view.row_counts.numpy())
    np.testing.assert_allclose(counts, np.stack([lost, milp.row_degrees], axis=1), atol=1e-4)


def test_dense_and_empty_instances_have_no_contrasts() -> None:
    full = make("mik", seed=0, n_integers=6, n_continuous=1, n_knapsacks=2)
    found = make_contrasts(
        [build_graph(full)], [one_bucket(full)], 1, np.random.default_rng(0), count_shared=False
    )
    assert found.share.numel() == found.rows.shape[1]
