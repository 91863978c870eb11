"""Exact rational points as solution files.

    # lines of comment          name value

A value is an integer, a fraction ``p/q`` or a decimal number, and means exactly the rational that
it spells; names that are not listed are 0. Solvers read the same format except for the fractions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from g2milp.errors import DamagedArtifact, UnreadableFile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from g2milp.generation.contract import Sample

MAX_BYTES = 1 << 30
MAX_DECIMAL_BITS = 12_000
"""Longer integers are spelled in base 16: Python reads and writes at most 4,300 decimal digits."""

MAX_EXPONENT = 400


def write_points(sample: Sample, folder: Path, stem: str) -> dict[str, str]:
    """Write the points of a certificate beside its instance; returns their file names."""
    from g2milp.instance.io.atomic import write_bytes

    written = {}
    for key, point, names, ending in (
        ("point", sample.point, sample.milp.col_names, ".sol"),
        ("dual", sample.dual, sample.milp.row_names, ".dual.sol"),
    ):
        if point is not None:
            name = f"{stem}{ending}"
            write_bytes(folder / name, point_bytes(names, point, key), overwrite=True)
            written[f"{key}_file"] = name
    return written


def point_bytes(names: Sequence[str], point: Sequence[Fraction], what: str) -> bytes:
    """A solution file of the non-zero entries."""
    lines = [f"# exact rational {what}; names that are not listed are 0"]
    lines += [f"{name} {spelled(v)}" for name, v in zip(names, point, strict=True) if v]
    return ("\n".join(lines) + "\n").encode()


def spelled(value: Fraction) -> str:
    """The value as an integer, a short decimal where that is exact, else ``p/q``."""
    if value.denominator == 1:
        return str(value.numerator)
    decimal = repr(float(value)) if abs(value) < 10**15 else ""
    return decimal if decimal and Fraction(decimal) == value else str(value)


def spelled_long(value: Fraction) -> str:
    """`value` exactly, at any length: ``p/q``, or ``0x…/0x…`` where decimals would be too long."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= MAX_DECIMAL_BITS:
        return str(value)
    return f"{value.numerator:#x}/{value.denominator:#x}"


def read_point(path: Path, names: Sequence[str]) -> list[Fraction]:
    """The point of a solution file, in the order of `names`."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise DamagedArtifact(path, f"more than {MAX_BYTES} bytes")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UnreadableFile(path, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise DamagedArtifact(path, "not UTF-8") from error
    place = {name: i for i, name in enumerate(names)}
    point = [Fraction(0)] * len(names)
    seen: set[int] = set()
    for number, line in enumerate(text.splitlines(), start=1):
        name, _, value = line.rstrip().rpartition(" ")
        at = place.get(name.strip())
        if not line.strip() or (at is None and line.startswith(("#", "="))):
            continue
        if at is None or at in seen:
            reason = "is listed twice" if at in seen else "is no name of the instance"
            raise DamagedArtifact(f"{path}:{number}", f"{name.strip()!r} {reason}")
        seen.add(at)
        point[at] = _value(path, number, value)
    return point


def rational(text: str) -> Fraction:
    """A decimal, ``p/q``, or ``0x…/0x…``; ValueError where it is none.

    Exponents are bounded, since 1e999999999 would fill the memory.
    """
    lowered = text.lower()
    if "0x" in lowered:
        numerator, _, denominator = lowered.partition("/")
        values = int(numerator, 16), int(denominator or "1", 16)
    else:
        mantissa, _, exponent = lowered.partition("e")
        if exponent and abs(int(exponent)) > MAX_EXPONENT:
            raise ValueError(f"the exponent {exponent} is beyond all float64 numbers")
        if not mantissa:
            return Fraction(0)
        try:
            return Fraction(lowered)
        except ZeroDivisionError as error:
            raise ValueError("a denominator of 0") from error
    if not values[1]:
        raise ValueError("a denominator of 0")
    return Fraction(*values)


def _value(path: Path, number: int, text: str) -> Fraction:
    try:
        return rational(text)
    except ValueError as error:
        raise DamagedArtifact(f"{path}:{number}", f"{text!r} is no number") from error
