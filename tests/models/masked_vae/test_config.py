"""The configuration is closed, and presets are what was published."""

from __future__ import annotations

import pytest

from g2milp.errors import UsageError
from g2milp.models.masked_vae.config import Config, full_key, known_keys, parse
from g2milp.models.masked_vae.presets import names, preset
from g2milp.models.masked_vae.statistics import Statistics


def test_settings_are_found_by_their_last_part() -> None:
    changed = Config().updated({"steps": 7, "network.hidden": 32, "scope": "both"})
    assert changed.training.steps == 7
    assert changed.network.hidden == 32
    assert changed.masking.scope == "both"


def test_every_setting_has_one_dotted_name() -> None:
    keys = known_keys(Config)
    assert len(keys) == len(set(keys))
    assert all(full_key(key) == key for key in keys)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"stepps": 1}, "Did you mean"),
        ({"xyz": 1}, "Settings:"),
        ({"kind": "constant"}, "ambiguous"),
        ({"steps": -1}, "training.steps"),
        ({"learning_rate": float("nan")}, "learning_rate"),
        ({"message": "mine"}, "network.message"),
        ({"hidden": 10**9}, "network.hidden"),
        ({"steps": True}, "true is no value of this setting"),
        ({"learning_rate": False}, "false is no value of this setting"),
        ({"steps": 5, "training.steps": 6}, "training.steps is given twice"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(settings, words) -> None:
    with pytest.raises(UsageError) as caught:
        Config().updated(settings)
    assert words in str(caught.value)


def test_unknown_keys_of_a_file_are_refused() -> None:
    with pytest.raises(UsageError, match="Extra inputs"):
        parse({"network": {"code": "import os"}})


def test_every_preset_is_valid_and_round_trips() -> None:
    for name in names():
        config = preset(name, Statistics())
        assert config.preset == name
        assert parse(config.model_dump(mode="json")) == config


def test_unknown_presets_are_refused_with_the_choices() -> None:
    with pytest.raises(UsageError, match="code-mis"):
        preset("mis")


def test_published_hyper_parameters() -> None:
    paper = preset("paper-mis")
    assert (paper.network.hidden, paper.network.embedding, paper.network.depth) == (16, 16, 6)
    assert (paper.training.steps, paper.training.batch, paper.training.repeats) == (20_000, 15, 2)
    assert paper.loss.row_prior.high == 0.00045
    assert {paper.loss.bias, paper.loss.degree, paper.loss.logits, paper.loss.weights} == {1.0}
    assert preset("paper-nurse").training.batch == 1


def test_hyper_parameters_of_the_authors_code() -> None:
    mik = preset("code-mik")
    assert mik.network.hidden == 32
    assert (mik.loss.bias, mik.loss.degree, mik.loss.logits, mik.loss.weights) == (1, 1, 0.5, 4)
    assert (mik.loss.col_prior.low, mik.loss.col_prior.high) == (1e-6, 5e-6)
    assert (mik.loss.col_prior.warm_up, mik.loss.col_prior.period) == (3000, 10_000)
    assert (mik.training.steps, mik.training.batch, mik.training.repeats) == (40_000, 20, 2)
    assert preset("code-setcover").loss.logits == 0.4
    assert preset("code-mis").training.steps == 6000


@pytest.mark.parametrize(("name", "graphs"), [("blocks", 30), ("best", 12)])
def test_batches_fit_the_size(name, graphs) -> None:
    small = preset(name, Statistics(n_graphs=300, mean_rows=50, mean_cols=50, mean_edges=200))
    large = preset(
        name, Statistics(n_graphs=7, mean_rows=14_000, mean_cols=34_000, mean_edges=600_000)
    )
    assert small.training.batch * small.training.repeats == graphs
    assert large.training.batch * large.training.repeats == 1
    assert large.training.steps < small.training.steps
    assert preset(name, Statistics(), 11).training.steps == 11


def test_auto_is_best_and_columns_are_the_decoders() -> None:
    auto, best = (preset(name, Statistics(), scope="rows") for name in ("auto", "best"))
    assert auto.model_dump(exclude={"preset"}) == best.model_dump(exclude={"preset"})
    assert best.learns_by_contrast
    cols = preset("best", Statistics(), scope="cols")
    assert cols.redraw == "exchange"
    assert not cols.learns_by_contrast
