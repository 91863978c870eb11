"""G2MILP's networks together: a masked variational autoencoder on bipartite graphs (section 3).

    log p_θ(G | G̃) ≥ E_{Z ~ q_φ(Z | G)}[log p_θ(G | G̃, Z)] − D_KL[q_φ(Z | G) ‖ N(0, I)]

The encoder runs once on each distinct graph of a batch, however often it is masked; the heads run
where something is masked or serves as an example, nowhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import torch
from torch import Tensor, nn

from g2milp.models.layers.embedding import Embedding
from g2milp.models.layers.gnn import BipartiteGNN, Masked, Shape, States
from g2milp.models.masked_vae.heads.column_head import ColumnHead
from g2milp.models.masked_vae.heads.number_head import NumberHead, Widths
from g2milp.models.masked_vae.heads.numbers import numbers_of
from g2milp.models.masked_vae.heads.pair_head import PairHead
from g2milp.models.masked_vae.posterior import GaussianHead, Posterior

if TYPE_CHECKING:
    from g2milp.graph.bipartite import GraphBatch
    from g2milp.models.masked_vae.config import Config
    from g2milp.models.masked_vae.statistics import Statistics

Side: TypeAlias = Literal["rows", "cols"]


class MaskedVAE(nn.Module):
    """Encoder q_φ, decoder p_θ, and what they were built from.

    Parameters are drawn from the configuration's seed alone.
    """

    def __init__(self, config: Config, statistics: Statistics) -> None:
        super().__init__()
        self.config = config
        self.statistics = statistics
        net, masking = config.network, config.masking
        generator = torch.Generator().manual_seed(config.training.seed)
        compress = net.scaling == "symlog"
        masks: frozenset[Side] = frozenset(
            side for side in get_args(Side) if masking.scope in (side, "both")
        )

        def embedding(masks: frozenset[Side]) -> Embedding:
            return Embedding(
                net.embedding,
                net.hidden,
                net.row_form,
                generator,
                compress=compress,
                masks=masks,
                keep_bounds=not masking.bounds,
            )

        shape = Shape(
            width=net.embedding,
            hidden=net.hidden,
            depth=net.depth,
            message=net.message,
            mask_state=net.mask_state,
            virtual_edge=net.virtual_edge,
        )
        self.embedding = embedding(masks if net.shared_embedding else frozenset())
        self.decoder_embedding = self.embedding if net.shared_embedding else embedding(masks)
        self.encoder = BipartiteGNN(shape, False, generator)
        self.row_posterior = GaussianHead(net.embedding, net.hidden, net.latent, generator)
        self.col_posterior = GaussianHead(net.embedding, net.hidden, net.latent, generator)
        self.decoder = BipartiteGNN(shape, "rows" in masks, generator)

        bias, degree, weights, objective, lower, upper = (
            numbers_of(getattr(statistics, name), net.values, compress)
            for name in ("bias", "degree", "weights", "objective", "lower", "upper")
        )
        widths = Widths(net.embedding, net.hidden, net.latent)
        self.bias = NumberHead(bias, widths, generator)
        self.degree = NumberHead(degree, widths, generator)
        self.weight_numbers = weights
        self.logits, self.weights = (
            PairHead(
                outputs,
                widths,
                generator,
                row_conditioning=net.row_conditioning,
                slots=net.slots,
            )
            for outputs in (1, weights.outputs)
        )
        bounds = (lower, upper) if masking.bounds else None
        self.columns = ColumnHead(objective, bounds, widths, generator) if "cols" in masks else None

    def encode(self, batch: GraphBatch) -> Posterior:
        """q_φ(Z | G) of every node."""
        embedding = self.embedding
        states = self.encoder(
            batch,
            embedding.rows(batch.row_features),
            embedding.cols(batch.col_features),
            embedding.edges(batch.table),
            None,
        )
        return Posterior(
            self.row_posterior(self.encoder.row_states(states)),
            self.col_posterior(self.encoder.col_states(states)),
        )

    def decoder_states(
        self, batch: GraphBatch, rows: Masked, cols: Tensor, needed: Tensor | None = None
    ) -> States:
        """States of the masked graph G̃: `batch` has lost the edges of the masked rows already.

        `needed` (ascending) are columns whose states will be asked for alone.
        """
        embedding = self.decoder_embedding
        row_features, col_features = batch.row_features, batch.col_features
        embedded_rows = embedding.rows(row_features)
        embedded_cols = embedding.cols(col_features)
        states: States = self.decoder(
            batch,
            embedding.mask_rows(embedded_rows, row_features, rows.rows),
            embedding.mask_cols(embedded_cols, col_features, cols),
            embedding.edges(batch.table),
            rows,
            needed,
        )
        return states

    @property
    def vector_width(self) -> int:
        """Length of what `embed` gives."""
        return 2 * self.config.network.latent

    def embed(self, batch: GraphBatch) -> Tensor:
        """One vector a graph: the means of q, averaged over rows and over columns, (G, 2L)."""
        from g2milp.models import kernels

        posterior = self.encode(batch)
        rows = kernels.segment_mean(posterior.rows.mean, batch.row_ptr)
        cols = kernels.segment_mean(posterior.cols.mean, batch.col_ptr)
        return torch.cat([rows, cols], dim=1)
