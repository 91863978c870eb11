"""The model against the paper, written down a second time.

`Literal` is a loop-by-loop transcription of section 3 and appendix A of the paper for one masked
graph: one vertex at a time, one edge at a time, no batching, no algebra. It shares no code with the
model; it only reads the model's parameters by name. Losses and every gradient must agree.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from g2milp.graph.bipartite import Bipartite
from g2milp.models import kernels
from g2milp.models.masked_vae.config import Config, parse
from g2milp.models.masked_vae.loss import Noise, losses
from g2milp.models.masked_vae.masking import Task, make_task
from g2milp.models.masked_vae.model import MaskedVAE
from g2milp.models.masked_vae.statistics import Statistics, gather

Vector = torch.Tensor


class Literal:
    """The paper's equations for one graph G, its masked rows Ṽ, and given draws."""

    def __init__(self, parameters: dict[str, Vector], config: Config, statistics: Statistics):
        self.p = parameters
        self.net = config.network
        self.bounds = config.masking.bounds
        self.statistics = statistics

    def mlp(self, name: str, *arguments: Vector) -> Vector:
        """One hidden layer, ReLU (B.2)."""
        p, x = self.p, torch.cat(arguments)
        hidden = p[f"{name}.w1"] @ x + p[f"{name}.b1"]
        return p[f"{name}.w2"] @ torch.maximum(hidden, torch.zeros(())) + p[f"{name}.b2"]

    def message(self, name: str, target: Vector, edge: Vector, source: Vector) -> Vector:
        if self.net.message == "paper":
            return self.mlp(f"{name}.message", target, edge, source)
        added = (
            self.mlp(f"{name}.target", target)
            + self.mlp(f"{name}.edge", edge)
            + self.mlp(f"{name}.source", source)
        )
        return self.mlp(f"{name}.message", added)

    def graph_norm(self, name: str, h: list[Vector]) -> list[Vector]:
        p, n = self.p, len(h)
        mean = sum(h) / n
        centred = [x - p[f"{name}.mean_scale"] * mean for x in h]
        variance = sum(c * c for c in centred) / n
        return [
            p[f"{name}.weight"] * c / torch.sqrt(variance + 1e-5) + p[f"{name}.bias"]
            for c in centred
        ]

    def gnn(
        self,
        name: str,
        h_v: list[Vector],
        h_w: list[Vector],
        h_e: dict[tuple[int, int], Vector],
        masked: list[int],
    ) -> tuple[list[Vector], list[Vector]]:
        """A.3.1 and, with masked rows, A.3.2."""
        all_v, all_w = [h_v], [h_w]
        for k in range(self.net.depth):
            layer = f"{name}.layers.{k}"
            new_v = []
            for i, h in enumerate(h_v):
                total = torch.zeros_like(h)
                for (row, j), e in h_e.items():
                    if row == i:
                        total = total + self.message(f"{layer}.to_rows", h, e, h_w[j])
                new_v.append(self.mlp(f"{layer}.to_rows.update", h, total))
            new_w = []
            for j, h in enumerate(h_w):
                total = torch.zeros_like(h)
                for (i, col), e in h_e.items():
                    if col == j:
                        total = total + self.message(f"{layer}.to_cols", h, e, new_v[i])
                new_w.append(self.mlp(f"{layer}.to_cols.update", h, total))
            if masked:
                mean = sum(new_w) / len(new_w)
                rule = f"{layer}.mask_update"
                virtual = [self.p[f"{rule}.virtual_edge"]] if self.net.virtual_edge else []
                for i in masked:
                    own = h_v[i] if self.net.mask_state == "before" else new_v[i]
                    new_v[i] = self.mlp(f"{rule}.gather", own, mean, *virtual)
                of_masked = sum(new_v[i] for i in masked) / len(masked)
                new_w = [self.mlp(f"{rule}.spread", h, of_masked, *virtual) for h in new_w]
            h_v = self.graph_norm(f"{layer}.row_norm", new_v)
            h_w = self.graph_norm(f"{layer}.col_norm", new_w)
            all_v.append(h_v)
            all_w.append(h_w)
        jump_v = [self.mlp(f"{name}.row_jump", *(h[i] for h in all_v)) for i in range(len(h_v))]
        jump_w = [self.mlp(f"{name}.col_jump", *(h[j] for h in all_w)) for j in range(len(h_w))]
        return jump_v, jump_w

    def embed(self, name: str, graph: Bipartite) -> tuple[list[Vector], list[Vector], dict]:
        def scaled(x: np.ndarray) -> Vector:
            x = np.sign(x) * np.log(1 + np.abs(x)) if self.net.scaling == "symlog" else x
            return torch.tensor(x, dtype=self.dtype)

        h_v = [self.mlp(f"{name}.row", scaled(v)) for v in graph.row_features]
        h_w = [self.mlp(f"{name}.col", scaled(w)) for w in graph.col_features]
        h_e = {}
        for i in range(graph.n_rows):
            for j, a in zip(*graph.row(i), strict=True):
                h_e[i, int(j)] = self.mlp(f"{name}.edge", scaled(np.array([a])))
        return h_v, h_w, h_e

    @property
    def dtype(self) -> torch.dtype:
        return next(iter(self.p.values())).dtype

    def losses(
        self,
        graph: Bipartite,
        masked: list[int],
        masked_cols: list[int],
        negatives: list[tuple[int, int]],
        noise_v: dict[int, Vector],
        noise_w: dict[int, Vector],
    ) -> dict[str, Vector]:
        h_v, h_w = self.gnn("encoder", *self.embed("embedding", graph), [])
        mu_v = [self.mlp("row_posterior.mean", h) for h in h_v]
        mu_w = [self.mlp("col_posterior.mean", h) for h in h_w]
        s_v = [torch.clamp(self.mlp("row_posterior.log_var", h), max=10) for h in h_v]
        s_w = [torch.clamp(self.mlp("col_posterior.log_var", h), max=10) for h in h_w]
        z_v = {i: mu_v[i] + torch.exp(s_v[i] / 2) * e for i, e in noise_v.items()}
        z_w = {j: mu_w[j] + torch.exp(s_w[j] / 2) * e for j, e in noise_w.items()}

        name = "embedding" if self.net.shared_embedding else "decoder_embedding"
        h_v, h_w, h_e = self.embed(name, graph)
        for i in masked:
            h_v[i] = self.p[f"{name}.masked_row"]
            if self.net.row_form == "rows":
                kind = torch.tensor(graph.row_features[i, 1:5], dtype=self.dtype)
                h_v[i] = h_v[i] + self.p[f"{name}.kind"] @ kind
        for j in masked_cols:
            h_w[j] = self.p[f"{name}.masked_col"]
            if not self.bounds:
                limits = graph.col_features[j, 5:9]
                if self.net.scaling == "symlog":
                    limits = np.sign(limits) * np.log(1 + np.abs(limits))
                h_w[j] = h_w[j] + self.p[f"{name}.bounds"] @ torch.tensor(limits, dtype=self.dtype)
        seen = {(i, j): e for (i, j), e in h_e.items() if i not in masked}
        h_v, h_w = self.gnn("decoder", h_v, h_w, seen, masked)

        parts: dict[str, Any] = {}
        if masked:
            parts |= self.row_losses(graph, masked, negatives, h_v, h_w, z_v, z_w)
        if masked_cols:
            parts |= self.col_losses(graph, masked_cols, h_w, z_w)
        parts["row_prior"] = sum(self.divergence(m, s) for m, s in zip(mu_v, s_v, strict=True))
        parts["col_prior"] = sum(self.divergence(m, s) for m, s in zip(mu_w, s_w, strict=True))
        return parts

    def row_losses(self, graph, masked, negatives, h_v, h_w, z_v, z_w) -> dict[str, Any]:
        def normalised(x: float, of: str) -> float:
            values = getattr(self.statistics, of)
            low, high = values.low, values.high
            if self.net.scaling == "symlog":
                x, low, high = (math.copysign(math.log1p(abs(v)), v) for v in (x, low, high))
            return (x - low) / (high - low)

        def squared(output: Vector, x: float, of: str) -> Vector:
            if getattr(self.statistics, of).is_constant:
                return torch.zeros((), dtype=self.dtype)
            return (1 / (1 + torch.exp(-output)) - normalised(x, of)) ** 2

        def pair(head: str, i: int, j: int) -> Vector:
            p = self.p
            column = [h_w[j], z_w[j]]
            if self.net.slots:
                lost = sum(j in graph.row(r)[0] for r in masked)
                column.append(torch.log1p(torch.tensor([float(lost)], dtype=self.dtype)))
            hidden = p[f"{head}.of_col"] @ torch.cat(column) + p[f"{head}.b1"]
            if self.net.row_conditioning:
                hidden = hidden + p[f"{head}.of_row"] @ torch.cat([h_v[i], z_v[i]])
            return (p[f"{head}.w2"] @ torch.relu(hidden) + p[f"{head}.b2"])[0]

        bias, degree, positive, weight, negative = [], [], [], [], []
        for i in masked:
            cols, values = graph.row(i)
            output = self.mlp("bias.network", h_v[i], z_v[i])[0]
            bias.append(squared(output, graph.row_features[i, 0], "bias"))
            output = self.mlp("degree.network", h_v[i], z_v[i])[0]
            degree.append(squared(output, len(cols), "degree"))
            for j, a in zip(cols, values, strict=True):
                delta = 1 / (1 + torch.exp(-pair("logits", i, int(j))))
                positive.append(-torch.log(delta))
                weight.append(squared(pair("weights", i, int(j)), a, "weights"))
        for i, j in negatives:
            delta = 1 / (1 + torch.exp(-pair("logits", i, j)))
            negative.append(-torch.log(1 - delta))
        mean = lambda xs: sum(xs) / len(xs) if xs else torch.zeros((), dtype=self.dtype)  # noqa: E731
        return {
            "bias": mean(bias),
            "degree": mean(degree),
            "logits": mean(positive) + mean(negative),
            "weights": mean(weight),
        }

    def col_losses(self, graph, masked, h_w, z_w) -> dict[str, Any]:
        values = self.statistics.objective
        objective, kind = [], []
        for j in masked:
            output = self.mlp("columns.objective.network", h_w[j], z_w[j])[0]
            wanted = (graph.col_features[j, 0] - values.low) / (values.high - values.low)
            objective.append((1 / (1 + torch.exp(-output)) - wanted) ** 2)
            chances = torch.exp(self.mlp("columns.column_type", h_w[j], z_w[j]))
            right = int(np.argmax(graph.col_features[j, 1:5]))
            kind.append(-torch.log(chances[right] / chances.sum()))
        return {"objective": sum(objective) / len(masked), "type": sum(kind) / len(masked)}

    def divergence(self, mean: Vector, log_variance: Vector) -> Vector:
        """D_KL[N(μ, σ²) ‖ N(0, 1)], one dimension after the other."""
        total = torch.zeros((), dtype=self.dtype)
        for m, s in zip(mean, log_variance, strict=True):
            total = total - 0.5 * (1 + s - m * m - torch.exp(s))
        return total


def random_graph(rng: np.random.Generator, m: int, n: int, density: float, form: str) -> Bipartite:
    present = rng.random((m, n)) < density
    values = np.where(present, rng.choice([-2.0, 0.5, 1.0, 3.0], (m, n)), 0.0)
    rows = rng.normal(size=(m, 1)).round(2)
    if form == "rows":
        rows = np.hstack([rows, np.eye(4)[rng.integers(4, size=m)], rng.random((m, 1))])
    cols = np.hstack(
        [
            rng.normal(size=(n, 1)),
            np.eye(4)[rng.integers(4, size=n)],
            rng.integers(0, 2, size=(n, 2)),
            rng.normal(size=(n, 2)),
        ]
    )
    return Bipartite.build(
        row_features=rows,
        col_features=cols,
        indptr=np.concatenate([[0], present.sum(1).cumsum()]),
        indices=np.nonzero(present)[1].astype(np.int32),
        values=values[present],
    )


def by_the_book(
    model: MaskedVAE, graphs: list[Bipartite], repeats: int, task: Task, noise: Noise
) -> tuple[dict[str, Vector], dict[str, Vector]]:
    """Loss terms by the transcription, and the leaves that they were computed from."""
    leaves = {name: p.detach().clone().requires_grad_() for name, p in model.named_parameters()}
    literal = Literal(leaves, model.config, model.statistics)
    row_start, col_start = task.masked.row_ptr.tolist(), task.masked.col_ptr.tolist()
    sums: dict[str, Any] = {}
    copies = [graph for graph in graphs for _ in range(repeats)]
    for index, graph in enumerate(copies):
        first, shift = row_start[index], col_start[index]
        ids = task.rows.rows.tolist()
        masked = {place: row - first for place, row in enumerate(ids)}
        masked = {q: i for q, i in masked.items() if 0 <= i < graph.n_rows}
        cols = {q: c - shift for q, c in enumerate(task.cols.tolist())}
        cols = {q: j for q, j in cols.items() if 0 <= j < graph.n_cols}
        needed = {u: c - shift for u, c in enumerate(task.needed.tolist())}
        needed = {u: j for u, j in needed.items() if 0 <= j < graph.n_cols}
        pairs = list(zip(task.pair_row.tolist(), task.pair_col.tolist(), strict=True))
        negatives = [(masked[r], needed[u]) for r, u in pairs[task.n_true :] if r in masked]
        noise_w = {j: noise.needed[u] for u, j in needed.items()}
        noise_w |= {j: noise.cols[q] for q, j in cols.items()}
        parts = literal.losses(
            graph,
            list(masked.values()),
            list(cols.values()),
            negatives,
            {i: noise.rows[q] for q, i in masked.items()},
            noise_w,
        )
        for name, value in parts.items():
            sums[name] = sums.get(name, 0.0) + value / len(copies)
    return sums, leaves


PAPER = {
    "message": "paper",
    "mask_state": "before",
    "shared_embedding": False,
    "row_form": "canonical",
}
CODE = {**PAPER, "message": "code", "mask_state": "after", "virtual_edge": False}
OURS = {"row_form": "rows", "scaling": "symlog", "row_conditioning": True, "slots": True}
SMALL = {"embedding": 4, "hidden": 5, "latent": 3, "depth": 2}
SHAPES = [
    [(4, 5, 0.5)],
    [(1, 1, 1.0)],
    [(1, 6, 0.5)],
    [(6, 1, 0.7)],
    [(3, 4, 0.0)],
    [(3, 4, 1.0)],
    [(5, 3, 0.4), (2, 6, 0.6), (4, 4, 0.2)],
]


def config_of(network: dict[str, Any], scope: str, rows: int) -> Config:
    masking = {"scope": scope, "rows_per_mask": rows, "cols_per_mask": rows}
    return parse({"network": {**SMALL, **network}, "masking": masking})


def compare(
    network: dict[str, Any], scope: str, shapes: list, repeats: int, dtype: torch.dtype, seed: int
) -> tuple[float, float]:
    """Largest relative difference of a loss term and of a gradient."""
    rng = np.random.default_rng(seed)
    config = config_of(network, scope, 3 if network.get("row_conditioning") else 1)
    graphs = [random_graph(rng, *shape, config.network.row_form) for shape in shapes]
    everything = [*graphs, random_graph(rng, 6, 6, 0.5, config.network.row_form)]
    model = MaskedVAE(config, gather(everything)).to(dtype)
    task = make_task(graphs, repeats, config.masking, rng, dtype=dtype)
    noise = Noise.draw(task, config.network.latent, torch.Generator().manual_seed(seed))
    parts, _ = losses(model, task, noise)
    wanted, leaves = by_the_book(model, graphs, repeats, task, noise)
    assert parts.keys() == wanted.keys()
    weights = {name: 0.3 + 0.1 * place for place, name in enumerate(sorted(parts))}
    sum(weights[name] * part for name, part in parts.items()).backward()
    sum(weights[name] * part for name, part in wanted.items()).backward()

    def off(a: Vector, b: Vector) -> float:
        return float((a - b).abs().max() / max(1.0, float(b.abs().max())))

    value = max(off(parts[n].detach(), wanted[n].detach()) for n in parts)
    gradient = 0.0
    for name, parameter in model.named_parameters():
        expected = leaves[name].grad
        found = parameter.grad
        zero = torch.zeros_like(parameter)
        gradient = max(
            gradient,
            off(zero if found is None else found, zero if expected is None else expected),
        )
    return value, gradient


@pytest.mark.parametrize("choice", ["reference", "auto"])
@pytest.mark.parametrize("shapes", SHAPES, ids=str)
@pytest.mark.parametrize("network", [PAPER, CODE, OURS], ids=["paper", "code", "ours"])
def test_rows_in_double_precision(network, shapes, choice) -> None:
    with kernels.using(choice):
        value, gradient = compare(network, "rows", shapes, 2, torch.float64, 7)
    assert value < 1e-9
    assert gradient < 1e-9


@pytest.mark.parametrize("scope", ["cols", "both"])
def test_columns_in_double_precision(scope) -> None:
    for network in (PAPER, CODE):
        value, gradient = compare(network, scope, SHAPES[-1], 2, torch.float64, 3)
        assert value < 1e-9
        assert gradient < 1e-9


@pytest.mark.parametrize("choice", ["reference", "auto"])
def test_single_precision(choice) -> None:
    with kernels.using(choice):
        for network in (PAPER, CODE, OURS):
            value, gradient = compare(network, "rows", SHAPES[-1], 2, torch.float32, 11)
            assert value < 1e-4
            assert gradient < 1e-4


def test_six_layers_of_the_published_width() -> None:
    published = {**PAPER, "embedding": 16, "hidden": 16, "latent": 16, "depth": 6}
    value, gradient = compare(published, "rows", [(5, 4, 0.5)], 1, torch.float64, 5)
    assert value < 1e-9
    assert gradient < 1e-9


def test_the_released_mik_checkpoint_has_as_many_parameters() -> None:
    from g2milp.models.masked_vae.presets import preset

    model = MaskedVAE(preset("code-mik"), Statistics())
    assert sum(p.numel() for p in model.parameters()) == 188_356
