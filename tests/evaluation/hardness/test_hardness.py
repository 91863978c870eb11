"""Hardness from ledgers: censoring, pairing, agreement, refused lines."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import CensoredData, ecdf, ks_2samp, logrank

from g2milp.errors import DamagedArtifact
from g2milp.evaluation.hardness.agreement import agreements
from g2milp.evaluation.hardness.compare import compare_hardness
from g2milp.evaluation.hardness.records import efforts, read_solves
from g2milp.evaluation.hardness.survival import log_rank, median, restricted_mean, survival
from g2milp.evaluation.validity.verdicts import validity


def line(name: str, work: float, **changed: object) -> dict[str, object]:
    return {
        "instance": name, "instance_hash": f"hash-{name}", "solver": "highs",
        "solver_version": "1", "settings_hash": "s", "seed": 0, "status": "optimal",
        "objective": 3.0, "bound": 3.0, "nodes": int(work // 10), "lp_iterations": int(work),
        "work": work, "root_gap": None, "seconds": work / 100, "checked": "exact",
        "threads": 1, "message": "", "schema_version": 1, **changed,
    }  # fmt: skip


def solves(tmp_path: Path, lines: list[dict[str, object]]):
    path = tmp_path / "ledger.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in lines))
    return read_solves([path])


@pytest.mark.parametrize("seed", range(10))
def test_survival_and_log_rank_equal_scipy(seed: int):
    rng = np.random.default_rng(seed)
    x, y = np.ceil(rng.exponential(20, 30)), np.ceil(rng.exponential(30, 25))
    cx, cy = rng.random(30) < 0.3, rng.random(25) < 0.3
    held = [CensoredData(uncensored=v[~c], right=v[c]) for v, c in ((x, cx), (y, cy))]
    times, running = survival(x, cx)
    assert running == pytest.approx(ecdf(held[0]).sf.evaluate(times), abs=1e-12)
    assert log_rank(x, cx, y, cy) == pytest.approx(logrank(*held).pvalue, abs=1e-9)


def test_restricted_mean_and_median():
    values, censored = np.array([1.0, 2.0, 4.0, 4.0]), np.array([False, False, True, True])
    assert restricted_mean(values, censored, 4.0) == pytest.approx(11 / 4)
    assert median(values, censored) == 2.0
    assert median(values, np.array([False, True, True, True])) is None
    assert restricted_mean(values, np.zeros(4, bool), 4.0) == pytest.approx(values.mean())


def test_means_ratio_and_error(tmp_path: Path):
    names = [f"r{i}" for i in range(30)]
    lines = [line(name, 100.0 + 10 * i) for i, name in enumerate(names)]
    lines += [line(f"g{i}", 2 * (200.0 + 10 * i) - 100) for i in range(30)]
    found = compare_hardness(
        solves(tmp_path, lines),
        [f"hash-{n}" for n in names],
        [f"hash-g{i}" for i in range(30)],
        list(range(30)),
    )
    work = next(h for h in found if h.measure == "work")
    reference = np.array([100.0 + 10 * i for i in range(30)])
    made = 2 * (reference + 100) - 100
    assert work.reference.mean == pytest.approx(reference.mean())
    assert work.relative_error == pytest.approx(made.mean() / reference.mean() - 1)
    assert work.ratio == pytest.approx(2.0)  # with the shift of 100
    assert work.interval == pytest.approx((2.0, 2.0))
    assert work.pairs == 30
    assert work.distribution_distance == pytest.approx(ks_2samp(reference, made).statistic)
    assert {h.measure for h in found} == {"work", "nodes", "lp_iterations", "seconds"}


def test_unpaired_ratio_has_a_wider_interval(tmp_path: Path):
    rng = np.random.default_rng(0)
    base = rng.lognormal(5, 1, 40)
    lines = [line(f"r{i}", w) for i, w in enumerate(base)]
    lines += [line(f"g{i}", w * 1.1) for i, w in enumerate(base)]
    arguments = (
        solves(tmp_path, lines),
        [f"hash-r{i}" for i in range(40)],
        [f"hash-g{i}" for i in range(40)],
    )
    paired = compare_hardness(*arguments, list(range(40)))[0]
    unpaired = compare_hardness(*arguments, [-1] * 40)[0]
    assert unpaired.pairs == 0
    assert paired.ratio == pytest.approx(unpaired.ratio, rel=0.01)
    width = [h.interval[1] - h.interval[0] for h in (paired, unpaired)]
    assert width[0] < width[1] / 3


def test_seeds_are_averaged_and_limits_are_censored(tmp_path: Path):
    lines = [line("a", 99.0), line("a", 399.0, seed=1), line("b", 50.0, status="time_limit")]
    lines.append(line("c", 5.0, status="infeasible", objective=None))
    found = efforts(solves(tmp_path, lines), ["hash-a", "hash-b", "hash-c"], "work")
    assert found.index.tolist() == [0, 1]
    assert found.values == pytest.approx([199.0, 50.0])
    assert found.censored.tolist() == [False, True]


def test_solvers_that_disagree_are_named(tmp_path: Path):
    lines = [line(f"i{k}", 10.0 * k) for k in range(4)]
    lines += [line(f"i{k}", 7.0 * k, solver="scip") for k in range(3)]
    lines.append(line("i3", 1.0, solver="scip", objective=4.0))
    (found,) = agreements(solves(tmp_path, lines), [f"hash-i{k}" for k in range(4)])
    assert found.solvers == ("highs", "scip")
    assert found.same_objective == 0.75
    assert found.disagreements == ("i3",)


def test_validity_counts_claims_and_certificates(tmp_path: Path):
    lines = [
        line("a", 1.0),
        line("b", 1.0, status="infeasible", objective=None, bound=None),
        line("c", 1.0, status="unbounded", objective=None, bound=None),
        line("d", 1.0, checked="wrong"),
    ]
    names = ["a", "b", "c", "d", "e", "f"]
    found = validity(
        names, [f"hash-{n}" for n in names], solves(tmp_path, lines), {"e": True, "f": False}
    )
    assert found.feasible == pytest.approx(2 / 6)
    assert (found.infeasible, found.unbounded) == (pytest.approx(1 / 6), pytest.approx(1 / 6))
    assert found.unknown == pytest.approx(2 / 6)
    assert (found.certified, found.refused) == (pytest.approx(1 / 6), pytest.approx(1 / 6))
    assert found.wrong == pytest.approx(1 / 6)
    assert found.infeasible_names == ("b",)


def test_infeasible_beside_a_point_is_a_wrong_claim(tmp_path: Path):
    lines = [
        line("a", 1.0),
        line("a", 1.0, solver="scip", status="infeasible", objective=None, bound=None),
        line("b", 1.0, status="infeasible", objective=None, bound=None),
        line("c", 1.0, status="infeasible", objective=None, bound=None),
    ]
    names = ["a", "b", "c"]
    found = validity(names, [f"hash-{n}" for n in names], solves(tmp_path, lines), {"b": True})
    assert found.wrong == pytest.approx(2 / 3)
    assert found.feasible == pytest.approx(2 / 3)
    assert found.infeasible_names == ("c",)


def test_a_gap_of_rounding_is_no_gap(tmp_path: Path):
    lines = [line("a", 1.0, root_gap=3e-17), line("b", 1.0, root_gap=0.25)]
    found = efforts(solves(tmp_path, lines), ["hash-a", "hash-b"], "root_gap")
    assert found.values == pytest.approx([0.0, 0.25])
    assert found.values[0] == 0.0


def test_lines_that_are_no_solves_are_refused(tmp_path: Path):
    with pytest.raises(DamagedArtifact, match="no solve"):
        solves(tmp_path, [{"instance": "x"}])
