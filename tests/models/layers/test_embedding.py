"""Embeddings of features and of what is masked."""

from __future__ import annotations

import torch

from g2milp.models.layers.embedding import Embedding, symlog


def embedding(**options) -> Embedding:
    generator = torch.Generator().manual_seed(0)
    masks = frozenset({"rows", "cols"})
    return Embedding(4, 4, "rows", generator, compress=True, masks=masks, **options)


def test_symlog_keeps_order_and_sign_of_any_number() -> None:
    x = torch.tensor([-1e15, -1.0, 0.0, 1e-9, 2.0, 1e15], dtype=torch.float64)
    y = symlog(x)
    assert torch.all(y.diff() > 0)
    assert torch.equal(y, -symlog(-x))
    assert float(y.max()) < 36


def test_a_masked_row_shows_its_kind_and_nothing_else() -> None:
    net = embedding()
    features = torch.tensor([[5.0, 1, 0, 0, 0, 0], [9.0, 1, 0, 0, 0, 3], [5.0, 0, 0, 1, 0, 0]])
    masked = net.mask_rows(net.rows(features), features, torch.arange(3))
    assert torch.equal(masked[0], masked[1])
    assert not torch.equal(masked[0], masked[2])


def test_a_masked_column_shows_its_bounds_unless_they_are_masked_too() -> None:
    features = torch.zeros(2, 9)
    features[:, 0] = torch.tensor([1.0, 2.0])
    features[1, 6] = 1.0
    for keep in (True, False):
        net = embedding(keep_bounds=keep)
        masked = net.mask_cols(net.cols(features), features, torch.arange(2))
        assert torch.equal(masked[0], masked[1]) is not keep


def test_nothing_masked_changes_nothing() -> None:
    net, features = embedding(), torch.randn(3, 6)
    embedded = net.rows(features)
    assert net.mask_rows(embedded, features, torch.empty(0, dtype=torch.int64)) is embedded
