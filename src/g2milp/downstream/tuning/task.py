"""Tuning on few real, few real and generated, and many real instances; transfer to unseen ones.

    transfer = cost of the choice on the held-out real instances / cost of the default on them

Below 1 the choice pays. All choices are made from one ledger of solves: what one training set has
solved, the next ones find there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.datasets.dataset import Dataset
from g2milp.downstream.augmentation import REAL_ONLY, Augmentation, draw
from g2milp.downstream.leakage import identify, require_apart
from g2milp.downstream.picture import picture
from g2milp.downstream.runs import write_result
from g2milp.downstream.spread import gain, spread
from g2milp.downstream.tuning.costs import Costs
from g2milp.downstream.tuning.search import choose
from g2milp.downstream.tuning.space import HIGHS, default, options
from g2milp.errors import UsageError
from g2milp.solvers.base import Limits

if TYPE_CHECKING:
    from g2milp.downstream.leakage import Identity
    from g2milp.downstream.session import Session
    from g2milp.downstream.tuning.protocol import Protocol

TASK = "tuning"
FEW = f"{REAL_ONLY}, few"
MANY = f"{REAL_ONLY}, many"
USUAL = "HiGHS default"
MEASURES = ("work", "seconds")


def tuning(session: Session, protocol: Protocol) -> dict[str, Any]:
    """Tune on every split, and write the result into the session's folder."""
    if session.solver != "highs":
        raise UsageError("the parameters that are tuned are those of HiGHS")
    splits = min(protocol.splits, len(session.train) // protocol.few)
    if splits < 1:
        raise UsageError(f"{len(session.train)} real instances, but {protocol.few} are wanted")
    settings = session.claim(TASK, protocol)
    generated = {
        f"{a.name} {i}": data
        for a, of in session.augmentations.items()
        for i, data in enumerate(of)
    }
    known = identify({"train": session.train, "test": session.test}, generated)
    guard = require_apart(
        {
            "train": [*known["train"], *(one for key in generated for one in known[key])],
            "test": known["test"],
        }
    )
    budget = protocol.search.budget
    total = budget * (1 + splits * (1 + len(session.augmentations))) + splits
    with session.bar("Tuning", total) as advance:
        costs = Costs(
            session.folder / "solves",
            Limits(nodes=protocol.node_limit, seconds=protocol.time_limit),
            tuple(range(protocol.seeds)),
            jobs=session.jobs,
        )
        tuner = _Tuner(session, protocol, known, costs, advance)
        records = [record for split in range(splits) for record in tuner.split(split)]
    rows = _summary(records)
    shown = picture(
        "Effort on unseen instances, default = 1",
        [(USUAL, spread([1.0] * splits)), *((r["arm"], r["transfer"]) for r in rows)],
        (USUAL,),
    )
    space = {name: list(choices) for name, choices in HIGHS.items()}
    return write_result(
        session.folder,
        {
            **settings,
            "guard": guard,
            "space": space,
            "summary": rows,
            "figure": shown,
            "runs": records,
        },
    )


class _Tuner:
    """The choices of all splits; that on many real instances is made once."""

    def __init__(
        self,
        session: Session,
        protocol: Protocol,
        known: dict[str, list[Identity]],
        costs: Costs,
        advance: Any,
    ) -> None:
        self._session = session
        self._protocol = protocol
        self._known = known
        self._costs = costs
        self._advance = advance
        self._many: dict[str, Any] | None = None

    def split(self, number: int) -> list[dict[str, Any]]:
        """A line for each training set of one split."""
        few = self._protocol.few
        places = range(number * few, (number + 1) * few)
        real = self._session.train.subset(places)
        records = [self._line(FEW, number, real, few, 0)]
        for augmentation in self._session.augmentations:
            drawn = self._drawn(augmentation, places, number)
            data = Dataset([*real.members, *(m for part in drawn for m in part.members)])
            records.append(self._line(augmentation.name, number, data, few, len(data) - few))
        if self._many is None:
            train = self._session.train
            self._many = self._line(MANY, number, train, len(train), 0)
        records.append({**self._many, "repeat": number})
        self._advance(1)
        return records

    def _drawn(self, augmentation: Augmentation, places: range, number: int) -> list[Dataset]:
        """Generated instances whose templates are among the few real ones of the split."""
        sets = self._session.augmentations[augmentation]
        pools = [self._known[f"{augmentation.name} {i}"] for i in range(len(sets))]
        train = self._known["train"]
        allowed = {key for i in places for key in train[i].kin}
        forbidden = frozenset({key for one in train for key in one.kin} - allowed)
        drawn = draw(pools, self._protocol.added, forbidden, self._protocol.seed + number)
        return [data.subset(chosen) for data, chosen in zip(sets, drawn.chosen, strict=True)]

    def _line(self, arm: str, number: int, data: Dataset, real: int, added: int) -> dict[str, Any]:
        """Choose on `data`, and measure the choice and the default on the held-out instances."""
        chosen = choose(
            self._costs, data, self._protocol.search, self._protocol.seed, self._advance
        )
        record: dict[str, Any] = {
            "task": TASK,
            "arm": arm,
            "repeat": number,
            "real": real,
            "added": added,
            "asked": 0 if arm in (FEW, MANY) else self._protocol.added,
            "chosen": options(HIGHS, chosen.configuration),
            "cost_on_training_set": chosen.cost,
            "tried": [[options(HIGHS, c), cost] for c, cost in chosen.tried],
        }
        for measure in MEASURES:
            held = self._session.test
            own = self._costs.cost(chosen.configuration, held, measure)
            usual = self._costs.cost(default(HIGHS), held, measure)
            record[f"held_out_{measure}"] = own
            record[f"default_{measure}"] = usual
        record["transfer"] = record["held_out_work"] / max(record["default_work"], 1e-12)
        return record


def _summary(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row for each training set: transfer over the splits, compared with few real ones alone.

    The choice on many instances is one choice, whatever the number of splits: it has no spread.
    """
    arms = list(dict.fromkeys(record["arm"] for record in records))
    by_arm = {arm: [r["transfer"] for r in records if r["arm"] == arm] for arm in arms}
    few = np.asarray(by_arm[FEW])
    rows = []
    for arm in arms:
        own = np.asarray(by_arm[arm])
        compared = {
            **gain(few.tolist(), own.tolist()),
            "equal": int((own == few).sum()),
            "worse": int((own > few).sum()),
        }
        rows.append(
            {
                "arm": arm,
                "added": sorted({r["added"] for r in records if r["arm"] == arm}),
                "transfer": spread(own[: 1 if arm == MANY else None].tolist()),
                "improvement": None if arm == FEW else compared,
            }
        )
    return rows
