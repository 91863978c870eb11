"""The verifier: an instance file, its points, the claim, and nothing of what made them.

It trusts neither the generator nor the solver nor the manifest: it reads the three files, computes
with rational numbers, and says yes or why not. The arithmetic is written here a second time on
purpose, so that a mistake in the code that makes certificates cannot hide in the code that checks.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from g2milp.errors import DamagedArtifact, G2MILPError, InputError
from g2milp.generation.certificates.points import rational, read_point

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from g2milp.instance.milp import Milp

TOLERANCE = Fraction(1, 1_000_000)
SHOWN_BITS = 200
"""Numbers with longer numerators or denominators are rounded in messages."""


@dataclass(frozen=True)
class Verdict:
    """What the verifier says about one instance.

    `kind` is None where the manifest claims nothing; then `ok` is true and `reason` says so.
    """

    file: str
    kind: str | None
    level: str | None
    ok: bool
    reason: str
    objective: str | None = None


class _Refuted(Exception):
    """The claim is wrong."""


def verify_folder(
    folder: str | Path, *, progress: Callable[[int, int], None] | None = None
) -> list[Verdict]:
    """One verdict for each instance of a folder's manifest."""
    from g2milp.datasets.manifest import read_manifest

    path = Path(folder)
    records = read_manifest(path)
    if records is None:
        raise InputError(
            f"{path} has no manifest.jsonl, so nothing is claimed about its instances",
            hint="Certificates are written by `g2milp generate … --certify feasible`.",
        )
    verdicts = []
    for done, record in enumerate(records, start=1):
        verdicts.append(_verdict(path, record))
        if progress is not None:
            progress(done, len(records))
    return verdicts


def verify_file(path: str | Path) -> Verdict:
    """The verdict for one instance, with the claim in the manifest beside it."""
    from g2milp.datasets.manifest import read_manifest

    file = Path(path)
    for record in read_manifest(file.parent) or []:
        if record["file"] == file.name:
            return _verdict(file.parent, record)
    return Verdict(file.name, None, None, True, "no certificate is claimed")


def verify_certificate(
    milp: Milp,
    claim: dict[str, Any],
    point: Sequence[Fraction],
    dual: Sequence[Fraction] | None = None,
) -> str | None:
    """Why the claim is wrong, or None where it holds."""
    try:
        _check_claim(milp, claim, point, dual)
    except _Refuted as refuted:
        return str(refuted)
    return None


def _verdict(folder: Path, record: dict[str, Any]) -> Verdict:
    claim = record.get("certificate")
    name = str(record["file"])
    if not isinstance(claim, dict):
        return Verdict(name, None, None, True, "no certificate is claimed")
    kind, level = str(claim.get("kind")), str(claim.get("level"))
    try:
        _check_files(folder, record, claim)
    except (_Refuted, G2MILPError) as error:
        return Verdict(name, kind, level, False, str(error))
    return Verdict(name, kind, level, True, "verified", str(claim.get("objective")))


def _check_files(folder: Path, record: dict[str, Any], claim: dict[str, Any]) -> None:
    from g2milp.instance.io.files import read

    path = folder / record["file"]
    if not path.is_file():
        raise _Refuted("the file is missing")
    if "sha256" in record and hashlib.sha256(path.read_bytes()).hexdigest() != record["sha256"]:
        raise _Refuted("the file is not the one that was certified (SHA-256 differs)")
    milp = read(path)
    point = read_point(_beside(folder, claim, "point_file"), milp.col_names)
    dual = None
    if claim.get("kind") == "bounded":
        dual = read_point(_beside(folder, claim, "dual_file"), milp.row_names)
    _check_claim(milp, claim, point, dual)


def _beside(folder: Path, claim: dict[str, Any], key: str) -> Path:
    name = claim.get(key)
    if not isinstance(name, str) or PurePosixPath(name).name != name or name in ("", ".", ".."):
        raise _Refuted(f"the certificate names no {key}")
    path = folder / name
    if path.is_symlink() or not path.is_file():
        raise _Refuted(f"{name} is missing")
    return path


def _check_claim(
    milp: Milp,
    claim: dict[str, Any],
    point: Sequence[Fraction],
    dual: Sequence[Fraction] | None,
) -> None:
    kind, level = claim.get("kind"), claim.get("level")
    if kind not in ("feasible", "bounded") or level not in ("exact", "tolerance"):
        raise _Refuted(f"unknown claim: {kind!r} at level {level!r}")
    allowed = TOLERANCE if level == "tolerance" else Fraction(0)
    _check_columns(milp, point, allowed)
    _check_rows(milp, point, allowed)
    value = Fraction(milp.offset) + sum(
        (Fraction(c) * v for c, v in zip(milp.objective.tolist(), point, strict=True) if v),
        Fraction(0),
    )
    if value != _rational(claim.get("objective"), "objective"):
        raise _Refuted(
            f"the point's objective is {_shown(value)}, not {_cut(claim.get('objective'))}"
        )
    if kind == "bounded":
        if dual is None:
            raise _Refuted("there is no dual point")
        bound = _dual_bound(milp, dual)
        if bound != _rational(claim.get("bound"), "bound"):
            raise _Refuted(f"the dual point proves {_shown(bound)}, not {_cut(claim.get('bound'))}")


def _check_columns(milp: Milp, point: Sequence[Fraction], allowed: Fraction) -> None:
    columns = zip(
        milp.col_names,
        point,
        milp.kinds.tolist(),
        milp.col_lower.tolist(),
        milp.col_upper.tolist(),
        strict=True,
    )
    for name, value, kind, lower, upper in columns:
        if kind in (1, 3) and abs(value - round(value)) > allowed:
            raise _Refuted(f"variable {name!r} must be an integer, but is {_shown(value)}")
        if kind in (2, 3) and abs(value) <= allowed:
            continue
        if not _between(lower, value, upper, allowed):
            raise _Refuted(f"variable {name!r} is {_shown(value)}, outside [{lower}, {upper}]")


def _check_rows(milp: Milp, point: Sequence[Fraction], allowed: Fraction) -> None:
    start = milp.indptr.tolist()
    indices, values = milp.indices.tolist(), milp.values.tolist()
    whole = [v.numerator if v.denominator == 1 else None for v in point]
    sides = zip(milp.row_lower.tolist(), milp.row_upper.tolist(), strict=True)
    for i, (lower, upper) in enumerate(sides):
        integral, rest = 0, Fraction(0)  # integers of any size are exact, and much faster
        for e in range(start[i], start[i + 1]):
            j, a = indices[e], values[e]
            if whole[j] == 0:
                continue
            if whole[j] is not None and a.is_integer():
                integral += int(a) * whole[j]
            else:
                rest += Fraction(a) * point[j]
        if not _between(lower, rest + integral, upper, allowed):
            raise _Refuted(
                f"constraint {milp.row_names[i]!r} is {_shown(rest + integral)}, "
                f"outside [{lower}, {upper}]"
            )


def _dual_bound(milp: Milp, dual: Sequence[Fraction]) -> Fraction:
    """Weak duality; see `dual.py` for the statement that is checked here."""
    flip = -1 if milp.sense == "max" else 1
    reduced = [flip * Fraction(c) for c in milp.objective.tolist()]
    start = milp.indptr.tolist()
    indices, values = milp.indices.tolist(), milp.values.tolist()
    bound = Fraction(0)
    for i, y in enumerate(dual):
        if y:
            side = float(milp.row_lower[i]) if y > 0 else float(milp.row_upper[i])
            bound += y * _finite(side, f"constraint {milp.row_names[i]!r}")
            for e in range(start[i], start[i + 1]):
                reduced[indices[e]] -= y * Fraction(values[e])
    for j, r in enumerate(reduced):
        if r:
            lower, upper = float(milp.col_lower[j]), float(milp.col_upper[j])
            if milp.kinds[j] in (2, 3):
                lower, upper = min(lower, 0.0), max(upper, 0.0)
            bound += r * _finite(lower if r > 0 else upper, f"variable {milp.col_names[j]!r}")
    return flip * bound + Fraction(milp.offset)


def _finite(side: float, what: str) -> Fraction:
    if not math.isfinite(side):
        raise _Refuted(f"the dual point uses an infinite side of {what}")
    return Fraction(side)


def _between(lower: float, value: Fraction, upper: float, allowed: Fraction) -> bool:
    return (not math.isfinite(lower) or value >= Fraction(lower) - allowed) and (
        not math.isfinite(upper) or value <= Fraction(upper) + allowed
    )


def _rational(text: object, what: str) -> Fraction:
    try:
        return rational(str(text))
    except ValueError as error:
        raise DamagedArtifact("manifest.jsonl", f"the {what} {_cut(text)} is no number") from error


def _shown(value: Fraction) -> str:
    """The value in words for a message, of any length."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= SHOWN_BITS:
        return str(value)
    try:
        return f"about {float(value)!r}"
    except OverflowError:
        return "beyond all float64 numbers"


def _cut(text: object) -> str:
    """What a manifest says, at most a line of it."""
    whole = str(text)
    return whole if len(whole) <= 80 else f"{whole[:77]}…"
