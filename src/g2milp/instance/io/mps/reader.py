"""From the text of an MPS file to a `Milp`, strictly: one documented meaning, or a refusal.

Free form is tried first. A file that cannot be read so is tried in fixed form, where names may hold
blanks; if both fail, the error of the attempt that came further is reported.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.errors import FormatError, InvalidMilp
from g2milp.instance.io.characters import check_characters, refuse_control_characters
from g2milp.instance.io.limits import DEFAULT_LIMITS, ReadLimits
from g2milp.instance.io.mps import native
from g2milp.instance.io.mps.columns import ColumnScanner
from g2milp.instance.io.mps.cursor import Cursor
from g2milp.instance.io.mps.fields import fixed_splitter, free_splitter
from g2milp.instance.io.mps.model import MpsModel, assemble
from g2milp.instance.io.mps.sides import read_bounds, read_ranges, read_rhs
from g2milp.instance.io.rules import Decisions
from g2milp.instance.io.twins import fold_twins

if TYPE_CHECKING:
    from collections.abc import Iterable

    from g2milp.instance.io.mps.fields import Splitter
    from g2milp.instance.milp import Milp, Sense

_ORDER = {b"ROWS": 1, b"COLUMNS": 2, b"RHS": 3, b"RANGES": 4, b"BOUNDS": 5}
_SENSES: dict[bytes, Sense] = {
    b"MAX": "max",
    b"MAXIMIZE": "max",
    b"MIN": "min",
    b"MINIMIZE": "min",
}
_OBJECTIVE_SECTIONS = (b"OBJSENSE", b"OBJSENSES", b"OBJNAME", b"OBJECT")
_UNSUPPORTED = {
    b"QUADOBJ": "a quadratic objective (QUADOBJ)",
    b"QMATRIX": "a quadratic objective (QMATRIX)",
    b"QSECTION": "quadratic terms (QSECTION)",
    b"QCMATRIX": "quadratic constraints (QCMATRIX)",
    b"CSECTION": "cones (CSECTION)",
    b"SOS": "special ordered sets (SOS)",
    b"SOS1": "special ordered sets (SOS1)",
    b"SOS2": "special ordered sets (SOS2)",
    b"SETS": "special ordered sets (SETS)",
    b"INDICATORS": "indicator constraints (INDICATORS)",
    b"PWLOBJ": "a piecewise linear objective (PWLOBJ)",
    b"PWLNAM": "piecewise linear terms (PWLNAM)",
    b"PWLCON": "piecewise linear constraints (PWLCON)",
    b"GENCONS": "general constraints (GENCONS)",
    b"LAZYCONS": "lazy constraints (LAZYCONS)",
    b"USERCUTS": "user cuts (USERCUTS)",
    b"MULTIOBJ": "several objectives (MULTIOBJ)",
    b"SCENARIOS": "scenarios (SCENARIOS)",
    b"BRANCH": "branching data (BRANCH)",
}
_KEYWORDS = {*_ORDER, *_UNSUPPORTED, *_OBJECTIVE_SECTIONS, b"NAME", b"ENDATA"}
_FORM_RULES = frozenset(("fields", "number", "unknown-row", "unknown-column", "dollar-comment"))


def loads(
    data: bytes,
    *,
    source: str = "<memory>",
    accept: Iterable[str] = (),
    limits: ReadLimits = DEFAULT_LIMITS,
    use_native: bool = True,
) -> Milp:
    """Read the text of an MPS file.

    Parameters
    ----------
    data
        The text, UTF-8, not compressed.
    source
        What errors call the file.
    accept
        Rules whose construct is read instead of refused: `g2milp.instance.io.rules`.
    use_native
        Use the native scanner where it is built; the result is the same.
    """
    accept = tuple(accept)
    first = _MpsReader(data, Decisions(source, accept), limits, use_native=use_native)
    try:
        return first.read(free_splitter(first.decisions))
    except FormatError as error:
        if error.rule not in _FORM_RULES or error.line is None:
            raise
        second = _MpsReader(data, Decisions(source, accept), limits, use_native=False)
        try:
            return second.read(fixed_splitter(second.decisions))
        except FormatError as other:
            if other.rule != "fields" and (other.line or 0) > error.line:
                raise other from None
        raise


class _MpsReader:
    def __init__(
        self, data: bytes, decisions: Decisions, limits: ReadLimits, *, use_native: bool
    ) -> None:
        text = check_characters(data, decisions)
        if not (use_native and native.is_clean(text)):
            refuse_control_characters(text, decisions)
        self.decisions = decisions
        self.limits = limits
        self.use_native = use_native
        self.cursor = Cursor(text, decisions, limits)
        self.model = MpsModel()
        self._seen: dict[bytes, int] = {}
        self._wanted_objective: tuple[bytes, int] | None = None

    def read(self, split: Splitter) -> Milp:
        """Read section by section up to ENDATA."""
        ended = False
        while header := self.cursor.header():
            number, fields, line = header
            keyword = self._keyword(number, fields[0])
            if keyword == b"ENDATA":
                self._check_no_extras(number, fields)
                ended = True
                break
            self._section(number, keyword, fields, line, split)
        if not ended:
            self.decisions.decide(
                "no-end",
                max(self.cursor.line - 1, 1),
                "the file ends without ENDATA: it is truncated, or no MPS file",
            )
        self._check_rest()
        if b"ROWS" not in self._seen or b"COLUMNS" not in self._seen:
            missing = "ROWS" if b"ROWS" not in self._seen else "COLUMNS"
            self.decisions.refuse("section", self.cursor.line - 1, f"there is no section {missing}")
        table = self.cursor.side_table
        try:
            return fold_twins(assemble(self.model, table, self.decisions), table, self.decisions)
        except InvalidMilp as error:
            self.decisions.refuse("instance", None, error.message)

    def _keyword(self, number: int, word: bytes) -> bytes:
        upper = word.upper()
        if word in _KEYWORDS or upper in _UNSUPPORTED:
            return upper
        shown = word[:60].decode("utf-8", "replace")
        if upper in _KEYWORDS:
            self.decisions.decide("lower-case", number, f"the keyword {shown!r} is not in capitals")
            return upper
        hint = "Lines that belong to a section start with a blank."
        if word[:1] == b"\\" or upper in (b"MINIMIZE", b"MAXIMIZE", b"MIN", b"MAX"):
            hint = "This looks like LP format: give the file a name that ends in .lp."
        self.decisions.refuse("section", number, f"{shown!r} is no section", hint)

    def _section(
        self, number: int, keyword: bytes, fields: list[bytes], line: bytes, split: Splitter
    ) -> None:
        if keyword in _UNSUPPORTED:
            self.decisions.not_a_milp(number, _UNSUPPORTED[keyword])
        shown = keyword.decode()
        if keyword in self._seen:
            self.decisions.refuse(
                "section", number, f"a second {shown} (the first is in line {self._seen[keyword]})"
            )
        self._check_order(number, keyword)
        self._seen[keyword] = number
        if keyword == b"NAME":
            self.model.name = line[len(fields[0]) :].strip().decode("utf-8")
        elif keyword in _OBJECTIVE_SECTIONS:
            self._objective_section(number, keyword, fields)
        else:
            self._check_no_extras(number, fields)
            self._read_section(number, keyword, split)

    def _read_section(self, number: int, keyword: bytes, split: Splitter) -> None:
        if keyword == b"ROWS":
            self._rows(split)
        elif b"ROWS" not in self._seen or (keyword == b"BOUNDS" and b"COLUMNS" not in self._seen):
            missing = "ROWS" if b"ROWS" not in self._seen else "COLUMNS"
            self.decisions.refuse("section", number, f"{keyword.decode()} before {missing}")
        elif keyword == b"COLUMNS":
            self._columns(split)
        elif keyword == b"RHS":
            read_rhs(self.cursor, split, self.model, self.decisions)
        elif keyword == b"RANGES":
            read_ranges(self.cursor, split, self.model, self.decisions)
        else:
            read_bounds(self.cursor, split, self.model, self.decisions)

    def _check_order(self, number: int, keyword: bytes) -> None:
        rank = _ORDER.get(keyword, 0)
        later = [word for word in self._seen if _ORDER.get(word, 0) > rank]
        if keyword == b"NAME":
            later = list(self._seen)
        if later:
            self.decisions.decide(
                "section-order", number, f"{keyword.decode()} comes after {later[-1].decode()}"
            )

    def _check_no_extras(self, number: int, fields: list[bytes]) -> None:
        if len(fields) > 1:
            word = fields[1][:60].decode("utf-8", "replace")
            self.decisions.refuse(
                "section", number, f"unexpected {word!r} behind the keyword {fields[0].decode()}"
            )

    def _objective_section(self, number: int, keyword: bytes, fields: list[bytes]) -> None:
        words = [(number, word) for word in fields[1:]]
        for line_number, line in self.cursor.body():
            words += [(line_number, word) for word in line.split()]
        if len(words) != 1:
            self.decisions.refuse(
                "section", number, f"{keyword.decode()} holds {len(words)} words, not one"
            )
        at, word = words[0]
        if keyword in (b"OBJNAME", b"OBJECT"):
            self._wanted_objective = (word, at)
            return
        sense = _SENSES.get(word)
        if sense is None:
            shown = word[:60].decode("utf-8", "replace")
            sense = _SENSES.get(word.upper())
            if sense is None:
                self.decisions.refuse(
                    "section", at, f"{shown!r} is no sense", "Write MIN, MINIMIZE, MAX or MAXIMIZE."
                )
            self.decisions.decide("lower-case", at, f"the keyword {shown!r} is not in capitals")
        self.model.sense = sense

    def _rows(self, split: Splitter) -> None:
        model, decisions = self.model, self.decisions
        longest = self.limits.name_bytes
        for number, line in self.cursor.body():
            fields = split(number, line)
            if not fields:
                continue
            if len(fields) != 2:
                decisions.refuse(
                    "fields", number, f"{len(fields)} fields where a row type and a name belong"
                )
            kind, name = fields
            shown = name[:80].decode("utf-8", "replace")
            if kind not in (b"N", b"L", b"G", b"E"):
                kind = kind.upper()
                if kind not in (b"N", b"L", b"G", b"E"):
                    shown = kind[:40].decode("utf-8", "replace")
                    decisions.refuse("row-type", number, f"{shown!r} is no row type (N, L, G, E)")
                decisions.decide("lower-case", number, "the row type is not in capitals")
            if name in model.row_index:
                decisions.refuse("duplicate-row", number, f"a second row is called {shown!r}")
            if len(name) > longest:
                decisions.refuse("limits", number, f"a name of more than {longest:,} bytes")
            if kind == b"N" and model.objective_row < 0:
                model.objective_row = len(model.row_index)
            model.row_index[name] = len(model.row_index)
            model.row_types += kind
        self._choose_objective()

    def _choose_objective(self) -> None:
        if self._wanted_objective is None:
            return
        name, line = self._wanted_objective
        row = self.model.row_index.get(name)
        if row is None or self.model.row_types[row] != ord("N"):
            shown = name[:80].decode("utf-8", "replace")
            self.decisions.refuse("objective-name", line, f"there is no N row {shown!r}")
        if row != self.model.objective_row:
            shown = name[:80].decode("utf-8", "replace")
            meaning = self.decisions.decide(
                "objective-name", line, f"{shown!r} is not the first N row"
            )
            if meaning == "used":
                self.model.objective_row = row

    def _columns(self, split: Splitter) -> None:
        if self.use_native and self._native_columns():
            return
        scanner = ColumnScanner(
            self.model.row_index, self.decisions, self.limits.name_bytes, self.limits.items
        )
        scanner.scan(self.cursor, split)
        self.model.entries = scanner.finish()
        self.model.col_index = scanner.col_index

    def _native_columns(self) -> bool:
        """Let the native core read the section; False where it leaves that to us."""
        found = native.scan_columns(self.cursor, self.model.row_index, self.limits)
        if found is None:
            return False
        self.model.entries, self.model.col_index = found
        return True

    def _check_rest(self) -> None:
        """Text behind ENDATA is left out, as all readers do, unless it could be meant."""
        cursor = self.cursor
        extra = 0
        while header := cursor.header(anything=True):
            extra += 1
            number, fields, _ = header
            if fields and fields[0].upper() in _KEYWORDS:
                self.decisions.decide("text-after-end", number, "another section after ENDATA")
        if extra:
            self.decisions.remark(f"{extra} lines of text after ENDATA were left out")
