from __future__ import annotations

from g2milp.datasets.summary import instance_size, summarise
from g2milp.problems.registry import make_many
from g2milp.testing import tiny_milps


def test_counts_of_one_instance() -> None:
    size = instance_size(tiny_milps()["semi"])
    assert (size.rows, size.cols, size.semi, size.continuous) == (1, 2, 2, 0)
    assert instance_size(tiny_milps()["equality"]).equalities == 2
    assert instance_size(tiny_milps()["range"]).ranges == 1
    assert instance_size(tiny_milps()["free row"]).free_rows == 1
    assert instance_size(tiny_milps()["knapsack"]).binary == 3


def test_the_table_of_a_set() -> None:
    summary = summarise([*make_many("mis", 3, 0), *make_many("setcover", 1, 0)])
    assert (summary.instances, summary.minimise, summary.maximise) == (4, 1, 3)
    assert summary.counts["cols"].mean == (3 * 500 + 1000) / 4
    assert summary.counts["rows"].min == 500
    assert summary.counts["nonzeros"].max == 25_000


def test_nothing() -> None:
    assert summarise([]).counts == {}
