"""The paper's equations written down a second time, for one graph, one vertex after the other.

`Literal` is a loop-by-loop transcription of section 3 and appendix A for one masked graph: one
vertex at a time, one edge at a time, no batching, no algebra. It shares no code with the model; it
only reads the model's parameters by name.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

if TYPE_CHECKING:
    from g2milp.graph.bipartite import Bipartite
    from g2milp.models.masked_vae.config import Config
    from g2milp.models.masked_vae.statistics import Statistics

Vector = torch.Tensor


class Literal:
    """The paper's equations for one graph G, its masked rows Ṽ, and given draws."""

    def __init__(self, parameters: dict[str, Vector], config: Config, statistics: Statistics):
        self.p = parameters
        self.net = config.network
        self.bounds = config.masking.bounds
        self.summed = config.loss.reduction == "sum"
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
        return {
            "bias": self.reduced(bias),
            "degree": self.reduced(degree),
            "logits": self.reduced(positive) + self.reduced(negative),
            "weights": self.reduced(weight),
        }

    def reduced(self, losses: list[Vector]) -> Vector:
        """The expectation that the paper writes, or the sum that its code takes."""
        total = sum(losses, torch.zeros((), dtype=self.dtype))
        return total if self.summed else total / max(len(losses), 1)

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
        return {"objective": self.reduced(objective), "type": self.reduced(kind)}

    def divergence(self, mean: Vector, log_variance: Vector) -> Vector:
        """D_KL[N(μ, σ²) ‖ N(0, 1)], one dimension after the other."""
        total = torch.zeros((), dtype=self.dtype)
        for m, s in zip(mean, log_variance, strict=True):
            total = total - 0.5 * (1 + s - m * m - torch.exp(s))
        return total
