"""The proof of the classifier's power: the baseline Random at η = 0.1, made from the reference.

A test that does not recognise Random proves nothing by an AUC near 0.5. What is made here depends
on the reference only; the map of a report shows it, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.features import features_of
from g2milp.evaluation.suites import SUITES
from g2milp.evaluation.two_sample.classifier import classifier_test

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.features import Features
    from g2milp.evaluation.two_sample.classifier import ClassifierName

    Embed = Callable[[Dataset], NDArray[np.float64]]

MASK_RATIO = 0.1
POWER_SAMPLE = 60


@dataclass(frozen=True, eq=False)
class RandomSet:
    """Instances of the baseline Random, one for each of at most `POWER_SAMPLE` templates.

    Attributes
    ----------
    chosen
        The templates, as indices into the reference.
    template_names
        Name of the template of each instance.
    data
        The instances.
    features, embedding
        Statistics of v1, and vectors where an embedding was given.
    """

    chosen: NDArray[np.int64]
    template_names: tuple[str, ...]
    data: Dataset
    features: Features
    embedding: NDArray[np.float64] | None


def random_set(data: Dataset, seed: int, embed: Embed | None = None) -> RandomSet:
    """Refill a tenth of the rows of some reference instances at random."""
    from g2milp.baselines.random_refill import Random
    from g2milp.datasets.dataset import Dataset as Instances

    rng = np.random.default_rng([seed, 12])
    chosen = np.sort(rng.permutation(len(data))[:POWER_SAMPLE])
    templates = data.subset(chosen)
    random = Random(mask_ratio=MASK_RATIO, seed=seed).fit(templates)
    made = list(random.sample_iter(len(templates), seed=seed))
    refilled = Instances.from_milps([sample.milp for sample in made])
    return RandomSet(
        chosen,
        tuple(sample.template_name for sample in made),
        refilled,
        features_of(refilled, SUITES["v1"].statistics),
        embed(refilled) if embed is not None else None,
    )


def power_on_random(
    made: RandomSet, data: Dataset, reference: Features, classifier: ClassifierName, seed: int
) -> float | None:
    """AUC of the same classifier against Random; None with too few instances."""
    names = SUITES["v1"].statistics
    test = classifier_test(
        names,
        reference.subset(made.chosen).columns(names),
        made.features.values,
        data.subset(made.chosen).names,
        made.template_names,
        classifier=classifier,
        seed=seed,
    )
    return test.auc if test is not None else None


def network_power_on_random(made: RandomSet, data: Dataset, seed: int) -> float | None:
    """AUC of the graph network against Random; None with too few instances."""
    from g2milp.evaluation.two_sample.graph_network import network_test

    templates = data.subset(made.chosen)
    test = network_test(templates, made.data, templates.names, made.template_names, seed=seed)
    return test.auc if test is not None else None
