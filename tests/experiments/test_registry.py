"""Every table and figure of the paper is there, each with its module."""

from __future__ import annotations

import pytest

from g2milp.errors import UsageError
from g2milp.experiments.registry import EXPERIMENTS, NUMBERS, experiment

PUBLISHED = (
    "tab. stats",
    "tab. sim-datasets",
    "tab. sim-results",
    "tab. gurobi-time",
    "tab. gurobi-nnodes",
    "fig. pred_results",
    "tab. optimal-value-prediction",
    "tab. ps-results",
    "fig. tsne",
    "tab. g2sat",
    "tab. additional-results-v",
    "fig. ablation-eta",
    "tab. additional-order",
    "tab. additional-sim-results",
    "tab. additional-sim-results-v",
    "tab. dataset-size",
    "fig. additional-tsne",
)


@pytest.mark.parametrize("label", PUBLISHED)
def test_what_the_paper_shows_is_an_experiment(label: str):
    places = [place for e in EXPERIMENTS.values() for place in e.paper.split(", ")]
    assert places.count(label) == 1
    assert label in NUMBERS


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("similarity", "Table 2"),
        ("optimal-value", "Figure 2, Table 8"),
        ("nurse-value", "Table 8 (nurse)"),
        ("mask-ratio-value", "Figure 4 (b)"),
        ("scopes", "Table 11, Table 14"),
        ("nurse", ""),
    ],
)
def test_places_are_named_as_in_print(name: str, printed: str):
    assert experiment(name).printed == printed


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_can_be_loaded(name: str):
    assert callable(experiment(name).load())


def test_a_misspelt_name_is_answered_with_the_nearest():
    with pytest.raises(UsageError, match="similarity"):
        experiment("similarty")
