from __future__ import annotations

from g2milp.evaluation.result import Evaluation
from g2milp.reports.provenance import generation_of, provenance


def test_everything_needed_to_repeat_it_is_there(found: list[Evaluation]):
    told = dict(provenance(found[0]))
    made = found[0].made_with
    assert told["suite"] == "v1"
    assert made["reference_hash"] in told["reference"]
    assert made["generated_hash"] in told["generated"]
    assert told["generator"] == "random"
    assert "mask_ratio 0.1" in told["options of the generator"]
    assert told["solvers"].startswith("highs ")
    assert f"g2milp {made['g2milp']}" in told["versions"]


def test_a_folder_without_a_generator_tells_nothing_about_one(found: list[Evaluation]):
    told = dict(provenance(found[1]))
    assert "generator" not in told
    assert "solvers" not in told


class Manifest:
    """As much of a data set as is looked at."""

    def __init__(self, records: list[dict[str, object]]) -> None:
        self.manifest = records


def test_manifests_of_others_are_not_believed_to_be_tidy():
    odd = Manifest([{"generator": 3, "options": "none"}, {"generator": "x", "seed": [1]}, {}])
    assert dict(generation_of(odd))["generator"] == "3, x"
    many = Manifest([{"generator": f"g{i}"} for i in range(9)])
    assert dict(generation_of(many))["generator"] == "g0, g1, g2, …"
    assert generation_of(Manifest([])) == ()


def test_an_empty_option_is_a_dash():
    told = dict(generation_of(Manifest([{"generator": "x", "options": {"certify": "", "n": 1}}])))
    assert told["options of the generator"] == "certify –; n 1"
