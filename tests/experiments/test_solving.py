"""Efforts are of this run alone, and a solution with a bound proves what it proves."""

from __future__ import annotations

from dataclasses import replace

from g2milp.experiments.lab import Lab, Recipe

RECIPE = Recipe(of="mis", generator="rewire", mask_ratio=0.5)


def test_solves_with_other_limits_or_more_seeds_are_not_counted(lab: Lab):
    first = lab.effort("mis", lab.made(RECIPE), "nodes")
    other = Lab(
        folder=lab.folder,
        scale=replace(lab.scale, seconds=5.0, solver_seeds=2),
        solver="highs",
    )
    second = other.effort("mis", other.made(RECIPE), "nodes")
    solved = lab.size("mis").solved
    assert sum(first.statuses.values()) == first.sound == solved
    assert sum(second.statuses.values()) == second.sound == 2 * solved
    assert lab.effort("mis", lab.made(RECIPE), "nodes") == first


def test_a_solution_and_a_bound_are_enough():
    from g2milp.experiments import solving
    from g2milp.solvers.base import SolveOutcome, Status

    def outcome(status: Status, objective: float | None, bound: float | None) -> SolveOutcome:
        return SolveOutcome(
            status=status,
            solver="highs",
            solver_version="1",
            seed=0,
            objective=objective,
            bound=bound,
        )

    cut = Status.TIME_LIMIT
    assert solving._is_sound(outcome(cut, 3.0, 2.0))
    assert not solving._is_sound(outcome(cut, None, 2.0))
    assert not solving._is_sound(outcome(cut, 3.0, float("-inf")))
    assert not solving._is_sound(outcome(Status.INFEASIBLE, None, None))


def test_where_the_first_all_end_at_the_limit_no_others_are_tried(lab: Lab, monkeypatch):
    from g2milp.experiments import solving
    from g2milp.solvers.base import Status
    from g2milp.solvers.labelling import label

    tried = []

    def always_late(data, ledger, plan, **given):
        tried.append(len(data))
        label(data, ledger, plan, **given)

    made = lab.made(RECIPE)
    monkeypatch.setattr("g2milp.solvers.labelling.label", always_late)
    monkeypatch.setattr(solving, "HOPELESS", 1)
    lab.effort("mis", made, "nodes")
    assert tried[-2:] == [1, lab.size("mis").solved]
    read = solving._solves
    monkeypatch.setattr(
        solving,
        "_solves",
        lambda *given: [
            replace(s, outcome=replace(s.outcome, status=Status.TIME_LIMIT)) for s in read(*given)
        ],
    )
    found = lab.effort("mis", made, "nodes")
    assert tried[-2:] == [1, 1]
    assert found.statuses == {"time_limit": 1}
