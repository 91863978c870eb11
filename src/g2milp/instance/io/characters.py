"""What characters a model file may hold: UTF-8 text without control characters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from g2milp.instance.io.rules import Decisions

_CONTROL = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]")


def check_characters(text: bytes, decisions: Decisions) -> bytes:
    """The text as UTF-8 without byte order mark; control characters are refused."""
    if text.startswith(b"\xef\xbb\xbf"):
        text = text[3:]
    elif text[:2] in (b"\xff\xfe", b"\xfe\xff"):
        decisions.refuse("characters", 1, "UTF-16 text", "Save the file as UTF-8.")
    if not text.isascii():
        try:
            text.decode("utf-8")
        except UnicodeDecodeError as error:
            line = text.count(b"\n", 0, error.start) + 1
            byte = text[error.start]
            if _CONTROL.search(text.replace(b"\r\n", b"\n")):
                _refuse_control(text, decisions)
            decisions.decide("latin-1", line, f"byte 0x{byte:02x} is not UTF-8")
            text = text.decode("latin-1").encode("utf-8")
    return text


def refuse_control_characters(text: bytes, decisions: Decisions) -> None:
    """Refuse NUL and its like: readers stop at them, skip them or take them as part of a name."""
    if _CONTROL.search(text) and _CONTROL.search(text.replace(b"\r\n", b"\n")):
        _refuse_control(text, decisions)


def _refuse_control(text: bytes, decisions: Decisions) -> None:
    text = text.replace(b"\r\n", b"\n")
    found = _CONTROL.search(text)
    if found:
        line = text.count(b"\n", 0, found.start()) + 1
        decisions.refuse("characters", line, f"a control character (0x{text[found.start()]:02x})")
