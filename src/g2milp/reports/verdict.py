"""The verdict: three questions, each answered in one line with the numbers behind the answer.

=============  ================================  ============================================
question       yes                               no
=============  ================================  ============================================
realistic      as near as real instances are to  recognised by the classifier, and further
               each other, and a classifier      from the ceiling than `FAR`
               does not recognise them
as hard        interval of the ratio within      interval of the ratio wholly outside
               `HARD`                            of `HARD`
valid and new  all feasible, no copy             more than `MANY` are copies or not feasible
=============  ================================  ============================================

Whatever lies between is "partly"; what was not measured is "unknown" and says how to measure it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from g2milp.evaluation.flags import TOLD_APART
from g2milp.evaluation.numbers import interval, percent, ratio, score
from g2milp.reports.text import listed

if TYPE_CHECKING:
    from g2milp.evaluation.hardness.compare import HardnessComparison
    from g2milp.evaluation.result import Evaluation

Answer: TypeAlias = Literal["yes", "partly", "no", "unknown"]

FAR = 0.1
HARD = (0.8, 1.25)
MANY = 0.05
ORDER: tuple[Answer, ...] = ("no", "unknown", "partly", "yes")


@dataclass(frozen=True)
class Line:
    """One line of the verdict."""

    question: str
    answer: Answer
    words: str


def verdict(evaluation: Evaluation) -> tuple[Line, Line, Line]:
    """All three lines."""
    return realistic(evaluation), as_hard(evaluation), valid_and_new(evaluation)


def realistic(evaluation: Evaluation) -> Line:
    """Similarity against its ceiling, and whether a classifier recognises the set."""
    e, ceiling = evaluation, evaluation.ceiling
    words = [f"Similarity {score(e.score)} ({score(e.interval[0])} to {score(e.interval[1])})"]
    if ceiling is not None:
        words[0] += f"; real instances get {score(ceiling.value)}"
    test = e.two_sample.classifier if e.two_sample is not None else None
    network = e.two_sample.network if e.two_sample is not None else None
    told = any(t is not None and t.interval[0] > TOLD_APART for t in (test, network))
    if test is not None:
        by = listed([t.feature for t in test.telltales[:2]]) if test.telltales else ""
        low, high = test.interval
        words.append(
            f"A {test.classifier} tells them from real ones with AUC {test.auc:.2f} "
            f"({low:.2f} to {high:.2f}; guessing has 0.50)" + (f", by {by}" if told and by else "")
        )
    if network is not None:
        low, high = network.interval
        words.append(f"A graph network has {network.auc:.2f} ({low:.2f} to {high:.2f})")
    if test is None and network is None:
        words.append("No classifier tried to tell them from real ones")
    text = f"{'. '.join(words)}."
    if ceiling is None:
        return Line("Realistic?", "no" if told else "unknown", text)
    near = e.interval[1] >= ceiling.interval[0]
    answer: Answer = "partly"
    if near and not told:
        answer = "partly" if test is None and network is None else "yes"
    elif e.score < ceiling.value - FAR and (told or test is None):
        answer = "no"
    return Line("Realistic?", answer, text)


def as_hard(evaluation: Evaluation) -> Line:
    """Ratio of shifted geometric means of the work, the worst over the solvers."""
    question = "As hard?"
    measured = main_comparisons(evaluation)
    if not measured:
        how = "Not measured: give solves with --ledger, or --solver to solve what is missing."
        return Line(question, "unknown", how)
    answer = min((_hardness(h) for h in measured), key=ORDER.index)
    parts = [
        f"{ratio(h.ratio)} times the {h.measure.replace('_', ' ')} of "
        f"{'their templates' if h.pairs else 'the real ones'} with {h.solver} "
        f"({interval(*h.interval)})"
        for h in measured
    ]
    cut = max(max(h.reference.censored, h.generated.censored) for h in measured)
    limit = f"; up to {percent(cut)} of the solves hit a limit" if cut else ""
    return Line(question, answer, f"{'; '.join(parts)}{limit}.")


def main_comparisons(evaluation: Evaluation) -> list[HardnessComparison]:
    """The first measure of each solver: its work where it counts any."""
    first: dict[str, HardnessComparison] = {}
    for comparison in evaluation.hardness:
        first.setdefault(comparison.solver, comparison)
    return list(first.values())


def _hardness(comparison: HardnessComparison) -> Answer:
    low, high = comparison.interval
    if HARD[0] <= low and high <= HARD[1]:
        return "yes"
    return "partly" if low <= HARD[1] and high >= HARD[0] else "no"


def valid_and_new(evaluation: Evaluation) -> Line:
    """Feasibility with its proof, copies, and how much was changed."""
    v, n = evaluation.validity, evaluation.novelty
    bad = max(v.infeasible, v.unbounded, v.refused, v.wrong, n.isomorphic)
    proofs = f", {percent(v.certified)} by a verified certificate" if v.certified else ""
    feasible = (
        "Feasibility is unknown"
        if v.unknown == 1
        else f"{percent(v.feasible)} are known to be feasible{proofs}"
    )
    copies = "none is a copy" if n.isomorphic == 0 else f"{percent(n.isomorphic)} are copies"
    if n.near_copies > max(MANY, n.isomorphic):
        copies += f", but {percent(n.near_copies)} are near to a real one"
    origin = "template" if n.parents_from == "manifest" else "nearest real instance"
    words = f"{feasible}; {copies}; {percent(n.changed_rows)} of the rows differ from the {origin}."
    answer: Answer = "yes"
    if bad > MANY:
        answer = "no"
    elif v.unknown == 1:
        answer = "unknown"
    elif bad > 0 or v.unknown > 0 or n.near_copies > MANY or n.repeated > MANY:
        answer = "partly"
    return Line("Valid and new?", answer, words)
