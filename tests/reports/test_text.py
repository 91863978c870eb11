from __future__ import annotations

import pytest

from g2milp.reports import text


def test_what_cannot_be_seen_is_shown():
    assert text.visible("a\u202eb\x1b[31m\u200bü") == "a\\u202eb\\x1b[31m\\u200bü"
    assert text.visible("plain") == "plain"


@pytest.mark.parametrize("longest", [5, 6, 80])
def test_long_names_keep_both_ends(longest: int):
    name = "abcdefghij" * 20
    cut = text.visible(name, longest)
    assert len(cut) == longest
    head, tail = cut.split("…")
    assert name.startswith(head)
    assert name.endswith(tail)
    assert text.visible("short", longest) == "short"


def test_lists():
    assert text.listed(["a"]) == "a"
    assert text.listed(["a", "b", "c"]) == "a, b and c"
