"""The lab: every step is done once, and what is different never shares a place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from g2milp.errors import UsageError
from g2milp.experiments.grid import measured
from g2milp.experiments.lab import Lab, Recipe, cells
from g2milp.experiments.scales import SMOKE

REWIRED = Recipe(of="mis", generator="rewire", mask_ratio=0.5)


def stamps(folder) -> dict[str, int]:
    return {str(p): p.stat().st_mtime_ns for p in folder.rglob("*") if p.is_file()}


def test_a_second_lab_finds_everything(lab: Lab):
    first = lab.made(REWIRED)
    lab.scores("mis", first, suite="g2milp-2023")
    before = stamps(lab.folder)
    again = Lab(folder=lab.folder, scale=lab.scale, solver="highs")
    assert list(again.made(REWIRED)) == list(first)
    again.scores("mis", again.made(REWIRED), suite="g2milp-2023")
    assert stamps(lab.folder) == before


@pytest.mark.parametrize(
    "other",
    [
        replace(REWIRED, mask_ratio=0.4),
        replace(REWIRED, order="ascending"),
        replace(REWIRED, certify="feasible"),
        replace(REWIRED, learned_from=2),
        replace(REWIRED, generator="random"),
    ],
)
def test_other_recipes_have_other_places(lab: Lab, other: Recipe):
    one, two = lab.made(REWIRED), lab.made(other)
    assert one.paths[0].parent != two.paths[0].parent
    if other.certify is None:  # 0 is feasible in every independent set problem: nothing to repair
        assert one.hash != two.hash


def test_fresh_instances_are_others(lab: Lab):
    hashes = [lab.real("mis").content_hash(i) for i in range(len(lab.real("mis")))]
    fresh = lab.fresh("mis")
    assert not {fresh.content_hash(i) for i in range(len(fresh))} & set(hashes)


def test_only_what_was_learned_from_is_a_template(lab: Lab):
    made = lab.made(replace(REWIRED, learned_from=1))
    assert {record["parent"] for record in made.manifest} == {lab.real("mis").names[0]}


def test_effort_is_paired_with_the_templates(lab: Lab):
    found = lab.effort("mis", lab.made(REWIRED), "nodes")
    assert found.solver == "highs"
    assert found.comparison is not None
    assert found.comparison.pairs == lab.size("mis").solved
    assert sum(found.statuses.values()) == lab.size("mis").solved * lab.scale.solver_seeds


def test_an_exact_copy_takes_exactly_the_same_effort(lab: Lab):
    made = lab.made(Recipe(of="mis", generator="copy"))
    comparison = lab.effort("mis", made, "work").comparison
    assert comparison is not None
    assert comparison.ratio == 1.0
    assert comparison.interval == (1.0, 1.0)


def test_a_ready_model_is_not_used_where_only_few_instances_may_be_known(lab: Lab, tmp_path):
    lab.models["mis/best"] = tmp_path / "nowhere"
    with pytest.raises(UsageError, match="no model folder"):
        lab.generator("mis", "best")
    assert lab.generator("mis", "best", learned_from=2).is_fitted


def test_a_step_is_done_once(lab: Lab):
    calls = []
    for _ in range(2):
        assert lab.once("steps", ("a", 1), lambda: calls.append(1) or [1, 2]) == [1, 2]
    assert lab.once("steps", ("a", 2), lambda: 3) == 3
    assert len(calls) == 1


def test_results_name_no_folder_of_this_machine(lab: Lab):
    def fail(data):
        raise UsageError(f"{lab.folder}/x cannot be read:\nline 3")

    found = measured(lab, REWIRED, "c", fail)
    assert found.note == "…/x cannot be read"


def test_the_series_of_bounds_is_read_as_it_is_meant(tmp_path):
    """BV and then FX: the file is refused unless it is said which one counts."""
    folder = tmp_path / "mipcc23" / "vary_bounds_series_2"
    folder.mkdir(parents=True)
    text = "NAME a\nROWS\n N c\n L r\nCOLUMNS\n x c 1 r 1\n y c 1 r 1\nRHS\n R r 1\nBOUNDS\n"
    text += " BV B x\n FX B x 0\n BV B y\nENDATA\n"
    (folder / "i01.mps").write_text(text, encoding="utf-8")
    lab = Lab(folder=tmp_path / "lab", scale=SMOKE, data=tmp_path)
    assert list(lab.real("bounds-series")[0].col_upper) == [0.0, 1.0]


def test_real_sets_need_their_folder(lab: Lab):
    with pytest.raises(UsageError, match="--data"):
        lab.real("nurse")


def test_generators_without_a_mask_ratio_have_one_cell():
    assert cells(("bowly", "random"), SMOKE.large_ratios) == [
        ("bowly", 0.1),
        ("random", 0.1),
        ("random", 0.5),
    ]
