"""The guard: kin in two sets stop the run, and names alone accuse nobody."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from downstream_sets import generated_from, independent_sets

from g2milp.datasets.dataset import Dataset
from g2milp.datasets.manifest import write_manifest
from g2milp.downstream.augmentation import Augmentation
from g2milp.downstream.labels import Label
from g2milp.downstream.layout import gather
from g2milp.downstream.leakage import Leakage, fingerprint, identify, require_apart
from g2milp.generation.contract import Sample, Samples
from g2milp.generation.novelty import changes
from g2milp.generation.writing import write
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
    assert all(one.parent_is_known and not one.parent_is_here for one in known["made"])


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
        assert known[0].parent == fingerprint(own)
        by_hash.append(fingerprint(other) < fingerprint(own))
    assert any(by_hash)


def test_children_of_one_template_are_kin(train, generated):
    known = identify({"train": train, "test": train.subset([])}, {"made": generated})["made"]
    parents = [one.parent for one in known]
    first = next(i for i, p in enumerate(parents) if parents.count(p) > 1)
    same = [one for one in known if one.parent == parents[first]]
    with pytest.raises(Leakage):
        require_apart({"train": same[:1], "validation": same[1:]})


def test_siblings_are_kin_though_their_template_is_in_no_set(train, test_set, tmp_path):
    other = independent_sets(1, seed=3)
    known = identify(
        {"train": train, "test": generated_from(other, 2, tmp_path / "tested")},
        {"made": generated_from(other, 2, tmp_path / "learned", seed=5)},
    )
    told = require_apart({"test": known["test"]})
    assert (told["templates_known"], told["templates_elsewhere"]) == (0, 2)
    with pytest.raises(Leakage):
        require_apart({"train": known["made"], "test": known["test"]})


def test_a_child_of_which_every_row_changed_is_still_a_child(train, test_set, tmp_path):
    made = generated_from(test_set, 3, tmp_path / "all", "random", mask_ratio=1.0)
    records = [{**r, "changed_cols": m.n_cols} for r, m in zip(made.manifest, made, strict=True)]
    write_manifest(tmp_path / "all", records, overwrite=True)
    with pytest.raises(Leakage):
        apart(train, test_set, made=Dataset.open(tmp_path / "all"))


def test_the_constant_and_the_sense_of_an_objective_hide_nothing(train, test_set):
    """The graph that is learned from has neither."""
    own = train[2]
    costs = -own.objective
    costs.flags.writeable = False
    turned = replace(own, objective=costs, sense="min", offset=7.0)
    assert own.sense == "max"
    with pytest.raises(Leakage, match="turned"):
        apart(train, Dataset.from_milps([*test_set, turned], [*test_set.names, "turned"]))


def test_a_pool_cannot_hide_behind_another_of_its_name(train, test_set, tmp_path):
    """Two folders of one mixture may be called alike."""
    cheat = generated_from(test_set, 3, tmp_path / "a" / "new")
    good = generated_from(train, 3, tmp_path / "b" / "new")
    labels = {
        data.content_hash(i): Label(1.0, "optimal")
        for data in (train, test_set, cheat, good)
        for i in range(len(data))
    }
    mixture = Augmentation("mix", (tmp_path / "a" / "new", tmp_path / "b" / "new"))
    with pytest.raises(Leakage):
        gather(train, test_set, {mixture: [cheat, good]}, labels)
    sets = gather(train, test_set, {mixture: [good, good]}, labels)
    assert set(sets.known) == {"train", "test", "mix: 1 new", "mix: 2 new"}
