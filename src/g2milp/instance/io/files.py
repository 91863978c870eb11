"""Instances from and to files: `.mps` and `.lp`, plain or gzip.

What a file is follows from its name, and its content has to agree: gzip is recognised by its first
bytes under any name, but an LP file called ``.mps`` is refused.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from g2milp.errors import UnreadableFile, UsageError
from g2milp.instance.io import lp, mps
from g2milp.instance.io.atomic import write_bytes
from g2milp.instance.io.limits import DEFAULT_LIMITS, ReadLimits
from g2milp.instance.io.opening import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from g2milp.instance.milp import Milp

Format = Literal["mps", "lp"]
SUFFIXES = (".mps", ".lp", ".mps.gz", ".lp.gz")
GZIP_LEVEL = 5
_FORMATS: dict[str, Format] = {".mps": "mps", ".lp": "lp"}


def read(
    path: str | Path, *, accept: Iterable[str] = (), limits: ReadLimits = DEFAULT_LIMITS
) -> Milp:
    """Read one instance.

    Parameters
    ----------
    path
        A regular file that ends in `.mps`, `.lp`, `.mps.gz` or `.lp.gz`.
    accept
        Rules of strict reading whose construct is understood instead of refused, such as
        ``("negative-up",)`` or ``("duplicate-rhs=last",)``: see `g2milp.instance.io.rules`. What
        was decided stands in `Milp.notes`.

    Raises
    ------
    UnreadableFile, FormatError, NotAMilp
        All of them `InputError`, with the file and, where there is one, the line.
    """
    accept = tuple(accept)
    data = read_bytes(path, limits)
    source = str(path)
    if format_of(path) == "lp":
        return lp.loads(data, source=source, accept=accept, limits=limits)
    return mps.loads(data, source=source, accept=accept, limits=limits)


def write_file(milp: Milp, path: str | Path, *, overwrite: bool = False) -> None:
    """Write one instance: complete or not at all, the same bytes every time.

    The name decides: `.mps` for a lossless file, `.lp` for people, `.gz` behind it to compress.
    """
    try:
        file_format = format_of(path)
    except UnreadableFile as error:
        raise UsageError(f"{path}: the name must end in one of {', '.join(SUFFIXES)}") from error
    data = lp.dumps(milp) if file_format == "lp" else mps.dumps(milp)
    if Path(path).suffix == ".gz":
        data = gzip_bytes(data)
    write_bytes(path, data, overwrite=overwrite)


def format_of(path: str | Path) -> Format:
    """``"mps"`` or ``"lp"``, from the name of a file."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    found = _FORMATS.get(suffixes[-1]) if suffixes else None
    if found is None:
        raise UnreadableFile(
            path,
            "is not called .mps or .lp, so its format is not known",
            hint=f"Names end in one of {', '.join(SUFFIXES)}.",
        )
    return found


def gzip_bytes(data: bytes, level: int = GZIP_LEVEL) -> bytes:
    """`data` as one gzip member without name and time, so that equal text gives equal bytes."""
    engine = zlib.compressobj(level, zlib.DEFLATED, 31)
    return engine.compress(data) + engine.flush()
