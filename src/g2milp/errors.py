"""Every error that g2milp raises on purpose, as one tree.

* G2MILPError                          exit 1
  + UsageError                         exit 2    a wrong call: option, value, combination
  + InputError                         exit 3    something that was given cannot be used
    - UnreadableFile                             no file, no right, not a file, too big, broken gzip
    - FormatError                                a model file breaks a rule: path, line, rule
    - NotAMilp                                   well formed, outside what a Milp holds (SOS, ...)
    - InvalidMilp                                arrays that make no instance
    - DamagedArtifact                            model folder, manifest, ledger, cache
  + UnavailableError                   exit 4    solver, licence, extra or network
  + ItemsFailed                        exit 5    finished, but some items failed; they are listed
  + QualityGateNotMet                  exit 6    `--fail-under` was not reached
  + NotFitted                          exit 1    a generator was used before `fit`
  + AlreadyExists                      exit 1    it would be overwritten
  + OutOfSpace                         exit 1    the disk is full; everything finished is kept
  + TrainingDiverged                   exit 1    losses or weights are not finite
  + Interrupted                        exit 130  Ctrl-C; the same command continues

A message says what happened, where, and what to do about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


class G2MILPError(Exception):
    """The root: catch this to catch everything g2milp raises on purpose."""

    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n{self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors cross process borders whole, whatever their constructors take."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[G2MILPError], args: tuple[Any, ...], state: dict[str, Any]) -> G2MILPError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


class UsageError(G2MILPError, ValueError):
    """The call itself is wrong.

    An unknown option, a value out of range, two that exclude each other.
    """

    exit_code = 2


class InputError(G2MILPError):
    """Something that was given cannot be used: missing, unreadable, malformed, or not a MILP."""

    exit_code = 3


class UnreadableFile(InputError):
    """The file cannot be opened or its bytes cannot be had."""

    def __init__(self, path: str | Path, reason: str, *, hint: str | None = None) -> None:
        super().__init__(f"{path}: {reason}", hint=hint)
        self.path = str(path)
        self.reason = reason


class FormatError(InputError):
    """A model file breaks a rule.

    `rule` is the name that `--accept` takes where there is a choice.
    """

    def __init__(
        self,
        path: str | Path,
        line: int | None,
        rule: str,
        reason: str,
        *,
        hint: str | None = None,
    ) -> None:
        where = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{where}: {reason} [{rule}]", hint=hint)
        self.path = str(path)
        self.line = line
        self.rule = rule
        self.reason = reason


class NotAMilp(FormatError):
    """A well-formed model with parts that a Milp does not hold: quadratic terms, SOS, cones."""


class InvalidMilp(InputError, ValueError):
    """Arrays that do not make an instance.

    Wrong shapes, NaN, unsorted or duplicate entries, repeated names.
    """


class DamagedArtifact(InputError):
    """A model folder, manifest, ledger or cache that is incomplete, changed or too new."""

    def __init__(self, path: str | Path, reason: str, *, hint: str | None = None) -> None:
        super().__init__(f"{path}: {reason}", hint=hint)
        self.path = str(path)
        self.reason = reason


class UnavailableError(G2MILPError):
    """A solver, licence, extra or network connection that is needed is not there."""

    exit_code = 4


class ItemsFailed(G2MILPError):
    """The work is finished, but some items failed; `failures` holds (item, reason) pairs."""

    exit_code = 5

    def __init__(self, message: str, failures: Sequence[tuple[str, str]]) -> None:
        listed = "\n".join(f"  {item}: {reason}" for item, reason in failures[:20])
        more = f"\n  ... and {len(failures) - 20} more" if len(failures) > 20 else ""
        super().__init__(f"{message}\n{listed}{more}")
        self.failures = tuple(failures)


class QualityGateNotMet(G2MILPError):
    """The score is below the value that `--fail-under` asked for."""

    exit_code = 6


class NotFitted(G2MILPError):
    """`sample`, `save` or `embed` was called on a generator that has not been fitted."""


class AlreadyExists(G2MILPError):
    """Something would be overwritten, or resumed with settings other than it was started with."""


class OutOfSpace(G2MILPError):
    """The disk is full or the quota used up; what was finished before is intact."""


class TrainingDiverged(G2MILPError):
    """A loss or weight is not finite, and going back to the last checkpoint did not help."""


class Interrupted(G2MILPError):
    """The user stopped the work; the same command continues it."""

    exit_code = 130
