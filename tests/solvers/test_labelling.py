"""Many solves: resumed, divided, killed, and always the same lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests_solvers_instances import milp_of

from g2milp.datasets.dataset import Dataset
from g2milp.errors import UnavailableError, UsageError
from g2milp.execution.ledger import merged, read
from g2milp.execution.shards import Shard
from g2milp.problems.registry import make_many
from g2milp.solvers.base import LARGEST_SEED, Limits, Status
from g2milp.solvers.labelling import Plan, label, parse_seeds
from g2milp.solvers.records import KEY, SCHEMA_VERSION, outcome_of
from g2milp.solvers.solution_files import read_solution

if TYPE_CHECKING:
    from pathlib import Path

    from g2milp.instance.milp import Milp
    from g2milp.solvers.base import Solver

DESIGNED = [
    "instance", "instance_hash", "solver", "solver_version", "settings_hash", "seed", "status",
    "objective", "bound", "nodes", "lp_iterations", "work", "root_gap", "seconds", "checked",
    "schema_version",
]  # fmt: skip
VARYING = ("seconds", "first_incumbent_seconds")
PLAN = Plan(seeds=(0, 1), limits=Limits(seconds=60))


@pytest.fixture(scope="module")
def data() -> Dataset:
    milps = list(make_many("setcover", 4, 0, n_rows=20, n_cols=30, density=0.12))
    return Dataset.from_milps(milps, [f"cover-{k}" for k in range(4)])


def lines(path: Path) -> list[dict[str, Any]]:
    without = [{k: v for k, v in r.items() if k not in VARYING} for r in read(path)]
    return sorted(without, key=lambda r: (r["instance"], r["seed"]))


def test_one_line_for_each_instance_and_seed(data: Dataset, tmp_path: Path) -> None:
    done = label(data, tmp_path / "led", PLAN)
    assert (done.new, done.found, done.statuses) == (8, 0, {"optimal": 8})
    found = list(read(tmp_path / "led"))
    assert {(r["instance"], r["seed"]) for r in found} == {
        (name, seed) for name in data.names for seed in (0, 1)
    }
    for record in found:
        assert set(DESIGNED) <= set(record)
        assert record["schema_version"] == SCHEMA_VERSION
        assert record["instance_hash"] == data.content_hash(data.names.index(record["instance"]))
        assert record["checked"] == "exact"
        assert record["settings"]["limits"] == {"seconds": 60.0}
        assert outcome_of(record).status is Status.OPTIMAL


def test_the_same_command_again_does_nothing(data: Dataset, tmp_path: Path) -> None:
    label(data, tmp_path, PLAN)
    before = (tmp_path / "part-1-of-1.jsonl").read_bytes()
    done = label(data, tmp_path, PLAN)
    assert (done.new, done.found) == (0, 8)
    assert (tmp_path / "part-1-of-1.jsonl").read_bytes() == before
    more = label(data, tmp_path, Plan(seeds=(0, 1, 2), limits=Limits(seconds=60)))
    assert (more.new, more.found) == (4, 8)
    other = label(data, tmp_path, Plan(seeds=(0,), limits=Limits(seconds=61)))
    assert (other.new, other.found) == (4, 0)


def test_lines_do_not_depend_on_jobs_shards_or_cuts(data: Dataset, tmp_path: Path) -> None:
    label(data, tmp_path / "one.jsonl", PLAN, jobs=1)
    label(data, tmp_path / "two", PLAN, jobs=2)
    for index in (2, 0, 1):
        label(data, tmp_path / "shards", PLAN, shard=Shard(index, 3))
    whole = (tmp_path / "one.jsonl").read_bytes()
    (tmp_path / "cut.jsonl").write_bytes(whole[: len(whole) // 2])
    label(data, tmp_path / "cut.jsonl", PLAN)
    expected = lines(tmp_path / "one.jsonl")
    for name in ("two", "shards", "cut.jsonl"):
        assert lines(tmp_path / name) == expected
    assert len(list(merged(tmp_path / "shards", KEY))) == 8


def test_equal_instances_are_solved_once(tmp_path: Path) -> None:
    milp = milp_of([{0: 1}], [1], [2], [1])
    done = label(Dataset.from_milps([milp, milp], ["a", "b"]), tmp_path, PLAN)
    assert (done.new, done.found) == (2, 2)


def test_an_interrupted_run_keeps_what_it_has(data: Dataset, tmp_path: Path) -> None:
    def stop(record: dict[str, Any] | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        label(data, tmp_path, PLAN, progress=stop)
    assert len(list(read(tmp_path))) == 1
    assert label(data, tmp_path, PLAN).new == 7


def test_solutions_are_kept_on_request(data: Dataset, tmp_path: Path) -> None:
    label(data, tmp_path, Plan(seeds=(0, 1), save_solutions=True))
    for k, name in enumerate(data.names):
        point, claimed = read_solution(data[k], tmp_path / "solutions" / f"{name}.sol")
        assert data[k].objective @ point == claimed
    assert "solution" not in next(iter(read(tmp_path)))


def test_an_instance_a_solver_cannot_take_is_a_line(tmp_path: Path) -> None:
    milps = [milp_of([{0: 1}], [1], [1e30], [1]), milp_of([{0: 1}], [1], [2], [1])]
    done = label(milps, tmp_path, Plan(seeds=(0,)))
    assert done.statuses == {"error": 1, "optimal": 1}
    (failed,) = [r for r in read(tmp_path) if r["status"] == "error"]
    assert "1e+30" in failed["message"]


def test_badly_scaled_instances_get_a_second_opinion(tmp_path: Path) -> None:
    bad = milp_of([{0: 1e9, 1: 1}], [1], [2e9], [1, 1], kinds=[1, 1], col_upper=[3, 3])
    good = milp_of([{0: 3, 1: 1}], [1], [7], [1, 1], kinds=[1, 1], col_upper=[3, 3])
    data = Dataset.from_milps([bad, good], ["bad", "good"])
    label(data, tmp_path / "auto", Plan(seeds=(0,)))
    label(data, tmp_path / "all", Plan(seeds=(0,), cross_check=1.0))
    label(data, tmp_path / "none", Plan(seeds=(0,), cross_check=None))
    levels = {
        name: {r["instance"]: r["checked"] for r in read(tmp_path / name)}
        for name in ("auto", "all", "none")
    }
    assert levels == {
        "auto": {"bad": "cross_checked", "good": "exact"},
        "all": {"bad": "cross_checked", "good": "cross_checked"},
        "none": {"bad": "exact", "good": "exact"},
    }


def test_unreadable_files_are_named_and_the_rest_is_solved(tmp_path: Path) -> None:
    from g2milp.instance.io.files import write_file

    (tmp_path / "data").mkdir()
    write_file(milp_of([{0: 1}], [1], [2], [1]), tmp_path / "data" / "good.mps")
    (tmp_path / "data" / "bad.mps").write_text("this is no model\n")
    done = label(tmp_path / "data", tmp_path / "led", PLAN)
    assert done.new == 2
    assert [name for name, _ in done.unreadable] == ["bad"]


def test_every_solver_labels(solver: Solver, data: Dataset, tmp_path: Path) -> None:
    label(data, tmp_path, Plan(solver=solver.name, seeds=(0,)))
    objectives = [r["objective"] for r in read(tmp_path)]
    label(data, tmp_path, Plan(solver="highs", seeds=(5,)))
    again = [r["objective"] for r in read(tmp_path) if r["seed"] == 5]
    assert objectives == again


def test_a_limit_the_solver_lacks_is_refused_before_anything(data: Dataset, tmp_path: Path) -> None:
    with pytest.raises(UnavailableError, match="highs has no iteration limit"):
        label(data, tmp_path / "led", Plan(limits=Limits(iterations=5)))
    assert not (tmp_path / "led").exists()


@pytest.mark.parametrize("wrong", [{"seeds": ()}, {"seeds": (1, 1)}, {"cross_check": 1.5}])
def test_senseless_plans(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Plan(**wrong)


@pytest.mark.parametrize("seeds", [(LARGEST_SEED + 1,), (-1, 0)])
def test_seeds_that_no_solver_takes_are_refused(seeds: tuple[int, ...]) -> None:
    with pytest.raises(UsageError, match="seeds lie in"):
        Plan(seeds=seeds)


def test_every_solver_takes_the_largest_seed(solver: Solver, knapsack: Milp) -> None:
    outcome = solver.solve(knapsack, seed=LARGEST_SEED)
    assert (outcome.status, outcome.message) == (Status.OPTIMAL, "")


def test_seeds() -> None:
    assert parse_seeds(3, 7) == (7, 8, 9)
    with pytest.raises(UsageError):
        parse_seeds(0)


def test_lines_are_strict_json(data: Dataset, tmp_path: Path) -> None:
    label(data, tmp_path / "x.jsonl", Plan(seeds=(0,), limits=Limits(nodes=0)))
    for text in (tmp_path / "x.jsonl").read_text().splitlines():
        json.loads(text, parse_constant=lambda name: pytest.fail(name))
