"""The rules of strict reading: what solvers read differently, and what `--accept` lets it mean.

A construct that HiGHS, SCIP and Gurobi understand differently is refused with the name of its rule.
``accept=("negative-up",)`` chooses the first meaning of that rule, ``"negative-up=zero"`` another
one; the choice is recorded in `Milp.notes`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from g2milp.errors import FormatError, NotAMilp, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True)
class Rule:
    """One construct, and the meanings that can be chosen for it; the first is the default."""

    name: str
    construct: str
    meanings: dict[str, str]


_TABLE = (
    Rule(
        "negative-up",
        "a negative upper bound on a variable without a lower bound",
        {
            "minus-infinity": "the lower bound is minus infinity (Gurobi, CPLEX)",
            "zero": "the lower bound stays 0, so the instance is infeasible (HiGHS, SCIP)",
        },
    ),
    Rule(
        "duplicate-entry",
        "two coefficients of one variable in one row",
        {
            "sum": "they are added up",
            "first": "the first one counts (HiGHS, Gurobi in MPS)",
            "last": "the last one counts (SCIP in MPS)",
        },
    ),
    Rule(
        "duplicate-rhs",
        "two right-hand sides of one row",
        {"first": "the first one counts (HiGHS, Gurobi)", "last": "the last one counts (SCIP)"},
    ),
    Rule(
        "duplicate-range",
        "two ranges of one row",
        {"first": "the first one counts", "last": "the last one counts"},
    ),
    Rule(
        "duplicate-bound",
        "a lower or an upper bound of one variable given twice",
        {"first": "the first one counts (HiGHS, Gurobi)", "last": "the last one counts (SCIP)"},
    ),
    Rule(
        "split-column",
        "a variable whose entries are not on consecutive lines",
        {"merge": "all of them belong to one variable"},
    ),
    Rule(
        "unknown-row",
        "a right-hand side or range of a row that does not exist",
        {"ignore": "it is left out"},
    ),
    Rule(
        "unknown-column",
        "a bound or type of a variable that no constraint has",
        {
            "ignore": "it is left out (Gurobi in MPS)",
            "create": "it is a variable of no constraint (HiGHS, SCIP; Gurobi in LP)",
        },
    ),
    Rule(
        "free-row-rhs",
        "a right-hand side of an N row that is not the objective",
        {"ignore": "it is left out (SCIP, Gurobi)"},
    ),
    Rule("free-row-range", "a range of an N row", {"ignore": "it is left out"}),
    Rule(
        "section-order",
        "sections in another order than ROWS, COLUMNS, RHS, RANGES, BOUNDS",
        {"any": "the order does not matter: ranges are applied to the final right-hand sides"},
    ),
    Rule(
        "objective-name",
        "an OBJNAME section that names another objective than the first N row",
        {
            "used": "the named N row is the objective (SCIP, Gurobi)",
            "first-row": "the first N row is the objective (HiGHS)",
        },
    ),
    Rule("lower-case", "a section keyword that is not in capitals", {"read": "it is the keyword"}),
    Rule(
        "fortran-exponent",
        "a number with a D exponent, such as 1.5D2",
        {"decimal": "D is read as E (HiGHS)"},
    ),
    Rule(
        "semi-integer-marker",
        "a semi-continuous bound (SC) on a variable between INTORG and INTEND, or on a Binary one",
        {"semi-integer": "the variable is semi-integer (SCIP, Gurobi)"},
    ),
    Rule(
        "set-names",
        "a section in which only some lines carry the name of the set",
        {"one-set": "all lines belong to one set"},
    ),
    Rule(
        "further-set",
        "a second set of right-hand sides, ranges or bounds",
        {
            "first": "the lines of the first set count (SCIP)",
            "all": "the lines of all sets count (HiGHS, Gurobi)",
        },
    ),
    Rule(
        "open-marker",
        "an INTORG marker without INTEND",
        {"close": "the integer variables end with the section"},
    ),
    Rule("no-end", "a file without ENDATA or End", {"complete": "the file is taken as complete"}),
    Rule("text-after-end", "text after ENDATA or End", {"ignore": "it is left out"}),
    Rule(
        "dollar-comment",
        "a field that starts with $",
        {"comment": "the rest of the line is a comment (GLPK, CPLEX)"},
    ),
    Rule("latin-1", "text that is not UTF-8", {"decode": "it is read as Latin-1 (ISO 8859-1)"}),
    Rule(
        "constant-in-row",
        "a constant on the left-hand side of a constraint",
        {"move": "it is moved to the right-hand side"},
    ),
    Rule(
        "number-first",
        "a constraint of an LP file that starts with its side, as in 1 <= x + y <= 4",
        {"sides": "both sides hold (SCIP and Gurobi refuse it, HiGHS reads another constraint)"},
    ),
    Rule(
        "glued-coefficient",
        "a number and a name without a blank, such as 3x",
        {"split": "the number is the coefficient (HiGHS, SCIP)"},
    ),
    Rule(
        "reversed-range",
        "a range from the larger to the smaller side, such as 8 >= x >= 2",
        {"ordered": "as in mathematics: between 2 and 8"},
    ),
    Rule(
        "binary-bound",
        "bounds other than 0 and 1 on a Binary variable",
        {"binary": "the bounds are 0 and 1 (SCIP, Gurobi)", "bounds": "as in Bounds (HiGHS)"},
    ),
)

RULES: dict[str, Rule] = {rule.name: rule for rule in _TABLE}


class Decisions:
    """What one reading was allowed to decide, and what it decided."""

    def __init__(self, source: str, accept: Iterable[str] = ()) -> None:
        self.source = source
        self.meanings = parse_accept(accept)
        self._used: Counter[str] = Counter()
        self._first_line: dict[str, int | None] = {}
        self._remarks: list[str] = []
        self.numbers: dict[bytes, float] = {}
        """Numbers that were read already: most files repeat a few."""

    def decide(self, rule: str, line: int | None, reason: str) -> str:
        """The meaning chosen for `rule`, or the refusal of this line."""
        meaning = self.meanings.get(rule)
        if meaning is None:
            raise FormatError(self.source, line, rule, reason, hint=_hint(RULES[rule]))
        self._used[rule] += 1
        self._first_line.setdefault(rule, line)
        return meaning

    def refuse(self, rule: str, line: int | None, reason: str, hint: str | None = None) -> NoReturn:
        """Refuse this line: there is nothing to choose."""
        raise FormatError(self.source, line, rule, reason, hint=hint)

    def not_a_milp(self, line: int | None, what: str) -> NoReturn:
        """Refuse a model with parts that a `Milp` does not hold."""
        raise NotAMilp(
            self.source,
            line,
            "not-a-milp",
            f"the model has {what}",
            hint="Only linear rows, bounds and integrality are read: reformulate the model first.",
        )

    def remark(self, text: str) -> None:
        """Record something that the reader did and nobody has to choose."""
        self._remarks.append(text)

    def notes(self) -> tuple[str, ...]:
        """One line for each rule that was used, then the remarks."""
        used = [
            f"{rule}={self.meanings[rule]}: {count} × (first in line {self._first_line[rule]})"
            for rule, count in sorted(self._used.items())
        ]
        return (*used, *self._remarks)


def parse_accept(accept: Iterable[str]) -> dict[str, str]:
    """``("negative-up=zero", "latin-1")`` as a dict of rule and meaning."""
    if isinstance(accept, str):
        accept = (accept,)
    chosen: dict[str, str] = {}
    for item in accept:
        name, _, meaning = item.partition("=")
        rule = RULES.get(name)
        if rule is None:
            raise UsageError(
                f"--accept: there is no rule {name!r}", hint=f"The rules are {', '.join(RULES)}."
            )
        meaning = meaning or next(iter(rule.meanings))
        if meaning not in rule.meanings:
            raise UsageError(
                f"--accept: {name} has no meaning {meaning!r}",
                hint=f"Its meanings are {', '.join(rule.meanings)}.",
            )
        if chosen.setdefault(name, meaning) != meaning:
            raise UsageError(f"--accept: {name} was given two meanings")
    return chosen


def _hint(rule: Rule) -> str:
    choices = [
        f"--accept {rule.name}{'' if i == 0 else '=' + meaning} if {text}"
        for i, (meaning, text) in enumerate(rule.meanings.items())
    ]
    return f"Solvers read this differently. Correct the file, or pass {'; or '.join(choices)}."
