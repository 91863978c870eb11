"""Writes docs/reading.md, the table of reading rules: ``python docs/reading.py``."""

from __future__ import annotations

from pathlib import Path

from g2milp.instance.io.rules import RULES

TARGET = Path(__file__).with_name("reading.md")

HEAD = """\
# What is refused, and what can be accepted

Some constructs of MPS and LP files mean different things to different solvers. A file that has one
is refused with its line and the name of the rule. `--accept RULE` (or `accept=("RULE",)` in Python)
chooses the first meaning of the table, `--accept RULE=MEANING` another one. What was decided is
recorded in `Milp.notes` and shown by `g2milp info`.

| rule | construct | meanings, the default first |
|---|---|---|
"""


def page() -> str:
    """The whole page."""
    lines = [
        f"| `{rule.name}` | {rule.construct} | "
        + "; ".join(f"`{name}`: {words}" for name, words in rule.meanings.items())
        + " |\n"
        for rule in RULES.values()
    ]
    return HEAD + "".join(lines)


if __name__ == "__main__":
    TARGET.write_text(page(), encoding="utf-8")
