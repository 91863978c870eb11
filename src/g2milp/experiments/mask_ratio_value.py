"""Figure "Ablation on masking ratio", part (b): gain in predicting optimal values of MIK."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.downstream.summary import shortages
from g2milp.experiments.downstream_tasks import findings, session_of
from g2milp.experiments.finding import Outcome
from g2milp.experiments.generators import label_of
from g2milp.experiments.lab import Recipe
from g2milp.experiments.plots import Curve, curves

if TYPE_CHECKING:
    from g2milp.experiments.lab import Lab

GENERATORS = ("random", "rewire", "code", "best")
RATIOS = (0.01, 0.05, 0.1, 0.2)
ADDED = 20
GAIN = "improvement"


def run(lab: Lab) -> Outcome:
    """The protocol of optimal-value, with instances of one mask ratio at a time."""
    from g2milp.downstream.optimal_value.protocol import protocol
    from g2milp.downstream.optimal_value.task import optimal_value

    chosen = protocol(
        "mik", epochs=lab.scale.epochs, repeats=lab.scale.repeats, seed=lab.seed, added=(ADDED,)
    )
    ratios = RATIOS if lab.scale.name != "smoke" else RATIOS[:2]
    arms = {
        f"{label_of(generator)}, η = {ratio:g}": [
            Recipe(of="mik", generator=generator, mask_ratio=ratio)
        ]
        for generator in GENERATORS
        for ratio in ratios
    }
    folder = lab.folder / "downstream" / "mask-ratio-value"
    test = lab.fresh("mik", lab.scale.tested)
    work = session_of(lab, folder, lab.real("mik"), test, arms, 5 * ADDED)
    result = optimal_value(work, chosen)
    found = findings(result, "mse", "test MSE", {})
    gains = {cell.row: cell for cell in found if cell.column == GAIN}
    lines = []
    for generator in GENERATORS:
        label = label_of(generator)
        points = [(x, gains.get(f"{label}, η = {x:g}")) for x in ratios]
        lines.append(Curve.of(generator, [(x, cell) for x, cell in points if cell is not None]))
    picture = curves("Gain in test error over the mask ratio", "mask ratio η", lines)
    return Outcome(
        findings=tuple(found),
        figures={"gain.svg": picture},
        notes=(
            "The paper shows bars without numbers up to η = 0.2. Improvement is the share by "
            "which the mean test error falls when 20 generated instances are added.",
            *shortages(result),
        ),
    )
