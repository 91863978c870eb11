"""Table "Optimal value prediction on MIS with different dataset sizes"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.experiments.downstream_tasks import findings, session
from g2milp.experiments.finding import Outcome

if TYPE_CHECKING:
    from g2milp.experiments.finding import Finding
    from g2milp.experiments.lab import Lab

SIZES = (50, 100, 200, 500)
SHARES = (0.25, 0.5, 1.0)
GENERATORS = ("random", "best")
IMPROVEMENT = {
    50: (0.231, 0.243, 0.255),
    100: (0.015, 0.058, 0.237),
    200: (0.190, 0.173, 0.313),
    500: (0.106, 0.069, 0.096),
}


def run(lab: Lab) -> Outcome:
    """As many generated instances as 25, 50 and 100 % of the real ones; learned from those only."""
    from g2milp.downstream.optimal_value.protocol import protocol
    from g2milp.downstream.optimal_value.task import optimal_value

    available = len(lab.real("mis"))
    found: list[Finding] = []
    for size in [s for s in SIZES if s <= available] or [available]:
        chosen = protocol(
            "mis",
            epochs=lab.scale.epochs,
            repeats=lab.scale.repeats,
            seed=lab.seed,
            added=SHARES,
        )
        train = lab.real("mis").subset(range(size))
        folder = lab.folder / "downstream" / f"dataset-size-{size}"
        work = session(lab, folder, "mis", train, GENERATORS, (0.01, 0.05), size, size)
        paper = {
            f"g2milp +{share:.0%}/improvement": gain
            for share, gain in zip(SHARES, IMPROVEMENT.get(size, ()), strict=False)
        }
        result = optimal_value(work, chosen)
        for one in findings(result, "mse", "test MSE", paper):
            found.append(type(one)(**{**vars(one), "row": f"{size} real, {one.row}"}))
    return Outcome(findings=tuple(found), notes=("The paper's gains are those of its G2MILP.",))
