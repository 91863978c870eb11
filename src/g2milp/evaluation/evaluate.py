"""`evaluate`: score generated instances against real ones, and say what the score is worth."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2milp.errors import UsageError
from g2milp.evaluation import flags
from g2milp.evaluation.features import features_of
from g2milp.evaluation.hardness.agreement import agreements
from g2milp.evaluation.hardness.compare import compare_hardness
from g2milp.evaluation.hardness.records import read_solves
from g2milp.evaluation.hardness.relaxation import compare_relaxations, relaxations
from g2milp.evaluation.novelty.disclosure import disclosure
from g2milp.evaluation.novelty.report import lineage, nearest_among, nearest_reference, novelty
from g2milp.evaluation.result import Evaluation, Evidence
from g2milp.evaluation.scoring import score
from g2milp.evaluation.suites import SUITES, suite
from g2milp.evaluation.two_sample.battery import two_sample_tests
from g2milp.evaluation.two_sample.graph_network import network_test
from g2milp.evaluation.two_sample.power import (
    network_power_on_random,
    power_on_random,
    random_set,
)
from g2milp.evaluation.validity.certificates import verified
from g2milp.evaluation.validity.verdicts import validity
from g2milp.evaluation.yardsticks import ceiling, copy_score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset
    from g2milp.evaluation.features import Features
    from g2milp.evaluation.hardness.records import Solve
    from g2milp.evaluation.suites import Suite
    from g2milp.evaluation.two_sample.classifier import ClassifierName
    from g2milp.evaluation.two_sample.graph_network import NetworkTest
    from g2milp.evaluation.two_sample.power import Embed


@dataclass(frozen=True, kw_only=True)
class EvaluationOptions:
    """How to evaluate.

    Attributes
    ----------
    suite
        Name of the suite.
    fresh
        Real instances that were not trained on: the ceiling and the membership test use them.
    ledgers
        Ledgers with solves of the instances.
    relaxation
        Whether the LP relaxations of solved instances are compared, too (they are solved here).
    embed
        A function from a data set to vectors (``generator.embed``): distances on them are added.
    two_sample
        Whether to run the classifier and the graded distances.
    network
        Whether a graph network is the second classifier (needs PyTorch, takes minutes).
    power
        Whether to show the power of the classifier on Random at η = 0.1 (needs the reference to be
        read and refilled).
    seed
        Of bootstrap, folds and draws.
    jobs
        Worker processes for the statistics.
    cache
        Folder that keeps what was computed for each file.
    advance
        Called with 1 after each instance.
    """

    suite: str = "v1"
    fresh: Any = None
    ledgers: Sequence[str | Path] = ()
    relaxation: bool = False
    embed: Embed | None = None
    two_sample: bool = True
    classifier: ClassifierName = "auto"
    network: bool = False
    power: bool = False
    seed: int = 0
    jobs: int = 1
    cache: str | Path | None = None
    advance: Callable[[int], None] | None = None


def evaluate(reference: Any, generated: Any, *, suite: str = "v1", **options: Any) -> Evaluation:
    """Score a generated set; both sets are data sets, folders, files or lists of instances.

    Options are the fields of `EvaluationOptions`.
    """
    chosen = EvaluationOptions(suite=suite, **options)
    return evaluate_all(reference, {"generated": generated}, chosen)[0]


def evaluate_all(
    reference: Any, generated: Mapping[str, Any], options: EvaluationOptions
) -> list[Evaluation]:
    """Score several generated sets against one reference, whose part is done once."""
    from g2milp.datasets.dataset import as_dataset

    judge = Judge(as_dataset(reference), options)
    return [judge.judge(name, as_dataset(data)) for name, data in generated.items()]


class Judge:
    """The reference with all that does not depend on what is judged: for many sets in turn."""

    def __init__(self, reference: Dataset, options: EvaluationOptions) -> None:
        from g2milp.datasets.dataset import as_dataset

        self._options = options
        self._suite: Suite = suite(options.suite)
        # The v1 statistics are always needed: the two-sample tests look at them.
        self._names = tuple(
            dict.fromkeys((*SUITES["v1"].statistics, *self._suite.statistics))
            if options.two_sample
            else self._suite.statistics
        )
        if options.network:
            from g2milp.generation.g2milp import require_torch

            require_torch()
        if not len(reference):
            raise UsageError("there are no reference instances")
        self._data = reference
        self._reference = self._features(reference)
        self._fresh = (
            self._features(as_dataset(options.fresh)) if options.fresh is not None else None
        )
        self._solves: tuple[Solve, ...] = tuple(read_solves(Path(p) for p in options.ledgers))
        self._relaxations = self._solved_relaxations(reference, self._reference)
        self._embedding = options.embed(reference) if options.embed else None
        self._real = nearest_among(self._reference.profiles)
        wanted = options.two_sample and options.power
        self._random = random_set(reference, options.seed, options.embed) if wanted else None
        self._power = (
            power_on_random(
                self._random, reference, self._reference, options.classifier, options.seed
            )
            if self._random is not None
            else None
        )
        self._network_power = (
            network_power_on_random(self._random, reference, options.seed)
            if self._random is not None and options.network
            else None
        )

    def judge(self, name: str, data: Dataset) -> Evaluation:
        """Evaluate one generated set."""
        if not len(data):
            raise UsageError(f"{name}: there are no generated instances")
        options, chosen, reference = self._options, self._suite, self._reference
        generated = self._features(data)
        embedding = options.embed(data) if options.embed else None
        closest = nearest_reference(reference.profiles, generated.profiles)
        origin = lineage(
            self._data.names, _parents(data), reference.profiles, generated.profiles, closest
        )
        groups = [
            self._data.names[parent] if parent >= 0 else f"generated/{own}"
            for parent, own in zip(origin.parents, data.names, strict=True)
        ]
        found = score(chosen, reference, generated, seed=options.seed, groups=groups)
        tests = (
            two_sample_tests(
                reference,
                generated,
                self._data.names,
                groups,
                embeddings=(self._embedding, embedding),
                classifier=options.classifier,
                power=self._power,
                network=self._network_test(data, groups),
                seed=options.seed,
            )
            if options.two_sample
            else None
        )
        own = [p.content for p in reference.profiles]
        new = [p.content for p in generated.profiles]
        hardness = compare_hardness(self._solves, own, new, origin.parents, seed=options.seed)
        verdicts = validity(data.names, new, self._solves, verified(data))
        fresh = self._fresh.profiles if self._fresh is not None else ()
        new_ness = novelty(reference.profiles, generated.profiles, closest, origin, self._real)
        told = disclosure(reference.profiles, generated.profiles, fresh)
        solved = {solve.instance_hash for solve in self._solves}
        return Evaluation(
            suite=chosen.name,
            score=found.value,
            interval=found.interval,
            ceiling=ceiling(
                chosen, reference, len(generated), fresh=self._fresh, seed=options.seed
            ),
            copy_score=copy_score(chosen, reference, len(generated), seed=options.seed),
            statistics=found.statistics,
            two_sample=tests,
            hardness=hardness,
            relaxation=compare_relaxations(
                self._relaxations, self._solved_relaxations(data, generated), seed=options.seed
            ),
            agreement=agreements(self._solves, [*own, *new]),
            validity=verdicts,
            novelty=new_ness,
            disclosure=told,
            flags=(
                *flags.novelty_flags(new_ness, told),
                *flags.validity_flags(verdicts),
                *flags.test_flags(tests),
                *flags.hardness_flags(
                    hardness, len(self._solves), _known(own, solved), _known(new, solved)
                ),
                *flags.sample_flags(len(reference), len(generated), chosen, found),
            ),
            generated_name=name,
            reference_size=len(reference),
            generated_size=len(generated),
            seed=options.seed,
            made_with={
                **_versions(),
                "reference_hash": _set_hash(own),
                "generated_hash": _set_hash(new),
            },
            evidence=Evidence(
                reference=reference,
                generated=generated,
                random=self._random,
                reference_data=self._data,
                generated_data=data,
                parents=origin.parents,
                nearest=closest.index,
                nearest_distance=closest.distance,
                real_distance=self._real.distance if self._real is not None else None,
                solves=self._solves,
                reference_embedding=self._embedding,
                generated_embedding=embedding,
            ),
        )

    def _network_test(self, data: Dataset, groups: Sequence[str]) -> NetworkTest | None:
        if not self._options.network:
            return None
        return network_test(
            self._data,
            data,
            self._data.names,
            groups,
            power=self._network_power,
            seed=self._options.seed,
        )

    def _solved_relaxations(self, data: Dataset, features: Features) -> NDArray[np.float64]:
        solves = self._solves if self._options.relaxation else ()
        contents = [profile.content for profile in features.profiles]
        return relaxations(data, contents, solves, seed=self._options.seed)

    def _features(self, data: Dataset) -> Features:
        options = self._options
        return features_of(
            data,
            self._names,
            jobs=options.jobs,
            cache=Path(options.cache) if options.cache is not None else None,
            advance=options.advance,
        )


def _parents(data: Dataset) -> list[str | None]:
    """The template that the manifest names for each instance."""
    records = data.manifest
    if records is None:
        return [None] * len(data)
    parents = [record.get("parent") for record in records]
    return [parent if isinstance(parent, str) else None for parent in parents]


def _known(contents: Sequence[str], solved: set[str]) -> tuple[int, int]:
    """How many instances have a solve, and how many there are."""
    return sum(content in solved for content in contents), len(contents)


def _set_hash(contents: Sequence[str]) -> str:
    """SHA-256 over the content hashes in order, as `Dataset.hash`."""
    return sha256(b"".join(bytes.fromhex(content) for content in contents)).hexdigest()


def _versions() -> dict[str, str]:
    import platform
    from importlib.metadata import PackageNotFoundError, version

    found = {"python": platform.python_version()}
    for package in ("g2milp", "numpy", "scipy", "scikit-network", "scikit-learn"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
