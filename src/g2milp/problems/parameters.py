"""What the parameters of all families share: closed names, types, ranges, reading from text."""

from __future__ import annotations

import dataclasses
import difflib
import math
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from g2milp.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """Parent of every family's parameters: int or float fields, each with a range.

    `RANGES` gives the smallest and largest allowed value of each field; relations between fields
    are checked by `check`.
    """

    RANGES: ClassVar[dict[str, tuple[float, float]]] = {}

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value is None and field.default is None:
                continue
            checked = _as_type(field.name, value, self._type(field))
            low, high = self.RANGES[field.name]
            if not low <= checked <= high:
                raise UsageError(
                    f"{field.name} must lie between {low:g} and {high:g}, not {checked:g}"
                )
            object.__setattr__(self, field.name, checked)
        self.check()

    def check(self) -> None:
        """Refuse values that do not go together; families override it."""

    @classmethod
    def of(cls, **given: Any) -> Self:
        """Parameters by name; an unknown name is refused with the nearest known one."""
        for name in given:
            cls._field(name)
        return cls(**given)

    @classmethod
    def parse(cls, name: str, text: str) -> int | float:
        """The value of one parameter from text, such as ``"100"`` or ``"0.05"``."""
        kind = cls._type(cls._field(name))
        try:
            return int(text) if kind is int else float(text)
        except ValueError as error:
            word = "a whole number" if kind is int else "a number"
            raise UsageError(f"{name} must be {word}, not {text!r}") from error

    def as_dict(self) -> dict[str, int | float | None]:
        """The parameters as JSON values, for manifests."""
        return dataclasses.asdict(self)

    @classmethod
    def _field(cls, name: str) -> dataclasses.Field[Any]:
        known = {field.name: field for field in dataclasses.fields(cls)}
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
            hint = f"Did you mean {near[0]!r}? " if near else ""
            raise UsageError(
                f"there is no parameter called {name!r}", hint=f"{hint}Known: {', '.join(known)}."
            )
        return known[name]

    @staticmethod
    def _type(field: dataclasses.Field[Any]) -> type[int] | type[float]:
        return int if str(field.type).startswith("int") else float


def _as_type(name: str, value: Any, kind: type[int] | type[float]) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"{name} must be a number, not {value!r}")
    if not math.isfinite(value):
        raise UsageError(f"{name} must be finite, not {value}")
    if kind is int and value != int(value):
        raise UsageError(f"{name} must be a whole number, not {value}")
    return kind(value)
