"""The tokens of an LP file, read from left to right."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from g2milp.instance.io.lp.tokens import SECTION, Tokens, is_name, is_number
from g2milp.instance.io.numbers import parse_number

if TYPE_CHECKING:
    from g2milp.instance.io.rules import Decisions

INFINITE_WORDS = ("inf", "infinity")
RELATIONS = {"<": "<", "<=": "<", "=<": "<", ">": ">", ">=": ">", "=>": ">", "=": "="}


class Stream:
    """A position in the tokens of a file; ``""`` is the token behind the last."""

    def __init__(self, tokens: Tokens, decisions: Decisions) -> None:
        self.tokens = tokens
        self.decisions = decisions
        self.at = 0
        self._numbers: dict[str, float] = {}

    def peek(self, ahead: int = 0) -> str:
        """The token that comes, or one behind it."""
        words = self.tokens.text
        at = self.at + ahead
        return words[at] if at < len(words) else ""

    def next(self) -> str:
        """Take one token."""
        word = self.peek()
        self.at += 1
        return word

    @property
    def line(self) -> int:
        """The line of the token that comes; at the end, the last line."""
        lines = self.tokens.line
        return lines[self.at] if self.at < len(lines) else self.tokens.n_lines

    @property
    def last_line(self) -> int:
        """The line of the token that was taken last."""
        return self.tokens.line[self.at - 1] if self.at else 1

    def at_section(self) -> bool:
        """Whether a section or the end of the file comes."""
        word = self.peek()
        return not word or word[0] == SECTION

    def label(self) -> str | None:
        """Take ``name:`` where it comes; before a colon a number is a name, too."""
        name = self.peek()
        if self.peek(1) == ":" and (is_name(name) or is_number(name)):
            self.at += 2
            return name
        return None

    def number(self, word: str) -> float:
        """The value of a number token."""
        value = self._numbers.get(word)
        if value is None:
            value = self._numbers[word] = parse_number(
                word.encode("utf-8"), self.last_line, self.decisions
            )
        return value

    def starts_value(self) -> bool:
        """Whether a number or an infinity comes, perhaps with a sign."""
        ahead = 1 if self.peek() in ("+", "-") else 0
        word = self.peek(ahead)
        return bool(word) and (is_number(word) or word.lower() in INFINITE_WORDS)

    def value(self) -> float:
        """Take a number or an infinity, perhaps with a sign."""
        sign = -1.0 if self.peek() == "-" else 1.0
        if self.peek() in ("+", "-"):
            self.next()
        word = self.peek()
        if word and is_number(word):
            return sign * self.number(self.next()) + 0.0
        if word.lower() in INFINITE_WORDS:
            self.next()
            return sign * float("inf")
        self.expected("a number")

    def relation(self) -> str:
        """Take a relation: ``<``, ``>`` or ``=``."""
        found = RELATIONS.get(self.peek())
        if found is None:
            self.expected("<=, >= or =")
        self.next()
        return found

    def expected(self, what: str) -> NoReturn:
        """Refuse the token that comes."""
        word = self.peek()
        if word in ("[", "^", "*"):
            self.decisions.not_a_milp(self.line, "quadratic terms")
        if word in ("->", "<->"):
            self.decisions.not_a_milp(self.line, "indicator constraints")
        if word == "::":
            self.decisions.not_a_milp(self.line, "special ordered sets or general constraints")
        shown = "the end of the section" if self.at_section() else repr(word[:60])
        self.decisions.refuse("fields", self.line, f"{shown} where {what} should be")
