"""Curves for TensorBoard."""

from __future__ import annotations

import pytest

from g2milp.errors import UnavailableError
from g2milp.training import board
from g2milp.training.fit import fit


def test_without_the_extra_it_is_named(tiny, small_network, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(board, "find_spec", lambda _: None)
    with pytest.raises(UnavailableError) as caught:
        fit(tiny, tmp_path, "auto", {**small_network, "steps": 1}, tensorboard=True)
    assert "g2milp[tensorboard]" in str(caught.value)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_curves_are_written_into_the_run(tiny, small_network, tmp_path) -> None:
    pytest.importorskip("tensorboard")
    fit(tiny, tmp_path, "auto", {**small_network, "steps": 5}, tensorboard=True)
    assert list((tmp_path / "tensorboard").glob("events.*"))
