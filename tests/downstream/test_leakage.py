"""The guard: kin in two sets stop the run, and names alone accuse nobody."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from downstream_sets import generated_from

from g2milp.datasets.dataset import Dataset
from g2milp.downstream.leakage import Leakage, identify, require_apart
from g2milp.generation.contract import Sample, Samples
from g2milp.generation.novelty import changes
from g2milp.generation.writing import write
from g2milp.instance.fingerprint import structure_hash
from g2milp.instance.milp import Milp
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


def test_planted_programs_are_nobodys_children(train, test_set, tmp_path):
    """They share no row with their template, but by chance some columns with any instance."""
    made = generated_from(train, 12, tmp_path / "bowly", "bowly", integer_valued=True)
    records = made.manifest
    assert any(0 < record["changed_cols"] < made[i].n_cols for i, record in enumerate(records))
    known = identify({"train": train, "test": test_set}, {"made": made})["made"]
    assert all(one.parent is None for one in known)
    apart(train, test_set, made=made)


def foreign(milp: Milp, side: float) -> Milp:
    """Other rows, and every second variable another one."""
    costs = np.where(np.arange(milp.n_cols) % 2, 2.5, milp.objective)
    return replace(milp, row_upper=np.full(milp.n_rows, side), objective=costs)


def test_of_equal_candidates_the_learned_one_is_the_template(train, test_set, tmp_path):
    """Both instances of a name are equally far away: that is no evidence against the test set."""
    by_hash = []
    for k, name in enumerate(test_set.names):
        own, other = train[train.names.index(name)], test_set[k]
        milp = next(
            made
            for made in (foreign(own, side) for side in range(2, 60))
            if changes(own, made) == changes(other, made)
        )
        record = {"number": 0, "parent": name, **changes(own, milp)}
        sample = Sample(number=0, milp=milp, template_name=name, record=record)
        write(Samples([sample]), tmp_path / name)
        made = Dataset.open(tmp_path / name)
        known = identify({"train": train, "test": test_set}, {"made": made})["made"]
        assert known[0].parent == structure_hash(own)
        by_hash.append(structure_hash(other) < structure_hash(own))
    assert any(by_hash)


def test_children_of_one_template_are_kin(train, generated):
    known = identify({"train": train, "test": train.subset([])}, {"made": generated})["made"]
    parents = [one.parent for one in known]
    first = next(i for i, p in enumerate(parents) if parents.count(p) > 1)
    same = [one for one in known if one.parent == parents[first]]
    with pytest.raises(Leakage):
        require_apart({"train": same[:1], "validation": same[1:]})
