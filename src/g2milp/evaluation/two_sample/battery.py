"""All two-sample tests of one evaluation, and the proof of their power.

The power is the AUC of the same classifier on instances of the baseline Random at η = 0.1, made
from the same reference: a test that does not recognise those proves nothing by an AUC near 0.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from g2milp.evaluation.features import features_of
from g2milp.evaluation.result import TwoSample
from g2milp.evaluation.suites import SUITES
from g2milp.evaluation.two_sample.classifier import classifier_test
from g2milp.evaluation.two_sample.distances import graded_distances

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.features import Features
    from g2milp.evaluation.two_sample.classifier import ClassifierName

POWER_SAMPLE = 60


def two_sample_tests(
    data: Dataset,
    reference: Features,
    generated: Features,
    groups: Sequence[str],
    *,
    embeddings: tuple[NDArray[np.float64] | None, NDArray[np.float64] | None] = (None, None),
    classifier: ClassifierName = "auto",
    power: bool = False,
    seed: int = 0,
) -> TwoSample:
    """Classifier on the v1 statistics; graded distances on them and on embeddings."""
    names = SUITES["v1"].statistics
    x, y = reference.columns(names), generated.columns(names)
    found = classifier_test(names, x, y, data.names, groups, classifier=classifier, seed=seed)
    distances = graded_distances(x, y, on="statistics", seed=seed)
    own, new = embeddings
    if own is not None and new is not None:
        distances = (*distances, *graded_distances(own, new, on="embeddings", seed=seed))
    shown = power_on_random(data, reference, classifier, seed) if power else None
    return TwoSample(found, distances, shown)


def power_on_random(
    data: Dataset, reference: Features, classifier: ClassifierName, seed: int
) -> float | None:
    """AUC against Random at η = 0.1, one instance for each of at most `POWER_SAMPLE` templates."""
    import numpy as np

    from g2milp.baselines.random_refill import Random
    from g2milp.datasets.dataset import Dataset as Instances

    names = SUITES["v1"].statistics
    rng = np.random.default_rng([seed, 12])
    chosen = np.sort(rng.permutation(len(data))[:POWER_SAMPLE])
    templates = data.subset(chosen)
    random = Random(mask_ratio=0.1, seed=seed).fit(templates)
    made = list(random.sample_iter(len(templates), seed=seed))
    refilled = features_of(Instances.from_milps([sample.milp for sample in made]), names)
    test = classifier_test(
        names,
        reference.subset(chosen).columns(names),
        refilled.values,
        templates.names,
        [sample.template_name for sample in made],
        classifier=classifier,
        seed=seed,
    )
    return test.auc if test is not None else None
