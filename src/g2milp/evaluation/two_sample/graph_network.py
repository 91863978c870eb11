"""The second classifier: a graph network that sees instances themselves, not statistics of them.

It is trained to tell generated from real in folds by template, as the other classifier, and can
find what no statistic counts. A pure copy has an AUC of 0.5 here, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.two_sample.classifier import FOLDS, auc_with_interval, folds_of, ranks

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset
    from g2milp.graph.bipartite import Bipartite

    Floats = NDArray[np.float64]

MOST_INSTANCES = 100
"""Of each side; of larger sets a random part is judged."""
MOST_EDGES = 400_000
"""Non-zeros of all instances that are judged together: bounds the time (minutes on one core)."""
BATCH_EDGES = 60_000
"""Non-zeros of one step, and at most `BATCH` graphs."""
BATCH = 16
EPOCHS = 20
RATE = 5e-3
WIDTH, DEPTH = 16, 2


@dataclass(frozen=True)
class NetworkTest:
    """Result of the test; `power` is the AUC of the same network on Random at η = 0.1."""

    auc: float
    interval: tuple[float, float]
    folds: int
    reference: int
    generated: int
    power: float | None


def network_test(
    reference: Dataset,
    generated: Dataset,
    reference_groups: Sequence[str],
    generated_groups: Sequence[str],
    *,
    power: float | None = None,
    seed: int = 0,
) -> NetworkTest | None:
    """Cross-validate the network; None with fewer than `FOLDS` groups on a side."""
    rng = np.random.default_rng([seed, 14])
    sides = [
        _chosen(data, names, rng)
        for data, names in ((reference, reference_groups), (generated, generated_groups))
    ]
    if min(len(set(names)) for _, names in sides) < FOLDS:
        return None
    graphs = [graph for found, _ in sides for graph in found]
    label = np.arange(len(graphs)) >= len(sides[0][0])
    groups = np.unique([name for _, names in sides for name in names], return_inverse=True)[1]
    fold = folds_of(groups, rng)
    scores = np.zeros(len(graphs))
    for number in range(FOLDS):
        held = fold == number
        if label[held].all() or not label[held].any():
            continue
        found = _train_and_score(graphs, label, held, seed + number)
        scores[held] = ranks(found) / max(1, int(held.sum()))
    auc, interval = auc_with_interval(scores, label, groups, rng)
    return NetworkTest(auc, interval, FOLDS, len(sides[0][0]), len(sides[1][0]), power)


def _chosen(
    data: Dataset, names: Sequence[str], rng: np.random.Generator
) -> tuple[list[Bipartite], list[str]]:
    """Graphs of a random part, as many as the bounds allow, and their groups."""
    from g2milp.graph.features import build_graph

    graphs: list[Bipartite] = []
    groups: list[str] = []
    edges = 0
    for i in rng.permutation(len(data))[:MOST_INSTANCES]:
        graph = build_graph(data[int(i)], "rows")
        edges += graph.n_edges
        if edges > MOST_EDGES / 2 and len(graphs) >= 2 * FOLDS:
            break
        graphs.append(graph)
        groups.append(names[int(i)])
    return graphs, groups


def _train_and_score(
    graphs: Sequence[Bipartite], label: NDArray[np.bool_], held: NDArray[np.bool_], seed: int
) -> Floats:
    """Scores of the held-out graphs by a network that was trained on the others."""
    import torch
    from torch.nn import functional

    from g2milp.graph.bipartite import collate
    from g2milp.models.classifier.network import GraphClassifier

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # sums then have one order
    try:
        rng = np.random.default_rng([seed, 15])
        model = GraphClassifier(WIDTH, DEPTH, seed)
        train, test = np.flatnonzero(~held), np.flatnonzero(held)
        optimiser = torch.optim.Adam(model.parameters(), lr=RATE, weight_decay=1e-4)
        steps = EPOCHS * len(list(_batches(graphs, train)))
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=2 * steps + 9)
        rarer = float((~label[train]).sum() / max(1, label[train].sum()))
        model.settle(collate([graphs[i] for i in next(_batches(graphs, rng.permutation(train)))]))
        for _ in range(EPOCHS):
            for batch in _batches(graphs, rng.permutation(train)):
                wanted = torch.from_numpy(label[batch].astype(np.float32))
                logits = model(collate([graphs[i] for i in batch]))
                loss = functional.binary_cross_entropy_with_logits(
                    logits, wanted, pos_weight=torch.tensor(rarer)
                )
                optimiser.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
                optimiser.step()
                schedule.step()
        with torch.no_grad():
            found = [model(collate([graphs[i] for i in batch])) for batch in _batches(graphs, test)]
        scores: Floats = torch.cat(found).double().numpy()
        return scores
    finally:
        torch.set_num_threads(threads)


def _batches(graphs: Sequence[Bipartite], order: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Runs of the order of at most `BATCH` graphs and `BATCH_EDGES` non-zeros (or one graph)."""
    start, edges = 0, 0
    for place, i in enumerate(order):
        edges += graphs[i].n_edges
        if place > start and (edges > BATCH_EDGES or place - start >= BATCH):
            yield order[start:place]
            start, edges = place, graphs[i].n_edges
    if start < order.size:
        yield order[start:]
