"""From the text of an LP file to a `Milp`, strictly: one documented meaning, or a refusal.

A section keyword stands at the start of a line, a constraint and a bound begin on a line of their
own, a coefficient and its variable are separated by a blank. The variables are numbered in the
order in which the objective and the constraints name them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.errors import InvalidMilp
from g2milp.instance.io.characters import check_characters, refuse_control_characters
from g2milp.instance.io.limits import DEFAULT_LIMITS, ReadLimits
from g2milp.instance.io.lp.model import LpModel, assemble
from g2milp.instance.io.lp.stream import RELATIONS, Stream
from g2milp.instance.io.lp.tokens import RESERVED, SECTION, is_name, is_number, tokenise
from g2milp.instance.io.rules import Decisions
from g2milp.instance.io.twins import fold_twins

if TYPE_CHECKING:
    from collections.abc import Iterable

    from g2milp.instance.milp import Milp

_INFINITY = float("inf")


def loads(
    data: bytes,
    *,
    source: str = "<memory>",
    accept: Iterable[str] = (),
    limits: ReadLimits = DEFAULT_LIMITS,
) -> Milp:
    """Read the text of an LP file (CPLEX LP format).

    Parameters
    ----------
    data
        The text, UTF-8, not compressed.
    source
        What errors call the file.
    accept
        Rules whose construct is read instead of refused: `g2milp.instance.io.rules`.
    """
    decisions = Decisions(source, accept)
    text = check_characters(data, decisions)
    refuse_control_characters(text, decisions)
    tokens = tokenise(text.decode("utf-8"), decisions, limits)
    reader = _LpReader(Stream(tokens, decisions), decisions, limits)
    model = reader.read()
    try:
        milp = assemble(model, tokens.side_table, decisions)
        return fold_twins(milp, tokens.side_table, decisions)
    except InvalidMilp as error:
        decisions.refuse("instance", None, error.message)


class _LpReader:
    def __init__(self, stream: Stream, decisions: Decisions, limits: ReadLimits) -> None:
        self.stream = stream
        self.decisions = decisions
        self.limits = limits
        self.model = LpModel()
        self._checked: set[str] = set()

    def read(self) -> LpModel:
        """Read section by section up to End."""
        stream, decisions = self.stream, self.decisions
        self._objective()
        sections = {
            "rows": self._row,
            "bounds": self._bound,
            "general": self._general,
            "binary": self._binary,
            "semi": self._semi,
        }
        seen: dict[str, int] = {}
        ended = False
        while stream.peek():
            if not stream.at_section():
                stream.expected("a section")
            line, section = stream.line, stream.next()[1:]
            if section == "end":
                ended = True
                break
            if section.startswith("objective"):
                decisions.refuse("section", line, "a second objective")
            if section == "rows" and "rows" in seen:
                reason = f"this section comes twice (first in line {seen['rows']})"
                decisions.refuse("section", line, reason)
            if section == "rows" and seen:
                decisions.refuse("section", line, "the constraints come after other sections")
            seen.setdefault(section, line)
            while not stream.at_section():
                sections[section]()
        if not ended:
            reason = "the file ends without End: it is truncated, or no LP file"
            decisions.decide("no-end", stream.tokens.n_lines, reason)
        if stream.peek():
            decisions.decide("text-after-end", stream.line, "there is text after End")
        return self.model

    def _objective(self) -> None:
        stream, model = self.stream, self.model
        section = stream.peek()
        if not section.startswith(SECTION + "objective"):
            hint = "British spelling is no keyword: some readers drop the objective silently."
            if section in ("NAME", "ROWS", "*"):
                hint = "This looks like MPS: give the file a name that ends in .mps."
            self.decisions.refuse(
                "section", stream.line, "the file does not start with Minimize or Maximize", hint
            )
        model.sense = "max" if stream.next().endswith("max") else "min"
        label = stream.label()
        if label is not None:
            self._check_name(label)
            model.objective_name = label
        if stream.at_section():
            return
        terms, model.offset = self._terms(constant_allowed=True)
        model.objective = terms
        if not stream.at_section():
            stream.expected("a sign or the next section")

    def _terms(self, *, constant_allowed: bool) -> tuple[dict[int, float], float]:
        """A sum of terms: coefficients by column, and the constant."""
        stream, decisions = self.stream, self.decisions
        peek, column_of = stream.peek, self.model.col_index
        terms: dict[int, float] = {}
        constant: float | None = None
        first = True
        while True:
            word = peek()
            sign, signs = 1.0, 0
            while signs < 2 and (word == "+" or word == "-"):  # the second one is the number's own
                sign = -sign if word == "-" else sign
                signs += 1
                stream.at += 1
                word = peek()
            if not signs and not first:
                break
            first = False
            coefficient = sign
            if word and is_number(word):
                stream.at += 1
                coefficient = sign * stream.number(word)
                word = peek()
                if not word or not is_name(word):
                    if word in ("[", "^", "*"):
                        stream.expected("a variable")
                    if constant is not None:
                        decisions.refuse("fields", stream.last_line, "a second constant")
                    if not constant_allowed:
                        decisions.decide(
                            "constant-in-row", stream.last_line, f"the constant {coefficient:g}"
                        )
                    constant = coefficient
                    continue
            if not word or not is_name(word):
                stream.expected("a variable")
            column = column_of.get(word)
            if column is None:
                self._check_name(word)
                column = column_of[word] = len(column_of)
            stream.at += 1
            if column in terms:
                meaning = decisions.decide(
                    "duplicate-entry", stream.last_line, f"{word[:80]!r} comes twice"
                )
                if meaning == "first":
                    continue
                if meaning == "sum":
                    coefficient += terms[column]
            terms[column] = coefficient
        return terms, (constant or 0.0) + 0.0

    def _row(self) -> None:
        """``[name:] [number op] terms op number``; a row with a name may be empty."""
        stream, decisions = self.stream, self.decisions
        line = self._new_line("constraint")
        label = stream.label()
        if label is not None:
            self._check_name(label)
            if label in self._checked:
                decisions.refuse("duplicate-row", line, f"a second row is called {label[:80]!r}")
            self._checked.add(label)
        left = self._left_side()
        if left is not None:
            decisions.decide(
                "number-first", line, "a constraint that starts with its right-hand side"
            )
        terms: dict[int, float] = {}
        constant = 0.0
        if label is None or left is not None or stream.peek() not in RELATIONS:
            terms, constant = self._terms(constant_allowed=False)
        right: tuple[str, float] | None = None
        if left is None or stream.peek() in RELATIONS:
            relation = stream.relation()
            if not stream.starts_value():
                stream.expected("a number")
            right = (relation, stream.value())
        lower, upper = self._sides(left, right, line)
        if constant:
            lower, upper = lower - constant, upper - constant
        self.model.add_row(label, line, terms, lower, upper)

    def _left_side(self) -> tuple[str, float] | None:
        """Take ``number op`` where it comes."""
        stream = self.stream
        if not stream.starts_value():
            return None
        ahead = 2 if stream.peek() in ("+", "-") else 1
        if stream.peek(ahead) not in RELATIONS:
            return None
        value = stream.value()
        return stream.relation(), value

    def _sides(
        self, left: tuple[str, float] | None, right: tuple[str, float] | None, line: int
    ) -> tuple[float, float]:
        """Lower and upper side of ``left op … op right``."""
        lower, upper = -_INFINITY, _INFINITY
        if left is not None and right is not None:
            if left[0] != right[0] or left[0] == "=":
                self.decisions.refuse("fields", line, "the two relations do not fit together")
            if left[0] == ">":
                self.decisions.decide("reversed-range", line, "a range with >= on both sides")
        if right is not None:
            relation, value = right
            lower = value if relation in (">", "=") else lower
            upper = value if relation in ("<", "=") else upper
        if left is not None:
            relation, value = left
            lower = value if relation in ("<", "=") else lower
            upper = value if relation in (">", "=") else upper
        return lower, upper

    def _bound(self) -> None:
        """``[number op] name [op number]``, or ``name free``."""
        stream, decisions = self.stream, self.decisions
        line = self._new_line("bound")
        left = self._left_side()
        column = self._known_column()
        right: tuple[str, float] | None = None
        if left is None and stream.peek().lower() == "free":
            stream.next()
            lower: float | None = -_INFINITY
            upper: float | None = _INFINITY
        else:
            if left is None or stream.peek() in RELATIONS:
                relation = stream.relation()
                right = (relation, stream.value())
            low, high = self._sides(left, right, line)
            given = {side[0] for side in (left, right) if side is not None}
            both = left is not None and right is not None
            below = both or "=" in given or (right is not None) == (">" in given)
            above = both or "=" in given or (right is not None) == ("<" in given)
            lower, upper = (low if below else None), (high if above else None)
        if column is None:
            return
        for value, sides, what in (
            (lower, self.model.lower, "lower"),
            (upper, self.model.upper, "upper"),
        ):
            if value is not None and column in sides:
                meaning = decisions.decide(
                    "duplicate-bound", line, f"a second {what} bound of this variable"
                )
                if meaning == "first":
                    return
        if lower is not None:
            self.model.lower[column] = (lower, line)
        if upper is not None:
            self.model.upper[column] = (upper, line)

    def _general(self) -> None:
        column = self._known_column()
        if column is not None:
            self.model.general.add(column)

    def _binary(self) -> None:
        line = self.stream.line
        column = self._known_column()
        if column is not None:
            self.model.binary[column] = line

    def _semi(self) -> None:
        column = self._known_column()
        if column is not None:
            self.model.semi.add(column)

    def _known_column(self) -> int | None:
        """Take the name of a variable that the objective or a constraint has named."""
        stream = self.stream
        word = stream.peek()
        if not word or not is_name(word):
            stream.expected("a variable")
        column = self.model.col_index.get(word)
        if column is None:
            meaning = self.decisions.decide(
                "unknown-column", stream.line, f"no constraint has the variable {word[:80]!r}"
            )
            if meaning == "create":
                self._check_name(word)
                column = self.model.column(word)
        stream.next()
        return column

    def _new_line(self, what: str) -> int:
        """Where a constraint or bound starts; it may not share a line with what went before."""
        stream = self.stream
        if stream.peek() == "->":
            stream.expected(f"a new {what}")
        previous = stream.peek(-1) if stream.at else ""
        if stream.line == stream.last_line and not previous.startswith(SECTION):
            self.decisions.refuse("fields", stream.line, f"a new {what} has to start on a new line")
        return stream.line

    def _check_name(self, name: str) -> None:
        line = self.stream.last_line
        if name.lower() in RESERVED:
            self.decisions.refuse("keyword-name", line, f"{name!r} is a keyword, not a name")
        if len(name) > self.limits.name_bytes:
            self.decisions.refuse(
                "limits", line, f"a name of more than {self.limits.name_bytes:,} characters"
            )
