"""The guard: kin in two sets stop the run, and names alone accuse nobody."""

from __future__ import annotations

import numpy as np
import pytest
from downstream_sets import generated_from

from g2milp.datasets.dataset import Dataset
from g2milp.downstream.leakage import Leakage, identify, require_apart
from g2milp.testing import permuted


def apart(train: Dataset, test: Dataset, **generated: Dataset) -> dict:
    known = identify({"train": train, "test": test}, generated)
    learned = [*known["train"], *(one for key in generated for one in known[key])]
    return require_apart({"train": learned, "test": known["test"]})


def test_sets_of_two_seeds_are_apart(train, test_set, generated):
    told = apart(train, test_set, made=generated)
    assert told["checked"] == {"train": 8 + 12, "test": 4}
    assert told["templates_known"] == 12


def test_the_same_instance_in_both_stops_the_run(train, test_set):
    with pytest.raises(Leakage, match=r"mis-00003 \(test\) and mis-00003 \(train\)"):
        apart(train, Dataset.from_milps([test_set[0], train[2]], ["mis-00001", "mis-00003"]))


def test_an_isomorphic_instance_under_another_name_stops_the_run(train, test_set):
    rng = np.random.default_rng(0)
    other = permuted(train[5], rng.permutation(train[5].n_rows), rng.permutation(train[5].n_cols))
    with pytest.raises(Leakage, match="other"):
        apart(train, Dataset.from_milps([*test_set, other], [*test_set.names, "other"]))


def test_an_instance_generated_from_a_test_instance_stops_the_run(train, test_set, tmp_path):
    made = generated_from(test_set, 3, tmp_path / "from-test")
    with pytest.raises(Leakage):
        apart(train, test_set, made=made)


def test_a_name_in_both_sets_is_told_apart_by_the_distance_to_the_template(
    train, test_set, generated
):
    assert set(train.names) >= set(test_set.names)
    known = identify({"train": train, "test": test_set}, {"made": generated})
    structures = {one.name: one.structure for one in known["train"]}
    for one, record in zip(known["made"], generated.manifest, strict=True):
        assert one.parent == structures[record["parent"]]


def test_a_template_that_is_in_no_set_is_not_invented(test_set, generated):
    others = test_set.subset([0, 1])
    known = identify({"train": others, "test": test_set.subset([2, 3])}, {"made": generated})
    assert all(one.parent is None and one.parent_is_known for one in known["made"])


def test_children_of_one_template_are_kin(train, generated):
    known = identify({"train": train, "test": train.subset([])}, {"made": generated})["made"]
    parents = [one.parent for one in known]
    first = next(i for i, p in enumerate(parents) if parents.count(p) > 1)
    same = [one for one in known if one.parent == parents[first]]
    with pytest.raises(Leakage):
        require_apart({"train": same[:1], "validation": same[1:]})
