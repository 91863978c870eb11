"""The baselines by name, with what can be set, imported when asked for."""

from __future__ import annotations

import inspect
from difflib import get_close_matches
from importlib import import_module
from typing import TYPE_CHECKING, Any

from g2milp.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from g2milp.generation.contract import Generator

HOMES = {
    "random": ("g2milp.baselines.random_refill", "Random"),
    "random-marginal": ("g2milp.baselines.random_refill", "RandomMarginal"),
    "bowly": ("g2milp.baselines.bowly.generator", "Bowly"),
    "g2sat": ("g2milp.baselines.g2sat.generator", "G2SAT"),
    "rewire": ("g2milp.baselines.rewire", "Rewire"),
    "copy": ("g2milp.baselines.controls", "Copy"),
    "perturb": ("g2milp.baselines.controls", "Perturb"),
}


def names() -> tuple[str, ...]:
    """All baselines."""
    return tuple(HOMES)


def create(name: str, **settings: Any) -> Generator:
    """An unfitted baseline; settings are the parameters of its class, checked by name and type."""
    if name not in HOMES:
        near = get_close_matches(name, HOMES, n=1)
        meant = f"Did you mean {near[0]!r}? " if near else ""
        raise UsageError(
            f"there is no baseline {name!r}", hint=f"{meant}Known are: {', '.join(HOMES)}."
        )
    cls = _class_of(name)
    known = {
        key: parameter.default
        for key, parameter in inspect.signature(cls).parameters.items()
        if key not in ("mask_ratio", "seed")
    }
    for key, value in settings.items():
        if key in ("mask_ratio", "seed"):
            continue
        if key not in known:
            can = ", ".join(f"{k}={v}" for k, v in known.items()) or "nothing"
            raise UsageError(f"{name} has no setting {key!r}", hint=f"What can be set: {can}.")
        if not _fits(value, known[key]):
            kind = type(known[key]).__name__
            raise UsageError(f"{name}: {key} must be of type {kind}, not {value!r}")
    return cls(**settings)


def load(directory: Path) -> Generator:
    """The generator of a model folder, whatever made it: a baseline or the learned model."""
    from g2milp.generation.g2milp import G2MILP
    from g2milp.generation.integrity import MANIFEST_NAME, read_json_object

    manifest = directory / MANIFEST_NAME
    kind = read_json_object(manifest).get("kind") if manifest.is_file() else None
    cls = _class_of(kind) if isinstance(kind, str) and kind in HOMES else G2MILP
    return cls.load(directory)


def _class_of(name: str) -> type[Generator]:
    module, class_name = HOMES[name]
    cls: type[Generator] = getattr(import_module(module), class_name)
    return cls


def _fits(value: Any, default: Any) -> bool:
    """The type of the default; an int is a float too, but a bool is no number."""
    if isinstance(default, float):
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return type(value) is type(default)
