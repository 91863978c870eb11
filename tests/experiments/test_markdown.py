"""Wide tables are split by data set, then by columns; nothing is lost and nothing is repeated."""

from __future__ import annotations

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.markdown import MOST_COLUMNS, tables


def outcome(*columns: str, rows: tuple[str, ...] = ("one", "two")) -> Outcome:
    cells = [
        Finding(row=row, column=column, value=1 + 0.001 * (10 * i + j))
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    ]
    return Outcome(findings=tuple(cells))


def widths(text: str) -> list[int]:
    return [line.count("---|") - 1 for line in text.splitlines() if line.startswith("|---")]


def test_a_narrow_table_stays_one():
    text = tables(outcome("MIS, v1", "SetCover, v1", "MIK look-alike, v1"))
    assert widths(text) == [3]
    assert "| MIS, v1 |" in text


def test_a_wide_one_is_split_by_data_set():
    columns = [f"{of}, {m}" for m in ("v1", "energy", "AUC") for of in ("MIS", "SetCover")]
    text = tables(outcome(*columns))
    assert widths(text) == [3, 3]
    assert text.index("**MIS**") < text.index("**SetCover**")
    assert text.count("| | v1 | energy | AUC |") == 2
    assert text.count("**1.") == 12


def test_one_data_set_is_split_by_columns():
    columns = ["g2milp-2023", *(f"MIK look-alike, {m}" for m in "abcdefgh")]
    text = tables(outcome(*columns))
    assert text.count("**MIK look-alike**") == 1
    assert sum(widths(text)) == 9
    assert max(widths(text)) <= MOST_COLUMNS
    assert text.count("| one |") == len(widths(text)) == 3


def test_a_mean_and_what_is_derived_from_it_stay_together():
    effort = [f"MIK look-alike, {m} {e}" for e in ("seconds", "nodes") for m in ("mean", "error")]
    text = tables(outcome("one", "two", *effort, "MIK look-alike, ratio of nodes"))
    assert "| | one | two | mean seconds | error seconds |" in text
    assert "| | mean nodes | error nodes | ratio of nodes |" in text


def test_rows_without_a_cell_are_left_out():
    both = outcome(*(f"MIS, {m}" for m in "abc")).findings
    more = outcome(*(f"SetCover, {m}" for m in "abc"), rows=("two", "three")).findings
    text = tables(Outcome(findings=both + more))
    mis, setcover = text.split("**SetCover**")
    assert "| three |" not in mis
    assert "| one |" not in setcover


def test_a_title_that_begins_another_is_not_taken_for_it():
    names = ("nurse scheduling", "nurse scheduling, for training")
    text = tables(outcome(*(f"{of}, {m}" for of in names for m in "abc")))
    assert "**nurse scheduling, for training**" in text
