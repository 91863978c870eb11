"""All two-sample tests of one evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.evaluation.result import TwoSample
from g2milp.evaluation.suites import SUITES
from g2milp.evaluation.two_sample.classifier import classifier_test
from g2milp.evaluation.two_sample.distances import graded_distances

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from g2milp.evaluation.features import Features
    from g2milp.evaluation.two_sample.classifier import ClassifierName
    from g2milp.evaluation.two_sample.graph_network import NetworkTest


def two_sample_tests(
    reference: Features,
    generated: Features,
    reference_groups: Sequence[str],
    generated_groups: Sequence[str],
    *,
    embeddings: tuple[NDArray[np.float64] | None, NDArray[np.float64] | None] = (None, None),
    classifier: ClassifierName = "auto",
    power: float | None = None,
    network: NetworkTest | None = None,
    seed: int = 0,
) -> TwoSample:
    """Classifier on the v1 statistics; graded distances on them and on embeddings.

    `power` is what `power.power_on_random` found for the same reference, `network` the result of
    the graph network.
    """
    names = SUITES["v1"].statistics
    x, y = reference.columns(names), generated.columns(names)
    found = classifier_test(
        names, x, y, reference_groups, generated_groups, classifier=classifier, seed=seed
    )
    distances = graded_distances(x, y, on="statistics", seed=seed)
    own, new = embeddings
    if own is not None and new is not None:
        distances = (*distances, *graded_distances(own, new, on="embeddings", seed=seed))
    return TwoSample(found, distances, power, network)
