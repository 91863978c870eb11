"""Lines into fields: free form (blanks between) and fixed form (columns of the punched card).

Fixed form is what allows blanks in names. Its fields stand in the columns 2-3, 5-12, 15-22, 25-36,
40-47 and 50-61, everything between them is blank; a line that does not keep to it is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from g2milp.instance.io.rules import Decisions

    Splitter = Callable[[int, bytes], list[bytes]]


def free_splitter(decisions: Decisions) -> Splitter:
    """Fields between blanks; a field that starts with ``$`` may start a comment."""

    def split(number: int, line: bytes) -> list[bytes]:
        fields = line.split()
        if b"$" in line:
            for i, word in enumerate(fields):
                if i and word.startswith(b"$"):
                    decisions.decide(
                        "dollar-comment", number, f"the field {word[:40].decode()!r} starts with $"
                    )
                    return fields[:i]
        return fields

    return split


# Where the fields of fixed form are: start and end (half-open, from 0), and whether it is a name.
_FIXED = (
    (1, 3, False),
    (4, 12, True),
    (14, 22, True),
    (24, 36, False),
    (39, 47, True),
    (49, 61, False),
)
_GAPS = ((0, 1), (3, 4), (12, 14), (22, 24))
_LATE_GAPS = ((36, 39), (47, 49))


def fixed_splitter(decisions: Decisions) -> Splitter:
    """Fields of fixed form, empty ones left out; names keep their inner blanks."""

    def split(number: int, line: bytes) -> list[bytes]:
        line = line.rstrip()
        if b"\t" in line:
            decisions.refuse("fields", number, "a tab in a file in fixed form")
        gaps = _GAPS + _LATE_GAPS if len(line) > 39 else _GAPS
        if any(line[start:end].strip() for start, end in gaps) or len(line) > 61:
            decisions.refuse("fields", number, "text outside of the fields of fixed form")
        fields = []
        name = b""
        for start, end, is_name in _FIXED:
            if start == 24 and len(line) <= 39:
                end = len(line)  # a long number may run on when nothing follows
            field = line[start:end].strip()
            if is_name:
                name = field
            elif field and (b" " in field or (start > 1 and not name)):
                decisions.refuse("fields", number, f"columns {start + 1}-{end} hold no number")
            if field:
                fields.append(field)
        return fields

    return split
