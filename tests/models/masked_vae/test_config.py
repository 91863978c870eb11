"""The configuration is closed, and presets are what was published."""

from __future__ import annotations

import pytest

from g2milp.errors import UsageError
from g2milp.models.masked_vae.config import Config, Schedule, full_key, known_keys, parse
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


# kind, low, high, warm-up, period of β
FLAT = ("constant", 0.00045, 0.00045)
PUBLISHED = {
    "paper-mis": (15, 2, FLAT),
    "paper-setcover": (15, 2, ("sigmoid", 0.0, 0.0005, 1000, 5000)),
    "paper-mik": (15, 2, ("sigmoid", 0.0, 0.001, 3000, 10_000)),
    "paper-nurse": (1, 1, ("sigmoid", 0.0, 0.001, 3000, 10_000)),
}
CODED = {
    "code-mis": (
        (16, 6000, 15, (0, 1, 1, 0)),
        FLAT,
        ("sigmoid-code", 0.0001, 0.003, 1000, 10_000),
    ),
    "code-setcover": (
        (16, 20_000, 16, (0, 1, 0.4, 0)),
        ("sigmoid-code", 1e-5, 2e-5, 1000, 5000),
        ("sigmoid-code", 0.0001, 0.0005, 1000, 5000),
    ),
    "code-mik": (
        (32, 40_000, 20, (1, 1, 0.5, 4)),
        ("sigmoid-code", 1e-5, 0.001, 3000, 10_000),
        ("sigmoid-code", 1e-6, 5e-6, 3000, 10_000),
    ),
}


def schedule(of: Schedule, length: int) -> tuple[object, ...]:
    return (of.kind, of.low, of.high, of.warm_up, of.period)[:length]


def alphas(of: Config) -> tuple[float, ...]:
    return (of.loss.bias, of.loss.degree, of.loss.logits, of.loss.weights)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_hyper_parameters(name) -> None:
    config, (batch, repeats, beta) = preset(name), PUBLISHED[name]
    net, training = config.network, config.training
    assert (net.embedding, net.hidden, net.latent, net.depth) == (16, 16, 16, 6)
    assert (net.message, net.mask_state, net.virtual_edge) == ("paper", "before", True)
    assert (training.steps, training.batch, training.repeats) == (20_000, batch, repeats)
    assert alphas(config) == (1, 1, 1, 1)
    assert config.loss.reduction == "mean"
    for side in (config.loss.row_prior, config.loss.col_prior):
        assert schedule(side, len(beta)) == beta


@pytest.mark.parametrize("name", CODED)
def test_hyper_parameters_of_the_authors_code(name) -> None:
    config, (numbers, of_rows, of_cols) = preset(name), CODED[name]
    net, training = config.network, config.training
    assert (net.embedding, net.latent, net.depth) == (16, 16, 6)
    assert (net.message, net.mask_state, net.virtual_edge) == ("code", "after", False)
    assert (net.hidden, training.steps, training.batch, alphas(config)) == numbers
    assert training.repeats == 2
    assert config.loss.reduction == "sum"
    assert schedule(config.loss.row_prior, len(of_rows)) == of_rows
    assert schedule(config.loss.col_prior, len(of_cols)) == of_cols


@pytest.mark.parametrize("name", [*PUBLISHED, *CODED])
def test_what_paper_and_code_have_in_common(name) -> None:
    """Rate, weight decay, decay of the rate and clipping; canonical form; one masked row."""
    config = preset(name)
    training = config.training
    assert (training.learning_rate, training.weight_decay, training.clip) == (1e-3, 1e-4, 10)
    assert (training.decay, training.decay_every) == (0.99, 30)
    assert config.network.row_form == "canonical"
    assert (config.network.scaling, config.network.values) == ("none", "range")
    assert config.redraw == "decoder"
    assert (config.masking.scope, config.masking.rows_per_mask) == ("rows", 1)


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
