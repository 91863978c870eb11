"""What people bring: empty, odd and extreme sets. It trains, or says why not."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from g2milp.datasets.dataset import Dataset
from g2milp.errors import UsageError
from g2milp.graph.features import build_graph
from g2milp.instance.milp import Milp
from g2milp.models.masked_vae.refill import refill
from g2milp.training.fit import fit

INF = np.inf


def instance(rows: list[list[tuple[int, float]]], n_cols: int, **fields) -> Milp:
    content = {
        "objective": np.arange(n_cols, dtype=float),
        "indptr": np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(int),
        "indices": [j for row in rows for j, _ in row],
        "values": [a for row in rows for _, a in row],
        "row_lower": np.full(len(rows), -INF),
        "row_upper": np.arange(1.0, len(rows) + 1),
    }
    return Milp.build(**{**content, **fields})


def dense(m: int, n: int, scale: float = 1.0, **fields) -> Milp:
    rng = np.random.default_rng(m * 100 + n)
    return instance(
        [[(j, float(rng.integers(1, 9)) * scale) for j in range(n)] for _ in range(m)], n, **fields
    )


TRAINABLE = {
    "one instance": [dense(4, 5)],
    "one row": [instance([[(0, 1.0), (1, 2.0)]], 2)],
    "one entry": [instance([[(0, 1.0)]], 1)],
    "rows without entries": [instance([[], [(0, 1.0)], []], 3)],
    "constant coefficients": [instance([[(0, 2.0), (2, 2.0)], [(1, 2.0)]], 3)],
    "full rows": [dense(3, 4)],
    "infinite bounds": [dense(3, 4, col_lower=np.full(4, -INF), col_upper=np.full(4, INF))],
    "coefficients of 1e15": [dense(4, 5, 1e15), dense(3, 4, 1e-15)],
    "sides of 1e300": [dense(2, 3, row_upper=[1e300, -1e300])],
    "mixed sizes": [dense(1, 1), dense(20, 3), dense(2, 30)],
    "equalities and ranges": [dense(3, 4, row_lower=[1, 0, -INF], row_upper=[1, 5, INF])],
    "fractions below one": [dense(4, 5, 0.01)],
}


@pytest.mark.parametrize("scope", ["rows", "cols", "both"])
@pytest.mark.parametrize("name", TRAINABLE)
def test_it_trains_and_proposes_finite_numbers(name, scope, small_network) -> None:
    data = TRAINABLE[name]
    settings = {**small_network, "steps": 4, "masking.scope": scope}
    model = fit(Dataset.from_milps(data), None, "blocks", settings)
    for parameter in model.parameters():
        assert torch.isfinite(parameter).all()
    graphs = [build_graph(milp) for milp in data]
    rows = [np.flatnonzero(graph.maskable)[:1] for graph in graphs]
    cols = [np.arange(1) if scope != "rows" else np.empty(0, int) for _ in graphs]
    rngs = [np.random.default_rng(i) for i in range(len(data))]
    if scope == "cols":
        rows = [np.empty(0, int) for _ in graphs]
    for (row, col), graph in zip(refill(model, graphs, rows, cols, rngs), graphs, strict=True):
        assert np.isfinite(row.bias).all()
        assert np.all((row.degree >= 0) & (row.degree <= graph.n_cols))
        if row.bias.size:
            assert np.isfinite(row.logits(0)).all()
            assert np.isfinite(row.weights(0, np.arange(graph.n_cols))).all()
        assert (col is None) == (scope == "rows")


@pytest.mark.parametrize("name", TRAINABLE)
def test_the_judge_of_exchanges_takes_them_too(name, small_network) -> None:
    model = fit(Dataset.from_milps(TRAINABLE[name]), None, "best", {**small_network, "steps": 4})
    for parameter in model.parameters():
        assert torch.isfinite(parameter).all()


@pytest.mark.parametrize("preset", ["code-mis", "code-mik", "paper-mis"])
@pytest.mark.parametrize("name", [n for n in TRAINABLE if "1e300" not in n])
def test_published_presets_take_them_too(name, preset, small_network) -> None:
    settings = {**small_network, "steps": 2}
    fit(Dataset.from_milps(TRAINABLE[name]), None, preset, settings)


UNTRAINABLE = {
    "no rows": [instance([], 3)],
    "no entries": [instance([[], []], 3)],
    "only free rows": [dense(2, 3, row_upper=[INF, INF])],
}


@pytest.mark.parametrize("name", UNTRAINABLE)
def test_it_says_that_there_is_nothing_to_learn(name, small_network) -> None:
    with pytest.raises(UsageError, match="nothing to learn from"):
        fit(Dataset.from_milps(UNTRAINABLE[name]), None, "auto", small_network)


def test_an_empty_set_is_refused() -> None:
    with pytest.raises(UsageError, match="the data set is empty"):
        fit(Dataset.from_milps([]), None, "auto")


def test_instances_without_rows_among_others_are_passed_over(small_network) -> None:
    data = [*UNTRAINABLE["no rows"], dense(4, 5), *UNTRAINABLE["no entries"]]
    fit(Dataset.from_milps(data), None, "auto", {**small_network, "steps": 3})


@pytest.mark.parametrize("device", ["tpu", "cuda"])
def test_a_device_that_is_not_there_is_refused(tiny, device) -> None:
    if device == "cuda" and torch.cuda.is_available():
        pytest.skip("there is a CUDA device")
    with pytest.raises(Exception, match=device if device == "tpu" else "CUDA"):
        fit(tiny, None, "auto", {"steps": 1}, device=device)
