"""Flags: what a reader must know before believing the score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.evaluation.result import Flag, TwoSample

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from g2milp.evaluation.hardness.compare import HardnessComparison
    from g2milp.evaluation.novelty.disclosure import Disclosure
    from g2milp.evaluation.novelty.report import Novelty
    from g2milp.evaluation.scoring import Score
    from g2milp.evaluation.suites import Suite
    from g2milp.evaluation.validity.verdicts import Validity

SMALL = 30
"""Below this many instances intervals are wide and the classifier is weak."""

TOLD_APART = 0.75

POWER = 0.95
"""A classifier that knows Random by less than this says little about anything better."""


def novelty_flags(novelty: Novelty, disclosure: Disclosure) -> Iterator[Flag]:
    """Copies, near-copies, repetitions, disclosed names."""
    if novelty.isomorphic > 0:
        yield Flag(
            "copies",
            f"{_of(novelty.isomorphic)} of the generated instances are copies of reference "
            "instances (equal up to the order of rows and columns).",
        )
    if novelty.near_copies > novelty.isomorphic + 1e-12:
        yield Flag(
            "near-copies",
            f"{_of(novelty.near_copies - novelty.isomorphic)} are no copies, but nearer to a "
            "reference instance than half the usual distance of two real ones "
            f"({_of(novelty.changed_rows, 1)} of the rows differ).",
        )
    if novelty.repeated > 0:
        yield Flag(
            "repeated",
            f"{_of(novelty.repeated)} repeat another generated instance (isomorphic).",
        )
    if disclosure.names is not None and disclosure.names > 0:
        yield Flag(
            "names-disclosed",
            f"{_of(disclosure.names)} of the names of the reference's rows and columns appear "
            "in the generated set; `g2milp convert --anonymise` removes them.",
        )


def validity_flags(validity: Validity) -> Iterator[Flag]:
    """Infeasible, unbounded, unknown, wrong claims, certificates that fail."""
    if validity.infeasible > 0:
        yield Flag("infeasible", f"{_of(validity.infeasible)} are infeasible.")
    if validity.unbounded > 0:
        yield Flag("unbounded", f"{_of(validity.unbounded)} are unbounded.")
    if validity.refused > 0:
        yield Flag("certificates-fail", f"{_of(validity.refused)} have a certificate that fails.")
    if validity.wrong > 0:
        yield Flag("wrong-claims", f"A solver's claim was found wrong for {_of(validity.wrong)}.")
    if validity.unknown > 0:
        yield Flag(
            "unverified",
            f"Nothing is known about the feasibility of {_of(validity.unknown)}: give a ledger, "
            "`--solver NAME`, or generate with certificates.",
        )


def sample_flags(reference: int, generated: int, suite: Suite, score: Score) -> Iterator[Flag]:
    """Small samples, statistics that cannot tell anything, suites that depend on numbering."""
    if min(reference, generated) < SMALL:
        yield Flag(
            "small-sample",
            f"{reference} reference and {generated} generated instances: below {SMALL} the score "
            "is biased downwards and intervals are rough; compare with the ceiling.",
        )
    constant = sum(not s.varies for s in score.statistics)
    if constant > len(score.statistics) / 3:
        yield Flag(
            "constant-statistics",
            f"{constant} of {len(score.statistics)} statistics do not vary in the reference; "
            "whoever keeps them gets 1 for them.",
        )
    if suite.comparison == "published":
        yield Flag(
            "published-metric",
            f"{suite.name} rewards copies, has five bins that one outlier can empty"
            + (
                ", and depends on the order of rows and columns."
                if "merged_clustering" in suite.statistics
                else "."
            ),
        )


def test_flags(two_sample: TwoSample | None) -> Iterator[Flag]:
    """Generated instances that a classifier recognises; classifiers without power."""
    found = two_sample.classifier if two_sample is not None else None
    network = two_sample.network if two_sample is not None else None
    if two_sample is not None and found is not None:
        if found.interval[0] > TOLD_APART:
            by = ", ".join(t.feature for t in found.telltales[:3])
            yield Flag(
                "told-apart",
                f"A {found.classifier} tells generated from real with AUC {found.auc:.2f}, "
                f"by {by}.",
            )
        elif two_sample.power is not None and two_sample.power < POWER:
            yield _weak("classifier", two_sample.power)
    if network is not None:
        if network.interval[0] > TOLD_APART:
            yield Flag(
                "told-apart",
                f"A graph network tells generated from real with AUC {network.auc:.2f}.",
            )
        elif network.power is not None and network.power < POWER:
            yield _weak("graph network", network.power)


def _weak(classifier: str, power: float) -> Flag:
    return Flag(
        "weak-test",
        f"The {classifier} knows even the baseline Random with AUC {power:.2f} only ({POWER} is "
        "wanted): that it does not recognise the generated set proves little.",
    )


def hardness_flags(
    comparisons: Sequence[HardnessComparison],
    solves: int,
    reference: tuple[int, int],
    generated: tuple[int, int],
) -> Iterator[Flag]:
    """What the ledgers do not hold, and solves that were cut off.

    `solves` counts the lines; `reference` and `generated` are (instances with a solve, instances).
    """
    if solves and not reference[0] and not generated[0]:
        yield Flag(
            "unmatched-ledger",
            f"None of the {solves} solves of the ledger is of these instances (they are found by "
            "their content).",
        )
    elif (reference[0] == 0) != (generated[0] == 0):
        which = "generated" if reference[0] == 0 else "reference"
        yield Flag("one-sided", f"The ledger holds solves of the {which} instances only.")
    elif solves and not comparisons:
        yield Flag(
            "no-common-solver",
            "The ledger holds no solver that finished or was cut off on both sets with the same "
            "version and settings: hardness cannot be compared.",
        )
    elif solves and (reference[0] < reference[1] or generated[0] < generated[1]):
        yield Flag(
            "partly-solved",
            f"The ledger holds solves of {reference[0]} of {reference[1]} reference and "
            f"{generated[0]} of {generated[1]} generated instances.",
        )
    if any(max(h.reference.censored, h.generated.censored) > 0 for h in comparisons):
        yield Flag(
            "censored",
            "Some solves hit a limit: their efforts are lower bounds, means are restricted to the "
            "time that both sets were observed.",
        )


def _of(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f} %"
