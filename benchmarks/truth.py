"""The same odd instances for every solver: do they say the same, and where do they differ?"""

from __future__ import annotations

from typing import Any

import numpy as np

from g2milp.instance.milp import Milp
from g2milp.solvers.base import Limits
from g2milp.solvers.registry import available, get
from harness import record

INF = np.inf


def milp(
    rows: list[dict[int, float]],
    lower: list[float],
    upper: list[float],
    cost: list[float],
    **rest: Any,
) -> Milp:
    return Milp.build(
        objective=cost,
        indptr=np.cumsum([0, *(len(row) for row in rows)]),
        indices=[column for row in rows for column in row],
        values=[value for row in rows for value in row.values()],
        row_lower=lower,
        row_upper=upper,
        **rest,
    )


def cases() -> dict[str, Milp]:
    """Name → instance."""
    integer = {"kinds": [1, 1]}
    box = {"col_upper": [9.0, 9.0]}
    return {
        "infeasible LP": milp([{0: 1, 1: 1}, {0: 1, 1: 1}], [3, -INF], [INF, 2], [1, 1]),
        "infeasible MIP": milp([{0: 2, 1: 2}], [3], [3], [1, 1], **integer, **box),
        "infeasible by parity, large": milp(
            [{0: 2, 1: 4}], [1e6 + 1], [1e6 + 1], [1, 1], kinds=[1, 1]
        ),
        "crossed column bounds": milp(
            [{0: 1}], [0], [5], [1, 1], col_lower=[2, 0], col_upper=[1, 1]
        ),
        "crossed row sides": milp([{0: 1, 1: 1}], [3], [2], [1, 1]),
        "unbounded LP": milp([{0: 1, 1: -1}], [0], [INF], [-1, 0]),
        "unbounded MIP": milp([{0: 1, 1: -1}], [0], [INF], [-1, 0], **integer),
        "unbounded and integer-infeasible": milp(
            [{0: 2, 1: 2}], [3], [3], [1, 1], kinds=[1, 1], col_lower=[-INF, -INF]
        ),
        "empty: no rows, no columns": milp([], [], [], []),
        "no rows": milp([], [], [], [1, -1], **box),
        "no rows, unbounded": milp([], [], [], [1, -1]),
        "no columns, empty row in range": milp([{}], [-1], [1], []),
        "no columns, empty row out of range": milp([{}], [1], [2], []),
        "empty row out of range": milp([{}, {0: 1, 1: 1}], [1, 1], [INF, INF], [1, 1]),
        "free row": milp([{0: 1, 1: 1}, {0: 1, 1: -1}], [1, -INF], [INF, INF], [1, 2], **integer),
        "only free rows": milp([{0: 1, 1: 1}], [-INF], [INF], [1, 2], **box),
        "range row": milp([{0: 1, 1: 1}], [1.5], [3.5], [1, 2], **integer, **box),
        "range row, unequal last bit": milp([{0: 1, 1: 1}], [0.1], [0.1 + 2**-55], [1, 2]),
        "fixed columns": milp(
            [{0: 1, 1: 1}], [1], [INF], [1, 1], col_lower=[2, 2], col_upper=[2, 2]
        ),
        "integer bounds 0.5..2.5": milp(
            [{0: 1, 1: 1}],
            [1],
            [INF],
            [1, 1],
            kinds=[1, 1],
            col_lower=[0.5, 0.5],
            col_upper=[2.5, 2.5],
        ),
        "integer bounds 0.2..0.8": milp(
            [{0: 1, 1: 1}], [0], [INF], [1, 1], kinds=[1, 1], col_lower=[0.2, 0], col_upper=[0.8, 1]
        ),
        "maximise with offset": milp(
            [{0: 1, 1: 2}], [-INF], [7], [3, 5], sense="max", offset=10.0, **integer
        ),
        "constant objective": milp([{0: 1, 1: 2}], [2], [7], [0, 0], offset=-3.0, **integer),
        "huge coefficient 1e12": milp([{0: 1e12, 1: 1}], [1], [INF], [1, 3], **integer, **box),
        "huge coefficient 1e16": milp([{0: 1e16, 1: 1}], [1], [INF], [1, 3], **integer, **box),
        "side of 1e21": milp([{0: 1, 1: 1}], [1], [1e21], [1, 1], **integer),
        "side of 1e30": milp([{0: 1, 1: 1}], [1], [1e30], [1, 1], **integer),
        "bound of 1e30": milp([{0: 1, 1: 1}], [1], [INF], [1, 1], col_upper=[1e30, 5]),
        "cost of 1e21": milp([{0: 1, 1: 1}], [1], [INF], [1e21, 1], **integer, **box),
        "tiny coefficient 1e-10": milp(
            [{0: 1e-10, 1: 1}], [0.5], [INF], [1, 1e3], **integer, col_upper=[1e10, 9.0]
        ),
        "big M cheat": milp(
            [{0: 1, 1: -1e8}], [-INF], [0], [-1, 10], kinds=[0, 1], col_upper=[5, 1]
        ),
        "semi-continuous": milp(
            [{0: 1, 1: 1}], [1], [INF], [1, 1.1], kinds=[2, 0], col_lower=[2, 0], col_upper=[5, 5]
        ),
        "semi-integer": milp(
            [{0: 1, 1: 1}], [1], [INF], [1, 1.1], kinds=[3, 0], col_lower=[2, 0], col_upper=[5, 0.5]
        ),
        "semi-continuous without upper": milp(
            [{0: 1, 1: 1}], [1], [INF], [1, 1.1], kinds=[2, 0], col_lower=[2, 0]
        ),
    }


def main() -> None:
    table: dict[str, Any] = {}
    for name, instance in cases().items():
        said: dict[str, Any] = {}
        for solver in available():
            outcome = get(solver).solve(instance, limits=Limits(seconds=20, gap=0.0))
            said[solver] = {
                "status": outcome.status.value,
                "objective": outcome.objective,
                "checked": outcome.checked.value,
                "message": outcome.message,
            }
        statuses = {one["status"] for one in said.values()}
        table[name] = {"same": len(statuses) == 1, **said}
        print(
            f"{name:40s}",
            *(
                f"{s}: {v['status']} {v['objective']} {v['checked']} {v['message']} |"
                for s, v in said.items()
            ),
        )
    same = sum(row["same"] for row in table.values())
    print(f"{same} of {len(table)} the same")
    record("truth", "python benchmarks/truth.py", {"same": same, "of": len(table), "table": table})


if __name__ == "__main__":
    main()
