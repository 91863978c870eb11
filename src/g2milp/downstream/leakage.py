"""The guard: what is learned from, chosen by and tested on have nothing in common.

Two instances are *kin* when they have the same content, when colour refinement cannot tell their
graphs apart (so isomorphic ones are always kin), or when one was generated from the other or both
from a third. Training and test sets with kin stop the run.

The manifest of a generated instance tells the hash of its template; two instances of a template
that is in none of the sets are kin, too. Older manifests have its name alone. Names are not unique,
so a name is believed only where the recorded changes against the template are those against the
instance of this name; where two of this name fit equally, the one that is learned from is taken. An
instance that has nothing but its size in common with its template (Bowly) is no kin of it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from g2milp.errors import InputError
from g2milp.generation.novelty import changes
from g2milp.instance.fingerprint import structure_hash

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from g2milp.datasets.dataset import Dataset
    from g2milp.instance.milp import Milp

SHOWN = 10
ELSEWHERE = "template "
"""Starts what stands for a template that is in none of the sets."""

OF_SIZE_ONLY = frozenset({"bowly"})
"""Generators that take from a template how large it is, and nothing else."""


class Leakage(InputError):
    """Sets that must be apart share instances, templates or isomorphic graphs."""


@dataclass(frozen=True)
class Identity:
    """What an instance is known by; `kin` are the fingerprints of itself and its template."""

    name: str
    structure: str
    parent: str | None
    parent_is_known: bool

    @property
    def kin(self) -> frozenset[str]:
        """Two instances are kin when these sets meet."""
        return frozenset(key for key in (self.structure, self.parent) if key is not None)

    @property
    def parent_is_here(self) -> bool:
        """Whether its template is in one of the sets."""
        return self.parent is not None and not self.parent.startswith(ELSEWHERE)


def fingerprint(milp: Milp) -> str:
    """The structure hash of the graph that is learned from: minimised, without the constant."""
    costs = milp.objective if milp.sense == "min" else -milp.objective
    costs.flags.writeable = False
    return structure_hash(replace(milp, objective=costs, sense="min", offset=0.0))


def identify(
    sets: Mapping[str, Dataset], generated: Mapping[str, Dataset]
) -> dict[str, list[Identity]]:
    """Identities of all instances; templates are looked for by hash, in `sets` also by name."""
    named: dict[str, list[tuple[Milp, str]]] = defaultdict(list)
    hashed: dict[str, str] = {}
    structures: dict[str, list[str]] = {}
    for key, data in {**sets, **generated}.items():
        structures[key] = [fingerprint(milp) for milp in data]
        hashed |= {data.content_hash(i): own for i, own in enumerate(structures[key])}
        if key in sets:
            for name, milp, structure in zip(data.names, data, structures[key], strict=True):
                named[name].append((milp, structure))
    known: dict[str, list[Identity]] = {}
    for key, data in {**sets, **generated}.items():
        records = data.manifest or [{}] * len(data)
        known[key] = [
            Identity(name, structures[key][i], *_parent(data[i], record, hashed, named))
            for i, (name, record) in enumerate(zip(data.names, records, strict=True))
        ]
    return known


def require_apart(parts: Mapping[str, Sequence[Identity]]) -> dict[str, Any]:
    """Stop unless no two parts hold kin; gives what was checked, for the result."""
    owner: dict[str, tuple[str, str]] = {}
    shared: list[str] = []
    for part, members in parts.items():
        for one in members:
            for key in one.kin:
                other_part, other = owner.setdefault(key, (part, one.name))
                if other_part != part:
                    shared.append(f"{one.name} ({part}) and {other} ({other_part})")
    if shared:
        listed = "\n".join(f"  {line}" for line in shared[:SHOWN])
        more = f"\n  … and {len(shared) - SHOWN} more" if len(shared) > SHOWN else ""
        raise Leakage(
            "what is tested on must not be learned from; the same instance, an isomorphic one, or "
            f"the same template is in both:\n{listed}{more}",
            hint="Take them out of one of the sets.",
        )
    every = [one for members in parts.values() for one in members]
    return {
        "checked": {part: len(members) for part, members in parts.items()},
        "templates_known": sum(one.parent_is_here for one in every),
        "templates_elsewhere": sum(one.parent_is_known and not one.parent_is_here for one in every),
    }


def _parent(
    milp: Milp,
    record: Mapping[str, Any],
    hashed: Mapping[str, str],
    named: Mapping[str, list[tuple[Milp, str]]],
) -> tuple[str | None, bool]:
    """What stands for the template, and whether the manifest tells of one."""
    name, content = record.get("parent"), record.get("parent_hash")
    if not isinstance(name, str) or _is_new(milp, record):
        return None, False
    if isinstance(content, str):
        return hashed.get(content, ELSEWHERE + content), True
    named_so = [(changes(other, milp), key) for other, key in named.get(name, ())]
    fitting = [(told["distance_to_parent"], key) for told, key in named_so if _agree(told, record)]
    best = min(fitting, default=None, key=lambda found: found[0])
    return (best[1] if best else None), True


def _is_new(milp: Milp, record: Mapping[str, Any]) -> bool:
    """Whether nothing of the template is left.

    A planted program may have a row or column of the template by chance: that is no sign of it.
    That all rows changed is one only where no generator is named: at η = 1 all of them do.
    """
    if isinstance(record.get("generator"), str):
        return record["generator"] in OF_SIZE_ONLY
    changed = record.get("changed_rows"), record.get("changed_cols")
    return changed == (milp.n_rows, milp.n_cols) and milp.n_rows > 0


def _agree(told: Mapping[str, Any], record: Mapping[str, Any]) -> bool:
    """Whether the changes against an instance are those that the manifest records."""
    return all(
        abs(told[name] - record[name]) < 1e-6
        for name in ("changed_rows", "changed_cols", "distance_to_parent")
        if isinstance(record.get(name), int | float)
    )
