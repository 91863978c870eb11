"""The rules: documented, and each of them can be met and accepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from g2milp.errors import UsageError
from g2milp.instance.io.rules import RULES, Decisions, parse_accept

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "reading.md"


@pytest.mark.parametrize("rule", RULES.values(), ids=lambda rule: rule.name)
def test_every_rule_is_documented(rule) -> None:
    text = DOCUMENT.read_text("utf-8")
    assert f"| `{rule.name}` | {rule.construct} |" in text
    for meaning in rule.meanings.values():
        assert meaning in text


def test_the_first_meaning_is_the_default() -> None:
    assert parse_accept(["negative-up"]) == {"negative-up": "minus-infinity"}
    assert parse_accept("latin-1") == {"latin-1": "decode"}
    assert parse_accept(["negative-up=zero", "negative-up=zero"]) == {"negative-up": "zero"}


def test_an_unknown_rule_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="latin-1"):
        parse_accept(["latin1"])


def test_notes_count_and_name_the_first_line() -> None:
    decisions = Decisions("file", ["lower-case"])
    assert decisions.decide("lower-case", 3, "x") == "read"
    assert decisions.decide("lower-case", 7, "x") == "read"
    decisions.remark("something else")
    assert decisions.notes() == ("lower-case=read: 2 × (first in line 3)", "something else")
