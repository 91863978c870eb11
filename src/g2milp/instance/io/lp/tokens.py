"""LP text into tokens: numbers, names, operators and, at the start of a line, section keywords."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from g2milp.instance.io.sidetable import MARK, SideTable

if TYPE_CHECKING:
    from g2milp.instance.io.limits import ReadLimits
    from g2milp.instance.io.rules import Decisions

SECTION = "\0"
"""First character of a token that starts a section; the name of the section follows."""

_TOKEN = re.compile(
    r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"  # a number
    r"|<=|=<|>=|=>|->|::|[<>=+\-:^*/\[\]|]"  # an operator
    r"|(?!\.[0-9])[^\s0-9<>=+\-:^*/\[\]|\\][^\s<>=+\-:^*/|\\]*"  # a name
    r"|\S",
    re.ASCII,
)
_GLUED = re.compile(
    r"(?<![^\s<>=+\-:^*/\[\]|])(?>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)"
    r"([^\s<>=+\-:^*/\[\]|])[^\s<>=+\-:^*/\[\]|]*",
    re.ASCII,
)
_DIGITS = frozenset("0123456789")
_OPERATORS = frozenset("<>=+-:^*/[]|")

_SECTIONS = {
    "objective min": ("minimize", "minimum", "min"),
    "objective max": ("maximize", "maximum", "max"),
    "rows": ("subject to", "such that", "st", "s.t.", "st."),
    "bounds": ("bounds", "bound"),
    "general": ("generals", "general", "gen", "integers", "integer", "int"),
    "binary": ("binaries", "binary", "bin"),
    "semi": ("semi-continuous", "semis", "semi"),
    "end": ("end",),
}
_UNSUPPORTED = {
    "sos": "special ordered sets (SOS)",
    "sos1": "special ordered sets (SOS1)",
    "sos2": "special ordered sets (SOS2)",
    "pwlobj": "a piecewise linear objective (PWLObj)",
    "general constraints": "general constraints",
    "general constraint": "general constraints",
    "gencons": "general constraints",
    "lazy constraints": "lazy constraints",
    "user cuts": "user cuts",
    "scenario": "scenarios",
    "multi-objectives": "several objectives",
}
_MISSPELT = ("minimise", "maximise", "subject", "such", "lazy", "user", "sin", "semi-integer")
KEYWORDS = {word: section for section, words in _SECTIONS.items() for word in words}
RESERVED = frozenset(
    [*KEYWORDS, *_UNSUPPORTED, *_MISSPELT, "free", "inf", "infinity", "infinite", "nan"]
)
"""Words that no row or column can be called in an LP file, in lower case."""

_KEYWORD = re.compile(
    r"\s*("
    + "|".join(sorted(map(re.escape, [*KEYWORDS, *_UNSUPPORTED]), key=len, reverse=True)).replace(
        r"\ ", r"[ \t]+"
    )
    + r")(?=\s|$|:)",
    re.IGNORECASE | re.ASCII,
)


@dataclass
class Tokens:
    """The tokens of a file and the line of each."""

    text: list[str] = field(default_factory=list)
    line: array[int] = field(default_factory=lambda: array("i"))
    side_table: SideTable = field(default_factory=SideTable)
    n_lines: int = 0


def tokenise(text: str, decisions: Decisions, limits: ReadLimits) -> Tokens:
    """Split a whole file; comments go, structured ones into the side table."""
    tokens = Tokens()
    words, lines = tokens.text, tokens.line
    find = _TOKEN.findall
    for number, line in enumerate(text.split("\n"), start=1):
        if not line:
            continue
        if len(line) > limits.line_bytes:
            decisions.refuse(
                "limits", number, f"a line of more than {limits.line_bytes:,} characters"
            )
        if "\\" in line:
            line, _, comment = line.partition("\\")
            if not line.strip() and comment.startswith(MARK.decode()):
                payload = comment[len(MARK) :].encode("utf-8")
                tokens.side_table.add(payload, number, decisions)
        keyword = _KEYWORD.match(line)
        if keyword:
            _add_section(keyword, line, number, tokens, decisions)
            line = line[keyword.end() :]
        found = find(line)
        words += found
        lines.extend([number] * len(found))
        if found:
            _check_spacing(line, number, decisions)
    tokens.n_lines = max(text.rstrip("\n").count("\n") + 1, 1)
    return tokens


def is_number(token: str) -> bool:
    """Whether a token is a number without sign."""
    return token[0] in _DIGITS or (token[0] == "." and token[1:2] in _DIGITS)


def is_name(token: str) -> bool:
    """Whether a token is a name (or an odd character that is refused later)."""
    first = token[0]
    return first not in _OPERATORS and first != SECTION and not is_number(token)


def _add_section(
    keyword: re.Match[str], line: str, number: int, tokens: Tokens, decisions: Decisions
) -> None:
    word = " ".join(keyword[1].lower().split())
    if line[keyword.end() :].lstrip().startswith(":"):
        decisions.refuse(
            "keyword-name", number, f"{keyword[1]!r} is a keyword, so nothing can be called so"
        )
    if word in _UNSUPPORTED:
        decisions.not_a_milp(number, _UNSUPPORTED[word])
    tokens.text.append(SECTION + KEYWORDS[word])
    tokens.line.append(number)


def _check_spacing(line: str, number: int, decisions: Decisions) -> None:
    """A number that runs into a name (``3x``) is a coefficient to some and a name to others."""
    for glued in _GLUED.finditer(line):
        if not (glued[1].isalpha() or glued[1] == "_"):
            decisions.refuse("number", number, f"{glued[0][:40]!r} is not a decimal number")
        decisions.decide(
            "glued-coefficient", number, f"{glued[0][:40]!r}: no blank between number and name"
        )
