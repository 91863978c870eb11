"""Optimal value prediction with and without generated instances, from sets to the result.

    Improvement = (MSE₁ − MSE₂) / MSE₁        (appendix D.3)

with MSE₁ of the real training set alone and MSE₂ of the augmented one, on the same test instances,
in units of the variance of the real training labels.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from g2milp.downstream.layout import gather, training_sets
from g2milp.downstream.optimal_value.training import ValueRun, train_value
from g2milp.downstream.picture import picture
from g2milp.downstream.runs import Run, complete, digest, write_result
from g2milp.downstream.summary import summary

if TYPE_CHECKING:
    from g2milp.downstream.layout import Sets
    from g2milp.downstream.optimal_value.protocol import Protocol
    from g2milp.downstream.session import Session

TASK = "optimal-value"


def optimal_value(session: Session, protocol: Protocol) -> dict[str, Any]:
    """Run what is missing, and write the result into the session's folder."""
    settings = session.claim(TASK, protocol)
    sets = gather(session.train, session.test, session.augmentations, session.labels())
    scale = (float(sets.real.values.mean()), float(sets.real.values.std()) or 1.0)
    runs = _runs(session, sets, scale, protocol)
    with session.bar("Training", len(runs)) as advance:
        records = complete(session.folder, runs, train_value, jobs=session.jobs, advance=advance)
    rows = summary(records, ("mse",))
    shown = picture(
        "Test error of predicted optimal values", ((row["arm"], row["mse"]) for row in rows)
    )
    found = {"target": {"mean": scale[0], "deviation": scale[1]}, **sets.facts}
    return write_result(
        session.folder,
        {**settings, **found, "summary": rows, "figure": shown, "runs": records},
    )


def _runs(
    session: Session, sets: Sets, scale: tuple[float, float], protocol: Protocol
) -> list[Run]:
    runs = []
    for made in training_sets(sets, protocol.comparison):
        inputs = digest(
            made.names,
            made.values.tolist(),
            made.held_values.tolist(),
            sets.test.values.tolist(),
            scale,
            asdict(protocol.schedule),
            asdict(protocol.network),
            made.seed,
        )
        payload = ValueRun(
            sets=made,
            test=sets.test,
            mean=scale[0],
            deviation=scale[1],
            protocol=protocol,
            folder=session.folder / "checkpoints" / f"{made.repeat}-{inputs}",
        )
        runs.append(Run(TASK, made.arm, made.repeat, inputs, payload))
    return runs
