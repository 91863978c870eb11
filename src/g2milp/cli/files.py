"""The instance files that a command was given, and what happens when some cannot be read.

A command goes on over failing files: it names each, and ends with 5 when some failed and with 3
when all did. One single file fails with its own error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from g2milp.cli.progress import progress
from g2milp.errors import FormatError, G2MILPError, InputError, ItemsFailed

if TYPE_CHECKING:
    from g2milp.instance.milp import Milp

Paths = Annotated[
    list[Path], typer.Argument(metavar="PATH", help="Model files, or folders of them.")
]


MOST_HINTS = 5


class Readings:
    """Reads files one after the other and keeps what went wrong."""

    def __init__(self, accept: Sequence[str] | None) -> None:
        from g2milp.instance.io.rules import parse_accept

        self.accept = tuple(accept or ())
        parse_accept(self.accept)  # a misspelt rule is an error of usage, not one of each file
        self.failures: list[dict[str, Any]] = []
        self.tried = 0
        self._errors: list[G2MILPError] = []

    def instances(self, paths: Sequence[Path], what: str) -> Iterator[tuple[Path, Milp]]:
        """Each file that can be read, with a progress bar over all of them."""
        from g2milp.instance.io.files import read

        with progress(what, len(paths)) as advance:
            for path in paths:
                self.tried += 1
                try:
                    milp = read(path, accept=self.accept)
                except G2MILPError as error:
                    self.note(path, error)
                else:
                    yield path, milp
                advance(note=path.name)

    def note(self, path: Path, error: G2MILPError) -> None:
        """Remember one failure."""
        self._errors.append(error)
        self.failures.append(
            {
                "path": str(path),
                "type": type(error).__name__,
                "line": error.line if isinstance(error, FormatError) else None,
                "rule": error.rule if isinstance(error, FormatError) else None,
                "message": error.message,
                "hint": error.hint,
            }
        )

    def finish(self) -> None:
        """Raise what the failures add up to, if there are any."""
        if not self._errors:
            return
        if self.tried <= 1 and len(self._errors) == 1:
            raise self._errors[0]
        count = len(self._errors)
        if count >= self.tried:
            listed = "\n".join(f"  {where}: {why}" for where, why in self._listed()[:20])
            raise InputError(f"none of the {count} can be read:\n{listed}")
        failed = ItemsFailed(f"{count} of {self.tried} cannot be read:", self._listed())
        failed.hint = self._hints()
        raise failed

    def _hints(self) -> str | None:
        """What to do, once for each rule that was broken: a hint must say what it is about."""
        hints: dict[str, str] = {}
        for error in self._errors:
            if error.hint:
                about = f"[{error.rule}] " if isinstance(error, FormatError) else ""
                hints.setdefault(error.hint, about)
        shown = [f"{about}{hint}" for hint, about in hints.items() if about or len(hints) == 1]
        more = len(shown) - MOST_HINTS
        rest = [f"... and {more} more, with --json"] if more > 0 else []
        return "\n".join([*shown[:MOST_HINTS], *rest]) or None

    def _listed(self) -> list[tuple[str, str]]:
        """Where and why of each; a message that begins with its file has both already."""
        pairs = []
        for failure in self.failures:
            path, message = failure["path"], failure["message"]
            where, _, why = message.partition(": ")
            pairs.append((where, why) if message.startswith(path) and why else (path, message))
        return pairs


def files_in(path: Path) -> list[Path]:
    """The file itself, or the instance files of a folder in the order of its data set."""
    from g2milp.datasets.members import members_of_folder

    if not path.is_dir():
        return [path]
    members, _ = members_of_folder(path, ())
    return [member.path for member in members if member.path is not None]


def model_files_in(folder: Path) -> list[Path]:
    """All model files of a folder, also where together they make no data set."""
    from g2milp.datasets.members import is_model_file, natural_key

    found = [entry for entry in folder.iterdir() if is_model_file(entry) and not entry.is_dir()]
    return sorted(found, key=lambda entry: natural_key(entry.name))
