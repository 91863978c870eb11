"""Settings of a task as frozen dataclasses, changed by name with all mistakes told at once."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

from g2milp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

Settings = TypeVar("Settings")


def changed(settings: Settings, given: Mapping[str, Any]) -> Settings:
    """The settings with some fields exchanged; fields of an inner dataclass by their own name."""
    homes = _homes(settings)
    new: dict[str, dict[str, Any]] = {}
    for key, value in given.items():
        if key not in homes:
            near = get_close_matches(key, homes, n=1)
            meant = f"Did you mean {near[0]!r}? " if near else ""
            raise UsageError(
                f"there is no setting {key!r}", hint=f"{meant}Known are: {', '.join(homes)}."
            )
        inner, now = homes[key]
        new.setdefault(inner, {})[key] = _fitting(key, value, now)
    outer: dict[str, Any] = new.pop("", {})
    for inner, values in new.items():
        outer[inner] = replace(getattr(settings, inner), **values)
    return replace(settings, **outer)  # type: ignore[type-var]


def _homes(settings: Any) -> dict[str, tuple[str, Any]]:
    """Each name with the inner dataclass that it belongs to ("" for none) and its value."""
    homes: dict[str, tuple[str, Any]] = {}
    for field in fields(settings):
        value = getattr(settings, field.name)
        if is_dataclass(value):
            homes |= {f.name: (field.name, getattr(value, f.name)) for f in fields(value)}
        else:
            homes[field.name] = ("", value)
    return homes


def _fitting(key: str, value: Any, now: Any) -> Any:
    """The value in the type of the present one; an int is a float too, but a bool is no number."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if isinstance(now, bool):
        fits = isinstance(value, bool)
    elif isinstance(now, int):
        fits = is_number and float(value).is_integer()
        value = int(value) if fits else value
    elif isinstance(now, float) or now is None:
        fits = is_number
        value = float(value) if fits and isinstance(now, float) else value
    else:
        fits = isinstance(value, type(now))
    if not fits:
        raise UsageError(f"{key} must be like {now!r}, not {value!r}")
    return value
