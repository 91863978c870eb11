"""Options of one call, made of a generator's defaults and of what was given by name.

Unknown names are refused with the nearest known one, a scope that the generator cannot redraw with
those that it can. Nothing is guessed and nothing silently ignored.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from difflib import get_close_matches
from numbers import Real
from typing import TYPE_CHECKING, Any

from g2milp.errors import UsageError
from g2milp.generation.contract import SampleOptions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from g2milp.generation.contract import Generator

_USUAL = SampleOptions()
SHARED = tuple(f.name for f in fields(SampleOptions) if f.name != "extra")


def resolve(generator: Generator, given: Mapping[str, Any]) -> SampleOptions:
    """The generator's defaults with `given` over them, validated."""
    own = dict(generator.own_options)
    own.update((name, value) for name, value in generator.defaults.extra if name in own)
    shared = {name: getattr(generator.defaults, name) for name in SHARED}
    for name, value in given.items():
        if name in shared:
            shared[name] = _of_same_type(name, value, getattr(_USUAL, name))
        elif name in own:
            own[name] = _of_same_type(name, value, generator.own_options[name])
        else:
            raise _unknown(name, [*SHARED, *own])
    options = SampleOptions(**shared, extra=tuple(sorted(own.items())))
    if options.scope not in generator.scopes:
        raise UsageError(
            f"{generator.kind} cannot redraw the scope {options.scope!r}",
            hint=f"It can redraw: {', '.join(sorted(generator.scopes))}.",
        )
    return options


def as_json(options: SampleOptions) -> dict[str, Any]:
    """The options as they stand in the manifest."""
    record = asdict(options)
    record["extra"] = dict(options.extra)
    return record


def _of_same_type(name: str, value: Any, default: Any) -> Any:
    """`value` if it has the type of the default; numbers are floats too, nothing else is bent."""
    if default is None or type(value) is type(default):
        return value
    if isinstance(default, float) and isinstance(value, Real) and not isinstance(value, bool):
        return float(value)
    if isinstance(default, str) and isinstance(value, str):  # a StrEnum of the command line
        return str(value)
    raise UsageError(f"{name} must be a {type(default).__name__}, not {value!r}")


def _unknown(name: str, known: list[str]) -> UsageError:
    near = get_close_matches(name, known, n=1)
    meant = f"Did you mean {near[0]!r}? " if near else ""
    return UsageError(
        f"there is no option {name!r}", hint=f"{meant}Known are: {', '.join(sorted(known))}."
    )
