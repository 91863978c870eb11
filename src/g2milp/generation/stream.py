"""From a seed to a stream of instances, in fixed blocks.

Number k owns ``SeedSequence(seed, spawn_key=(k,))``: its first draw chooses the template, the rest
the mask and everything that the generator draws. Attempt a > 0 (asked for by ``distinct``) keeps
the template and goes on with ``spawn_key=(k, a)``. Blocks of `BLOCK` numbers are redrawn together,
for speed alone: which numbers share a block is fixed, so the result depends on nothing else.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import G2MILPError, InputError, UsageError
from g2milp.generation.assemble import assemble
from g2milp.generation.contract import BLOCK, Draft, Redrawn, Sample
from g2milp.generation.masks import draw_masks, once
from g2milp.generation.novelty import NoveltyGuard, changes
from g2milp.generation.options import as_json
from g2milp.instance.fingerprint import content_hash
from g2milp.instance.milp import Milp

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset
    from g2milp.generation.certificates.certify import Certifier
    from g2milp.generation.contract import Generator, SampleOptions

MAX_ATTEMPTS = 20
"""How often ``distinct`` redraws one instance before it gives up and says so."""


@dataclass(frozen=True, eq=False)
class Session:
    """One generation run: what all its blocks share. Holds no state that changes bytes."""

    generator: Generator
    seed: int
    templates: Dataset
    options: SampleOptions
    solutions: Mapping[str, NDArray[np.float64]] | None
    anonymise: bool
    sketches: NDArray[np.float32] | None

    def __init__(
        self,
        generator: Generator,
        *,
        seed: int,
        templates: Dataset | Sequence[Milp] | None,
        options: SampleOptions,
        solutions: Mapping[str, NDArray[np.float64]] | None = None,
        anonymise: bool = False,
        sketches: NDArray[np.float32] | None = None,
    ) -> None:
        generator.require_fitted()
        if seed < 0:
            raise UsageError(f"seed must not be negative, but is {seed}")
        for name, value in (
            ("generator", generator),
            ("seed", seed),
            ("templates", _templates(generator, templates)),
            ("options", options),
            ("solutions", solutions),
            ("anonymise", anonymise),
            ("sketches", sketches),
        ):
            object.__setattr__(self, name, value)

    def with_solutions(self, solutions: Mapping[str, NDArray[np.float64]]) -> Session:
        """The same session, knowing these points of templates."""
        return Session(
            self.generator,
            seed=self.seed,
            templates=self.templates,
            options=self.options,
            solutions=solutions,
            anonymise=self.anonymise,
            sketches=self.sketches,
        )

    @cached_property
    def novelty(self) -> NoveltyGuard:
        """Fingerprints of everything that a new instance must not equal."""
        known = self.generator.templates_
        assert known is not None
        datasets = [known] if known is self.templates else [known, self.templates]
        return NoveltyGuard(datasets, self.sketches)

    def check_templates(self) -> None:
        """Refuse templates that are not of the family, before anything is made or written."""
        if self.templates is self.generator.templates_ or self._takes_any:
            return
        for name, template in zip(self.templates.names, self.templates, strict=True):
            strange = self.generator.strange(template)
            if strange:
                listed = "\n".join(f"  {line}" for line in strange[:5])
                raise InputError(
                    f"the template {name} is not like the training instances:\n{listed}",
                    hint="Use templates of the same family, train on such ones, "
                    "or allow it: --set any_template=true",
                )

    @property
    def _takes_any(self) -> bool:
        return bool(dict(self.options.extra).get("any_template", False))

    @cached_property
    def solutions_digest(self) -> str | None:
        """SHA-256 over the given solutions; None without any."""
        if self.solutions is None:
            return None
        digest = hashlib.sha256()
        for name in sorted(self.solutions):
            digest.update(name.encode() + np.ascontiguousarray(self.solutions[name]).tobytes())
        return digest.hexdigest()

    @cached_property
    def certifier(self) -> Certifier:
        """Planted points of the templates, found when first needed."""
        from g2milp.generation.certificates.certify import Certifier

        return Certifier(self)

    def draft(self, number: int, attempt: int = 0) -> Draft:
        """Template, mask and random stream of one number."""
        rng = stream_of(self.seed, number)
        if len(self.templates):
            index = int(rng.integers(len(self.templates)))
            template, name = self.templates[index], self.templates.names[index]
        else:
            template, name = _EMPTY, self.generator.kind
        if attempt:
            rng = stream_of(self.seed, number, attempt)
        rows, cols = draw_masks(template, self.options, rng)
        return Draft(
            number=number,
            template=template,
            template_name=name,
            masked_rows=once(rows) if self.options.repeats else rows,
            masked_cols=cols,
            rng=rng,
            visits=rows if self.options.repeats else None,
        )

    def redraw(self, drafts: Sequence[Draft]) -> list[Redrawn]:
        """Ask the generator for all drafts that have something masked, together."""
        asked = [d for d in drafts if self._has_work(d)]
        answers = iter(self.generator._redraw(asked, self.options) if asked else [])
        return [next(answers) if self._has_work(draft) else Redrawn() for draft in drafts]

    def _has_work(self, draft: Draft) -> bool:
        masked = draft.masked_rows.size + draft.masked_cols.size
        return bool(masked) or not self.generator.edits_templates

    def samples(self, numbers: Sequence[int], attempt: int = 0) -> list[Sample]:
        """Finished instances of these numbers, redrawn together."""
        drafts = [self.draft(number, attempt) for number in numbers]
        if self.options.certify is None:
            redrawn = self.redraw(drafts)
            return [
                self._sample(d, assemble(d, r), r.notes, attempt)
                for d, r in zip(drafts, redrawn, strict=True)
            ]
        samples = []
        for draft, made in zip(drafts, self.certifier.certify(drafts), strict=True):
            sample = self._sample(draft, made.milp, made.notes, attempt)
            sample.record["certificate"] = made.certificate.as_json()
            samples.append(
                replace(sample, point=made.certificate.point, dual=made.certificate.dual)
            )
        return samples

    def block(self, numbers: Sequence[int]) -> list[Sample]:
        """`samples`; with ``distinct`` none of them is isomorphic to a known instance."""
        samples = self.samples(numbers)
        if self.options.distinct:
            return [self.until_new(sample, frozenset()) for sample in samples]
        return samples

    def until_new(self, sample: Sample, taken: frozenset[str] | set[str]) -> Sample:
        """The first attempt, from `sample` on, that is neither known nor in `taken`."""
        while self.is_known(sample, taken):
            attempt = sample.record["attempt"] + 1
            if attempt > MAX_ATTEMPTS:
                raise G2MILPError(
                    f"instance {sample.number} came out as one that exists already, "
                    f"{MAX_ATTEMPTS + 1} times in a row",
                    hint="Raise --mask-ratio, give more templates, or leave --distinct out.",
                )
            sample = self.samples([sample.number], attempt)[0]
        return sample

    def is_known(self, sample: Sample, taken: frozenset[str] | set[str]) -> bool:
        """Whether it is isomorphic to a training instance or template, or in `taken`."""
        return sample.record["same_as"] is not None or sample.record["structure_hash"] in taken

    def _sample(self, draft: Draft, milp: Milp, notes: Mapping[str, Any], attempt: int) -> Sample:
        record: dict[str, Any] = {
            "number": draft.number,
            "generator": self.generator.kind,
            "parent": draft.template_name,
            "parent_hash": content_hash(draft.template) if len(self.templates) else None,
            "seed": self.seed,
            "attempt": attempt,
            "options": as_json(self.options),
            "masked_rows": int(draft.masked_rows.size),
            "masked_cols": int(draft.masked_cols.size),
            **changes(draft.template, milp),
            **self.novelty.describe(milp),
        }
        if notes:
            record["notes"] = dict(notes)
        return Sample(
            number=draft.number, milp=milp, template_name=draft.template_name, record=record
        )


def stream(session: Session, n: int) -> Iterator[Sample]:
    """Instances 0 … n − 1 in order; with ``distinct`` each differs from all before it."""
    if n < 0:
        raise UsageError(f"n must not be negative, but is {n}")
    session.check_templates()
    taken: set[str] = set()
    for numbers in blocks(n):
        for sample in session.block(numbers):
            if session.options.distinct:
                sample = session.until_new(sample, taken)
                taken.add(sample.record["structure_hash"])
            yield sample


def blocks(n: int) -> Iterator[range]:
    """The numbers 0 … n − 1 cut into the fixed blocks."""
    return (range(start, min(start + BLOCK, n)) for start in range(0, n, BLOCK))


def stream_of(seed: int, *key: int) -> np.random.Generator:
    """The random stream of one instance (and attempt)."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key)))


def _templates(generator: Generator, given: Dataset | Sequence[Milp] | None) -> Dataset:
    from g2milp.datasets.dataset import as_dataset

    templates = generator.templates_ if given is None else as_dataset(given)
    assert templates is not None
    if not len(templates) and generator.needs_templates:
        raise UsageError(
            "there is no template to start from",
            hint="This model folder holds none (an export). Give some with --templates.",
        )
    return templates


_EMPTY = Milp.build(objective=[], indptr=[0], indices=[], values=[], row_lower=[], row_upper=[])
