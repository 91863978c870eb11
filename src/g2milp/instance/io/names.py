"""Names in files: which can be written as they are, and what stands in for the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PLAIN_BYTES = 255
"""Longer names are cut or refused by some solvers, so they get an alias."""
_KEYWORDS = frozenset(
    "NAME OBJSENSE OBJSENSES MAX MIN MAXIMIZE MINIMIZE OBJNAME OBJECT ROWS COLUMNS RHS RANGES "
    "BOUNDS ENDATA MARKER INTORG INTEND".split()
)


def is_plain_in_mps(name: str) -> bool:
    """Whether a name is one field of free-form MPS that every reader takes as it is."""
    return (
        bool(name)
        and name.isprintable()
        and not any(map(str.isspace, name))
        and name[0] not in '*$"\\'
        and name.strip("'") not in _KEYWORDS
        and len(name.encode("utf-8")) <= PLAIN_BYTES
    )


def with_aliases(
    names: Sequence[str], prefix: str, is_plain: Callable[[str], bool], taken: set[str]
) -> tuple[list[str], dict[str, str]]:
    """Names for the file, and what each alias among them stands for.

    `taken` holds the names that an alias may not repeat; the aliases are added to it.
    """
    written = list(names)
    aliases: dict[str, str] = {}
    for i, name in enumerate(names):
        if not is_plain(name):
            alias = free_name(f"{prefix}_{i}", taken)
            aliases[alias] = name
            written[i] = alias
    return written, aliases


def free_name(wanted: str, taken: set[str]) -> str:
    """`wanted`, with underscores until nothing else is called so; it is taken from then on."""
    while wanted in taken:
        wanted += "_"
    taken.add(wanted)
    return wanted
