"""The whole evaluation on small sets: copies flagged, bad ones recognised, JSON stable."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.evaluation.instances import milp_of, permuted

import g2milp as gm
from g2milp.errors import InputError, QualityGateNotMet, UsageError
from g2milp.evaluation.evaluate import EvaluationOptions, evaluate_all
from g2milp.evaluation.tables import tables
from g2milp.instance.milp import Milp

KEYS = {
    "suite", "score", "interval", "ceiling", "copy_score", "statistics", "two_sample", "hardness",
    "validity", "novelty", "flags",
}  # fmt: skip


def packing(seed: int, *, density: float = 0.12) -> Milp:
    rng = np.random.default_rng([5, seed])
    matrix = (rng.random((30, 25)) < density).astype(float)
    matrix[:, :2] = 1.0
    return milp_of(
        matrix,
        np.full(30, -np.inf),
        np.ones(30),
        objective=rng.integers(1, 9, 25),
        col_upper=np.ones(25),
        kinds=np.ones(25),
        sense="max",
        name=f"packing-{seed}",
        col_names=[f"x[{j}]" for j in range(25)],
    )


REAL = [packing(seed) for seed in range(40)]
FRESH = [packing(seed) for seed in range(100, 140)]
DENSER = [packing(seed, density=0.2) for seed in range(200, 240)]


def codes(evaluation: gm.evaluate) -> set[str]:
    return {flag.code for flag in evaluation.flags}


def test_a_copy_is_flagged_whatever_its_order():
    for made in (REAL, [permuted(m, np.random.default_rng(1)) for m in REAL]):
        found = gm.evaluate(REAL, made, classifier="stumps")
        assert "copies" in codes(found)
        assert found.novelty.isomorphic == 1.0
        assert found.two_sample.classifier.auc == pytest.approx(0.5, abs=0.02)


def test_a_fresh_sample_reaches_the_ceiling_and_is_not_recognised():
    found = gm.evaluate(REAL, FRESH)
    assert found.score == pytest.approx(found.ceiling.value, abs=0.05)
    assert found.two_sample.classifier.auc < 0.75
    assert not codes(found) & {"copies", "near-copies", "told-apart"}
    assert found.novelty.copies == 0


@pytest.mark.parametrize("classifier", ["stumps", "auto"])
def test_another_density_is_recognised_and_named(classifier: str):
    found = gm.evaluate(REAL, DENSER, classifier=classifier)
    test = found.two_sample.classifier
    assert test.auc > 0.95
    assert "told-apart" in codes(found)
    assert {t.feature for t in test.telltales} & {"density", "n_nonzeros", "row_degree_mean"}
    assert all(d.ratio > 3 and d.p_value < 0.05 for d in found.two_sample.distances)
    assert found.score < found.ceiling.interval[0]


def test_the_power_on_random_is_shown():
    found = gm.evaluate(REAL, FRESH, power=True, classifier="stumps")
    assert found.two_sample.power >= 0.95


def test_identical_seeds_give_identical_results():
    a, b = (gm.evaluate(REAL[:20], FRESH[:20], seed=3).to_dict() for _ in range(2))
    assert a == b


def test_json_has_the_documented_keys():
    found = gm.evaluate(REAL[:10], FRESH[:6]).to_dict()
    assert set(found) >= KEYS
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert {"code", "message"} == set(found["flags"][0])
    assert "small-sample" in {flag["code"] for flag in found["flags"]}


@pytest.mark.parametrize("suite", ["g2milp-2023", "g2milp-2023-14", "acm-2024"])
def test_published_suites_are_named_and_flagged(suite: str):
    found = gm.evaluate(REAL, FRESH, suite=suite, two_sample=False)
    assert found.suite == suite
    assert "published-metric" in codes(found)
    assert found.two_sample is None


def test_templates_of_the_manifest_are_used(tmp_path):
    from g2milp.baselines.random_refill import Random

    gm.write(list(REAL), tmp_path / "real")
    real = gm.Dataset.open(tmp_path / "real")
    random = Random(mask_ratio=0.1).fit(real)
    gm.write(random.sample_iter(20, seed=1), tmp_path / "new")
    found = gm.evaluate(real, gm.Dataset.open(tmp_path / "new"), two_sample=False)
    assert found.novelty.parents_from == "manifest"
    assert 0 < found.novelty.changed_rows <= 0.1 + 1e-9
    assert "near-copies" in codes(found)


def test_the_cache_gives_the_same_and_reads_no_model(tmp_path, monkeypatch):
    gm.write(list(REAL), tmp_path / "real")
    first = gm.evaluate(tmp_path / "real", FRESH, cache=tmp_path / "cache", two_sample=False)
    with (tmp_path / "cache" / "profiles.jsonl").open("a") as file:
        file.write('{"key": "torn')
    monkeypatch.setattr("g2milp.evaluation.features.profile_of", None)
    reference = gm.Dataset.open(tmp_path / "real")
    from g2milp.evaluation.features import features_of

    again = features_of(reference, first.evidence.reference.names, cache=tmp_path / "cache")
    assert np.array_equal(again.values, first.evidence.reference.values)


def test_workers_give_the_same(tmp_path):
    gm.write(list(REAL), tmp_path / "real")
    one, two = (
        gm.evaluate(tmp_path / "real", FRESH, two_sample=False, jobs=jobs) for jobs in (1, 2)
    )
    assert one.to_dict() == two.to_dict()


def test_an_unreadable_instance_stops_with_its_name(tmp_path):
    gm.write(list(REAL[:9]), tmp_path / "real")
    (tmp_path / "real" / "manifest.jsonl").unlink(missing_ok=True)
    (tmp_path / "real" / "broken.mps").write_text("ROWS\n nonsense\n")
    for jobs in (1, 2):
        with pytest.raises(InputError, match=r"broken\.mps"):
            gm.evaluate(tmp_path / "real", FRESH, jobs=jobs)


def test_tiny_sets_work():
    found = gm.evaluate(REAL[:1], FRESH[:1])
    assert found.ceiling is None
    assert str(found)
    with pytest.raises(UsageError):
        gm.evaluate(REAL, [])


def test_the_gate():
    found = gm.evaluate(REAL, DENSER, two_sample=False)
    found.require(0.1)
    with pytest.raises(QualityGateNotMet):
        found.require(0.99)


def test_several_sets_share_a_reference():
    options = EvaluationOptions(two_sample=False)
    a, b = evaluate_all(REAL, {"fresh": FRESH, "denser": DENSER}, options)
    assert a.generated_name == "fresh"
    assert a.score > b.score


def test_tables_in_three_writings():
    found = gm.evaluate(REAL, FRESH)
    made = tables(found)
    assert [t.name for t in made] == ["score", "statistics", "two-sample", "distances", "validity"]
    assert made[1].as_csv().count("\r\n") == 1 + len(found.statistics)
    assert "_" not in made[1].as_latex().replace(r"\_", "")
    assert "pure copy" in str(found)


def test_the_membership_attack_finds_members():
    found = gm.evaluate(REAL, REAL[:20], fresh=FRESH, two_sample=False)
    assert found.disclosure.membership_auc > 0.7
    honest = gm.evaluate(REAL, DENSER, fresh=FRESH, two_sample=False)
    assert 0.2 < honest.disclosure.membership_auc < 0.8
    assert found.disclosure.names == 1.0
    assert found.disclosure.rows >= 0.5


def test_enormous_numbers_break_nothing():
    huge = packing(77)
    values = huge.values.copy()
    values[:3] = [1e300, -1e308, 1e-300]
    import dataclasses

    wild = [dataclasses.replace(huge, values=values), *FRESH[:12]]
    found = gm.evaluate(REAL[:12], wild)
    assert 0 <= found.score <= 1
    json.dumps(found.to_dict(), allow_nan=False)
    for suite in ("g2milp-2023", "acm-2024"):
        assert 0 <= gm.evaluate(REAL[:12], wild, suite=suite, two_sample=False).score <= 1
