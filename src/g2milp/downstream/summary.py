"""From the lines of all runs to a table: one row a training set, gains paired by repeat."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Any

from g2milp.downstream.augmentation import REAL_ONLY
from g2milp.downstream.spread import gain, spread

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def summary(records: Sequence[dict[str, Any]], measures: Sequence[str]) -> list[dict[str, Any]]:
    """A row for each training set; the first measure is the one whose gain is told.

    The gain is that over the repeats without augmentation at the same size of the real set.
    """
    arms = list(dict.fromkeys(record["arm"] for record in records))
    by_arm = {arm: {r["repeat"]: r for r in records if r["arm"] == arm} for arm in arms}
    real = {
        next(iter(by_arm[arm].values()))["size"]: arm for arm in arms if arm.startswith(REAL_ONLY)
    }
    rows = []
    for arm in arms:
        of = by_arm[arm]
        size = next(iter(of.values()))["size"]
        base = by_arm[real[size]]
        row: dict[str, Any] = {
            "arm": arm,
            "size": size,
            "added": sorted({record["added"] for record in of.values()}),
        }
        for name in measures:
            values = [record[name] for record in of.values()]
            row[name] = {**spread(values), "median": median(values)}
        first = measures[0]
        row["improvement"] = (
            None
            if arm == real[size]
            else gain([base[k][first] for k in of], [record[first] for record in of.values()])
        )
        rows.append(row)
    return rows


def shortages(result: Mapping[str, Any]) -> list[str]:
    """A sentence for each training set that got fewer generated instances than were asked for."""
    lines = []
    for arm in dict.fromkeys(record["arm"] for record in result["runs"]):
        of = [record for record in result["runs"] if record["arm"] == arm]
        asked = max(record.get("asked") or 0 for record in of)
        added = sorted({record["added"] for record in of})
        if not asked or min(added) >= asked:
            continue
        how_many = " to ".join(str(number) for number in dict.fromkeys((added[0], added[-1])))
        reasons: Counter[str] = Counter()
        for name, pool in result.get("labels", {}).items():
            own, colon, _ = name.rpartition(": ")
            if colon and (arm == own or arm.startswith(f"{own} ")):
                reasons.update(pool["unlabelled"])
        passed = max(record.get("passed_over") or 0 for record in of)
        if passed:
            reasons["kin of what is held out or of each other"] = passed
        why = ", ".join(f"{number} {reason}" for reason, number in reasons.items())
        lines.append(
            f"{arm}: {how_many} of {asked} generated instances could be added"
            + (f" ({why})" if why else "; generate more")
        )
    return lines
