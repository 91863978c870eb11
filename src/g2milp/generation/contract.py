"""The contract of everything that makes new instances: fit, sample, save, load.

A generator has to know one thing only: how to redraw masked rows and columns of a *block* of
instances (`_redraw`). Everything else is written once, here and beside: choice of templates and
masks, seeds, exact edits, certificates, novelty, resumable writing. So G2MILP and every baseline
have the same options, the same guarantees, the same manifest.

Instance number k of a run depends on (seed, k, generator, options) alone: work is cut into fixed
blocks of `BLOCK` consecutive numbers, each number has its own `SeedSequence`, and no state passes
from block to block. Hence the bytes do not depend on the number of jobs, on shards or on where a
run was interrupted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias

from g2milp.errors import NotFitted, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from fractions import Fraction
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset
    from g2milp.instance.edit import ColumnPatch, RowPatch
    from g2milp.instance.milp import Milp

Scope: TypeAlias = Literal["rows", "cols", "both"]
Order: TypeAlias = Literal["uniform", "ascending", "descending"]
CertificateKind: TypeAlias = Literal["feasible", "bounded"]

BLOCK = 16
"""Instances that are generated together.

Part of the definition of a seed: changing it changes the bytes.
"""


@dataclass(frozen=True, kw_only=True)
class SampleOptions:
    """How to generate; every field is the same for all generators and is written to the manifest.

    Attributes
    ----------
    mask_ratio
        η, the share of rows (or columns) of each template that are masked and redrawn, in [0, 1].
    scope
        ``"rows"`` (the paper's c), ``"cols"`` (v: objective, types, optionally bounds) or
        ``"both"`` (vc).
    order
        In which order masked rows are redrawn: ``"uniform"`` (random), ``"ascending"`` or
        ``"descending"`` by index. The paper's orders: for the last two the *mask* is the first or
        last η·m rows, visited in that order.
    certify
        None, ``"feasible"`` or ``"bounded"``: make the instance so, and store a proof.
    distinct
        Redraw instances that are isomorphic to a template or to an earlier one.
    temperature
        Scale of the latent noise; 1 is the model's own.
    repeats
        Draw rows with replacement, as algorithm 2 of the paper does: N draws mask fewer than N
        rows, and one that comes up again is redrawn again.
    extra
        Generator-specific options that were set by name (validated by the generator).
    """

    mask_ratio: float = 0.1
    scope: Scope = "rows"
    order: Order = "uniform"
    certify: CertificateKind | None = None
    distinct: bool = False
    temperature: float = 1.0
    repeats: bool = False
    extra: tuple[tuple[str, Any], ...] = ()

    def __post_init__(self) -> None:
        if not 0.0 <= self.mask_ratio <= 1.0:
            raise UsageError(f"mask_ratio must lie in [0, 1], not {self.mask_ratio}")
        if self.scope not in ("rows", "cols", "both"):
            raise UsageError(f"scope must be rows, cols or both, not {self.scope!r}")
        if self.order not in ("uniform", "ascending", "descending"):
            raise UsageError(f"order must be uniform, ascending or descending, not {self.order!r}")
        if self.certify not in (None, "feasible", "bounded"):
            raise UsageError(f"certify must be feasible or bounded, not {self.certify!r}")
        if not self.temperature > 0:
            raise UsageError(f"temperature must be positive, not {self.temperature}")
        if self.repeats and self.order != "uniform":
            raise UsageError("repeats is for rows in uniform order: the others visit each once")

    def own(self, name: str) -> Any:
        """A generator's own option by name."""
        return dict(self.extra)[name]


@dataclass(frozen=True, eq=False, kw_only=True)
class Draft:
    """One instance that is being made: number, template, mask, and its own random stream.

    `masked_rows` and `masked_cols` are in the order in which they are to be redrawn and hold no
    index twice. Their numbers are round(η·rows) and round(η·columns) of this template (free rows,
    which constrain nothing, are never masked). `visits` are the rows to redraw one after the other
    where some come up again; None: each once.
    """

    number: int
    template: Milp
    template_name: str
    masked_rows: NDArray[np.int64]
    masked_cols: NDArray[np.int64]
    rng: np.random.Generator
    visits: NDArray[np.int64] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class Redrawn:
    """What a generator made of one draft. None: nothing of that side was redrawn.

    `whole` replaces the template altogether (Bowly, G2SAT, copies); then both patches are None.
    `notes` go to the manifest (JSON values only).
    """

    rows: RowPatch | None = None
    cols: ColumnPatch | None = None
    whole: Milp | None = None
    notes: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, kw_only=True)
class Sample:
    """One finished instance with what the manifest says about it.

    `point` and `dual` are the certificate's exact rational points (one entry a column, a row).
    """

    number: int
    milp: Milp
    template_name: str
    record: dict[str, Any]
    point: list[Fraction] | None = None
    dual: list[Fraction] | None = None


class Samples(list["Milp"]):
    """The instances that `sample` returns: a list that also keeps the records for the manifest."""

    def __init__(self, samples: Sequence[Sample]) -> None:
        super().__init__(sample.milp for sample in samples)
        self.samples = tuple(samples)


class Generator(ABC):
    """Anything that learns from instances and makes new ones.

    Sub-classes set `kind`, implement `_fit`, `_redraw`, `_state` and `_from_state`, and list in
    `scopes` what they can redraw. Learned attributes end in an underscore and exist only after
    `fit`.
    """

    kind: ClassVar[str]
    scopes: ClassVar[frozenset[Scope]] = frozenset({"rows"})
    needs_templates: ClassVar[bool] = True
    edits_templates: ClassVar[bool] = True
    """False: each instance is made anew (`Redrawn.whole`), whatever the mask ratio."""
    own_options: ClassVar[Mapping[str, Any]] = {}
    """Names and defaults of options beyond `SampleOptions`; `SampleOptions.own` reads them."""

    def __init__(self, *, mask_ratio: float = 0.1, seed: int = 0) -> None:
        self.defaults = SampleOptions(mask_ratio=mask_ratio)
        self.seed = seed
        self.templates_: Dataset | None = None

    @property
    def mask_ratio(self) -> float:
        """η, unless `sample` is told another one."""
        return self.defaults.mask_ratio

    @property
    def is_fitted(self) -> bool:
        """Whether `fit` or `load` has been called."""
        return self.templates_ is not None

    def fit(self, data: Dataset | Sequence[Milp], **how: Any) -> Self:
        """Learn from a data set, which also becomes the default set of templates."""
        from g2milp.datasets.dataset import as_dataset

        dataset = as_dataset(data)
        if not len(dataset):
            raise UsageError("there is nothing to learn from: the data set is empty")
        self._fit(dataset, **how)
        self.templates_ = dataset
        return self

    def sample(
        self,
        n: int,
        *,
        seed: int = 0,
        templates: Dataset | Sequence[Milp] | None = None,
        solutions: Mapping[str, NDArray[np.float64]] | None = None,
        **options: Any,
    ) -> Samples:
        """Make `n` new instances.

        Options are the fields of `SampleOptions`; the rest is the generator's own. `solutions`
        are known feasible points by template name, for `certify`.
        """
        drawn = self.sample_iter(n, seed=seed, templates=templates, solutions=solutions, **options)
        return Samples(list(drawn))

    def sample_iter(
        self,
        n: int,
        *,
        seed: int = 0,
        templates: Dataset | Sequence[Milp] | None = None,
        solutions: Mapping[str, NDArray[np.float64]] | None = None,
        **options: Any,
    ) -> Iterator[Sample]:
        """Make `n` new instances one after the other, with their records, in bounded memory."""
        from g2milp.generation.stream import Session, stream

        session = Session(
            self,
            seed=seed,
            templates=templates,
            solutions=solutions,
            options=self.options(**options),
        )
        return stream(session, n)

    def options(self, **given: Any) -> SampleOptions:
        """Defaults of this generator, overridden by what is given; unknown names are refused."""
        from g2milp.generation.options import resolve

        return resolve(self, given)

    def strange(self, template: Milp) -> list[str]:
        """What about a template is unlike anything in training, in words; empty: it may do."""
        return []

    def require_fitted(self) -> None:
        """Raise `NotFitted` unless `fit` or `load` has been called."""
        if not self.is_fitted:
            raise NotFitted(
                f"{type(self).__name__} has not been fitted",
                hint="Call fit(data) first, or load a saved one.",
            )

    def save(
        self, directory: str | Path, *, templates: bool = True, overwrite: bool = False
    ) -> None:
        """Write a model folder.

        Tensors, JSON and hashes, no code; with the templates unless told otherwise.
        """
        from g2milp.generation.folder import save_generator

        self.require_fitted()
        save_generator(self, directory, templates=templates, overwrite=overwrite)

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """Read a model folder of this kind; every hash is checked before anything is used."""
        from g2milp.generation.folder import load_generator

        return load_generator(directory, expected=cls)

    @abstractmethod
    def _fit(self, data: Dataset, **how: Any) -> None:
        """Learn; set attributes that end in an underscore."""

    @abstractmethod
    def _redraw(self, drafts: Sequence[Draft], options: SampleOptions) -> list[Redrawn]:
        """Redraw what is masked in each draft, using each draft's own `rng` only."""

    @abstractmethod
    def _state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """What `fit` learned, as (named arrays, JSON values)."""

    @classmethod
    @abstractmethod
    def _from_state(cls, arrays: dict[str, NDArray[Any]], values: dict[str, Any]) -> Self:
        """The inverse of `_state`; has to validate, since folders are input."""
