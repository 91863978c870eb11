"""How large an experiment is: smoke (minutes for all), short (an hour each), full (as published).

A scale says how many instances of which size are made, learned from, generated and solved. Single
numbers can be changed by name (``--set generated=500``); what was used is part of every result.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from g2milp.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class SetSize:
    """One data set: how many instances, of which parameters, and for how long models learn from it.

    `steps` limits the training of each preset; None takes the preset's own number. `settings` are
    hyper-parameters of the learned generators. Of real sets at most `instances` are taken.
    """

    instances: int
    parameters: dict[str, Any] = field(default_factory=dict)
    steps: int | None = None
    solved: int = 100
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Numbers of one scale.

    Attributes
    ----------
    sets
        Sizes of ``mis``, ``setcover``, ``mik``, ``facility``, ``auction`` and of the real sets.
    generated
        Instances that each generator makes for each cell of a table.
    solver_seeds
        How often each instance is solved.
    seconds
        Time limit of one solve.
    ratios
        Mask ratios of the main tables.
    large_ratios
        Those of the figure over the mask ratio.
    epochs, repeats, tested
        Of the downstream tasks: training length, draws of generated instances, test instances.
    """

    name: str
    sets: dict[str, SetSize]
    generated: int
    solver_seeds: int
    seconds: float
    ratios: tuple[float, ...] = (0.01, 0.05, 0.1)
    large_ratios: tuple[float, ...] = (0.01, 0.05, 0.1, 0.3, 0.5, 1.0)
    epochs: int = 1000
    repeats: int = 5
    tested: int = 100

    def changed(self, changes: dict[str, Any]) -> Scale:
        """With single numbers replaced: ``generated``, or ``mis.instances`` for one set."""
        scale = self
        for key, value in changes.items():
            set_name, dot, leaf = key.rpartition(".")
            holder: Any = scale.sets.get(set_name) if dot else scale
            if holder is None or leaf not in asdict(holder) or leaf in ("name", "sets"):
                known = [k for k in asdict(scale) if k not in ("name", "sets")]
                known += [
                    f"{name}.{k}" for name in scale.sets for k in asdict(SetSize(instances=1))
                ]
                raise UsageError(
                    f"an experiment has no setting {key!r}", hint="Settings: " + ", ".join(known)
                )
            if isinstance(value, list):
                value = tuple(value)
            if dot:
                sets = {**scale.sets, set_name: replace(holder, **{leaf: value})}
                scale = replace(scale, sets=sets)
            else:
                scale = replace(scale, **{leaf: value})
        return scale

    def as_json(self) -> dict[str, Any]:
        """Everything, for results and cache keys."""
        return asdict(self)


BOUNDS = {"masking.bounds": True}
SMALL_FACILITY = {"n_customers": 30, "n_facilities": 30}
"""961 rows and 930 columns, within Gurobi's free licence."""


def _real(instances: int, steps: int | None, solved: int) -> dict[str, SetSize]:
    """Sizes of the real sets."""
    return {
        "objective-series": SetSize(instances=instances, steps=steps, solved=solved),
        "bounds-series": SetSize(instances=instances, steps=steps, solved=solved, settings=BOUNDS),
        "nurse": SetSize(instances=2, steps=steps, solved=0),
        "nurse-value": SetSize(instances=2, steps=steps, solved=0),
        "nurse-test": SetSize(instances=2, solved=0),
        "mik-files": SetSize(instances=3, steps=steps, solved=min(solved, 12)),
    }


SMOKE = Scale(
    name="smoke",
    sets={
        "mis": SetSize(instances=8, parameters={"n_nodes": 24}, steps=3, solved=3),
        "setcover": SetSize(
            instances=8, parameters={"n_rows": 16, "n_cols": 30, "density": 0.2}, steps=3, solved=3
        ),
        "mik": SetSize(
            instances=8,
            parameters={"n_integers": 12, "n_continuous": 4, "n_knapsacks": 3},
            steps=3,
            solved=3,
        ),
        "facility": SetSize(
            instances=8, parameters={"n_customers": 6, "n_facilities": 4}, steps=3, solved=3
        ),
        "auction": SetSize(
            instances=8, parameters={"n_items": 10, "n_bids": 24}, steps=3, solved=3
        ),
        **_real(4, 2, 1),
    },
    generated=4,
    solver_seeds=1,
    seconds=10.0,
    ratios=(0.1,),
    large_ratios=(0.1, 0.5),
    epochs=2,
    repeats=2,
    tested=3,
)

SHORT = Scale(
    name="short",
    sets={
        "mis": SetSize(instances=300, steps=6000, solved=100),
        "setcover": SetSize(instances=200, steps=2000, solved=40),
        "mik": SetSize(instances=80, steps=2000, solved=80),
        "facility": SetSize(instances=150, parameters=SMALL_FACILITY, steps=2000, solved=40),
        "auction": SetSize(instances=150, steps=2000, solved=60),
        **_real(50, 600, 10),
    },
    generated=200,
    solver_seeds=3,
    seconds=60.0,
)

FULL = Scale(
    name="full",
    sets={
        "mis": SetSize(instances=1000, solved=1000),
        "setcover": SetSize(instances=1000, solved=1000),
        "mik": SetSize(instances=80, solved=1000),
        "facility": SetSize(instances=1000, parameters=SMALL_FACILITY, solved=1000),
        "auction": SetSize(instances=1000, solved=1000),
        **_real(50, None, 50),
    },
    generated=1000,
    solver_seeds=3,
    seconds=300.0,
)

SCALES = {scale.name: scale for scale in (SMOKE, SHORT, FULL)}


def described(scale: dict[str, Any]) -> str:
    """A scale from a result file: its name, and every number that is not the one of that name."""
    name = scale["name"]
    if name not in SCALES:
        return f"`{name}`"
    usual = json.loads(json.dumps(SCALES[name].as_json()))
    changes = [(key, scale[key]) for key in usual if key != "sets" and _differs(scale, usual, key)]
    for of, size in scale["sets"].items():
        known = usual["sets"].get(of, {})
        changes += [(f"{of}.{key}", size[key]) for key in known if _differs(size, known, key)]
    words = ", ".join(f"`{key}={json.dumps(value)}`" for key, value in changes)
    return f"`{name}`" + (f" changed by {words}" if words else "")


def _differs(mine: dict[str, Any], usual: dict[str, Any], key: str) -> bool:
    return key in mine and bool(json.loads(json.dumps(mine[key])) != usual[key])


def scale_of(name: str, changes: dict[str, Any] | None = None) -> Scale:
    """The scale of that name with `changes` applied."""
    if name not in SCALES:
        raise UsageError(f"there is no scale {name!r}", hint=f"Scales: {', '.join(SCALES)}.")
    return SCALES[name].changed(changes or {})
