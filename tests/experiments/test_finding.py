"""Findings and their table survive JSON; the table is grouped by first appearance."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.markdown import digits, table

NUMBERS = st.floats(-1e9, 1e9)
FINDINGS = st.builds(
    Finding,
    row=st.sampled_from(["one", "two|2", "three"]),
    column=st.sampled_from(["a", "b"]),
    value=st.none() | NUMBERS,
    interval=st.none() | st.tuples(NUMBERS, NUMBERS),
    paper=st.none() | NUMBERS,
    count=st.none() | st.integers(0, 9),
    note=st.text(max_size=5),
    raw=st.lists(NUMBERS, max_size=3).map(tuple),
)


@given(st.lists(FINDINGS, max_size=6))
def test_json_keeps_everything(findings: list[Finding]):
    outcome = Outcome(findings=tuple(findings), notes=("n",), figures={"a.svg": "<svg/>"})
    there = json.loads(json.dumps(outcome.as_json(), allow_nan=False))
    assert Outcome.from_json(there, {"a.svg": "<svg/>"}) == outcome


@given(st.lists(FINDINGS, min_size=1, max_size=6))
def test_every_line_of_the_table_has_all_columns(findings: list[Finding]):
    outcome = Outcome(findings=tuple(findings))
    lines = table(outcome).splitlines()
    assert len(lines) == 2 + len(outcome.rows())
    bars = {line.replace("\\|", "").count("|") for line in lines}
    assert bars == {len(outcome.columns()) + 2}


def test_the_paper_stands_beside_our_number():
    found = Finding(row="r", column="c", value=0.9, interval=(0.85, 0.95), paper=0.895)
    assert "| r | **0.900** [0.850, 0.950] (paper 0.895) |" in table(Outcome(findings=(found,)))


def test_zero_is_a_number_and_nothing_is_none():
    zero = Finding(row="r", column="c", value=0.0, paper=0.0)
    assert "**0** (paper 0)" in table(Outcome(findings=(zero,)))
    none = Finding(row="r", column="c", value=None, note="no instance was solved")
    assert "| r | – no instance was solved |" in table(Outcome(findings=(none,)))


def test_digits():
    values = [0, 0.00123, 0.0123, 1.234, 12.34, 123.4, 12345.6]
    assert [digits(v) for v in values] == ["0", "0.0012", "0.012", "1.23", "12.3", "123", "12,346"]
    assert [digits(v) for v in (1.0, 2.0, 80.0, 1000.0, -3.0)] == ["1.00", "2", "80", "1,000", "-3"]
