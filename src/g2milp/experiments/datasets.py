"""Table "Statistics of datasets": how many instances, of which size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from g2milp.experiments.finding import Finding, Outcome
from g2milp.experiments.lab import MORE, REAL, SETS, TITLES

if TYPE_CHECKING:
    from g2milp.experiments.lab import Lab

PAPER = {
    "mis": (1000, 1953, 500),
    "setcover": (1000, 500, 1000),
    "mik": (80, 346, 413),
    "nurse": (2, 8707, 20659),
}


def run(lab: Lab) -> Outcome:
    """Mean numbers of constraints and variables; of real files where their folder is given."""
    findings = []
    for name in (*SETS, *MORE, *(REAL if lab.data is not None else ())):
        data = lab.real(name)
        sizes = np.array([(milp.n_rows, milp.n_cols, milp.n_nonzeros) for milp in data])
        paper = (*PAPER.get(name, (None,) * 3), None) if lab.scale.name != "smoke" else (None,) * 4
        values = (len(data), *sizes.mean(axis=0))
        columns = ("instances", "mean constraints", "mean variables", "mean non-zeros")
        findings += [
            Finding(row=TITLES[name], column=column, value=float(value), paper=published)
            for column, value, published in zip(columns, values, paper, strict=True)
        ]
    return Outcome(findings=tuple(findings))
