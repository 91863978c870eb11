"""How it was made: everything that is needed to make the same numbers again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.result import Evaluation

VALUES = 3
"""Of what differs between instances, this many values are listed."""


def provenance(evaluation: Evaluation) -> tuple[tuple[str, str], ...]:
    """Labels and values of one evaluation."""
    made = dict(evaluation.made_with)
    hashes = {name: made.pop(f"{name}_hash", "") for name in ("reference", "generated")}
    return (
        ("suite", evaluation.suite),
        ("seed of the evaluation", str(evaluation.seed)),
        ("reference", f"{evaluation.reference_size} instances, SHA-256 {hashes['reference']}"),
        ("generated", f"{evaluation.generated_size} instances, SHA-256 {hashes['generated']}"),
        *generation_of(evaluation.evidence.generated_data),
        *_solvers(evaluation),
        ("versions", ", ".join(f"{name} {version}" for name, version in made.items())),
    )


def generation_of(data: Dataset) -> tuple[tuple[str, str], ...]:
    """What the manifest says about the generator; nothing without one."""
    records = data.manifest or []
    generators = _distinct([record.get("generator") for record in records])
    if not generators:
        return ()
    options: dict[str, list[Any]] = {}
    for record in records:
        chosen = record.get("options")
        for name, value in _flat(chosen):
            options.setdefault(name, []).append(value)
    told = [f"{name} {', '.join(_distinct(values)) or '–'}" for name, values in options.items()]
    return (
        ("generator", ", ".join(generators)),
        ("seed of the generator", ", ".join(_distinct([r.get("seed") for r in records])) or "–"),
        *((("options of the generator", "; ".join(told)),) if told else ()),
    )


def _flat(options: object) -> Iterator[tuple[str, Any]]:
    """Options and those within options: ``extra`` holds what only some generators have."""
    for name, value in options.items() if isinstance(options, dict) else ():
        if isinstance(value, dict):
            yield from _flat(value)
        else:
            yield str(name), value


def _solvers(evaluation: Evaluation) -> tuple[tuple[str, str], ...]:
    used = dict.fromkeys(f"{h.solver} {h.solver_version}" for h in evaluation.hardness)
    return (("solvers", ", ".join(used)),) if used else ()


def _distinct(values: list[Any]) -> list[str]:
    """Different values as text, in order of appearance, the first few."""
    texts = dict.fromkeys(
        value if isinstance(value, str) else json.dumps(value, sort_keys=True)
        for value in values
        if value is not None and value != ""
    )
    shown = list(texts)
    return [*shown[:VALUES], "…"] if len(shown) > VALUES else shown
