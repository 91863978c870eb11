"""`G2MILP`: learn from instances with a masked variational autoencoder, write new ones.

``fit`` trains a network and learns the laws and invariants of the family. Sampling is algorithm 2
of the paper, one row a pass or in blocks (`refilling`), or exchanges among the masked rows under a
judge (`exchanging`), which is the default. What they propose enters an instance through the same
edits, masks and certificates as with every other generator.
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from g2milp.errors import DamagedArtifact, UnavailableError, UsageError
from g2milp.generation.contract import Generator, Redrawn, SampleOptions, Scope
from g2milp.generation.degrees.learned import Degrees
from g2milp.generation.exchange.invariants import Invariants, discover
from g2milp.generation.exchange.structure import Structure, discover_structure
from g2milp.generation.integrality.laws import Laws
from g2milp.generation.values.columns import PREFIX, Columns
from g2milp.generation.values.learned import Values

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from g2milp.datasets.dataset import Dataset
    from g2milp.generation.contract import Draft
    from g2milp.generation.exchanging import Exchanging
    from g2milp.generation.refilling import Manner
    from g2milp.instance.edit import ColumnPatch
    from g2milp.instance.milp import Milp
    from g2milp.models.masked_vae.model import MaskedVAE
    from g2milp.models.masked_vae.state import Model

REACHED: dict[Scope, frozenset[Scope]] = {
    "rows": frozenset({"rows"}),
    "cols": frozenset({"cols"}),
    "both": frozenset({"rows", "cols", "both"}),
}
"""What a model can redraw, by the scope that it was trained with."""

SERIES_STEPS = 20
"""Training steps where the columns of a series have distributions of their own."""


class G2MILP(Generator):
    """The paper's generator.

    Parameters
    ----------
    mask_ratio
        η, the share of rows (or columns) that is redrawn unless `sample` is told otherwise.
    seed
        Of the training: initial weights, masks, batches.
    preset
        ``"auto"`` fits size and steps to the data; others are listed by ``g2milp train --help``.
    scope
        What the model learns to redraw: ``"rows"``, ``"cols"`` or ``"both"``.
    settings
        Single hyper-parameters over the preset, such as ``{"training.steps": 500}``.

    Own options of `sample`: ``choose`` (``"exchange"``, or of a network with a decoder of rows the
    ``"best"`` columns as in the paper or a ``"sample"``; ``"auto"`` is what the preset says),
    ``passes`` of a decoder (``"auto"``, ``"one"`` row a pass as in algorithm 2, or ``"block"``),
    ``keep_degrees`` (exchanges only: also where training has shown that degrees are free) and
    ``any_template`` (also templates whose numbers lie outside what training has shown).
    """

    kind = "g2milp"
    scopes = frozenset({"rows", "cols", "both"})
    own_options: ClassVar[Mapping[str, Any]] = {
        "passes": "auto",
        "choose": "auto",
        "keep_degrees": False,
        "any_template": False,
    }

    def __init__(
        self,
        *,
        mask_ratio: float = 0.1,
        seed: int = 0,
        preset: str = "auto",
        scope: Scope | None = None,
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(mask_ratio=mask_ratio, seed=seed)
        self.preset = preset
        self.settings = dict(settings or {})
        if scope is not None:
            self.settings["masking.scope"] = scope
        self.model_: Model | None = None
        self.laws_: Laws | None = None
        self.invariants_: Invariants | None = None
        self.structure_: Structure | None = None
        self.values_: Values | None = None
        self.degrees_ = Degrees()
        self.columns_: Columns | None = None
        self.judge_gain_: tuple[float, float] = (0.0, 0.0)

    @property
    def model(self) -> Model:
        """The trained network."""
        self.require_fitted()
        assert self.model_ is not None
        return self.model_

    def options(self, **given: Any) -> SampleOptions:
        """As for every generator, within what this model was trained for."""
        if self.model_ is not None:
            given.setdefault("scope", self.model_.config.masking.scope)
        options = super().options(**given)
        for name, choices in (
            ("passes", ("auto", "one", "block")),
            ("choose", ("auto", "best", "sample", "exchange")),
        ):
            if options.own(name) not in choices:
                raise UsageError(f"{name} must be one of {', '.join(choices)}")
        if self.model_ is not None:
            trained = self.model_.config.masking.scope
            if options.scope not in REACHED[trained]:
                raise UsageError(
                    f"this model was trained to redraw {trained}, not {options.scope}",
                    hint=f"Train another one: g2milp train DATA -o RUN --scope {options.scope}",
                )
        return options

    def embed(self, data: Dataset | Sequence[Milp]) -> NDArray[np.float64]:
        """One vector an instance, from the encoder. (instances, 2 · latent)."""
        from g2milp.datasets.dataset import as_dataset
        from g2milp.models.masked_vae.embed import embed

        with one_thread():
            vectors: NDArray[np.float64] = embed(self.model, as_dataset(data))
        return vectors

    def strange(self, template: Milp) -> list[str]:
        """Numbers and kinds of a template that lie outside the laws of the training set."""
        return [] if self.laws_ is None else self.laws_.strange(template)

    def _fit(self, data: Dataset, **how: Any) -> None:
        require_torch()
        from g2milp.generation.exchange.judging import BucketTypist
        from g2milp.models.contrast.network import ContrastNet
        from g2milp.models.masked_vae.config import by_full_key
        from g2milp.training.fit import fit
        from g2milp.training.gain import contrast_gain

        layers = ({"training.seed": self.seed}, self.settings, how.pop("settings", {}))
        settings = {key: v for layer in layers for key, v in by_full_key(layer).items()}
        run_dir, preset = how.pop("run_dir", None), how.pop("preset", self.preset)
        self.laws_ = Laws.learn(data)
        self.values_, self.invariants_ = Values.learn(data, discover(data))
        self.columns_ = Columns.learn(data)
        self.structure_ = discover_structure(data, self.invariants_)
        self.degrees_ = Degrees.learn(data, self.invariants_, self.structure_, self.values_)
        if self.columns_ is not None and preset in ("auto", "best"):
            if settings.get("masking.scope") == "cols":  # nothing is left for the decoder to learn
                settings.setdefault("training.steps", SERIES_STEPS)
        typist = BucketTypist(self.invariants_, self.structure_)
        model = fit(
            data,
            None if run_dir is None else Path(run_dir),
            preset=preset,
            settings=settings,
            typist=typist,
            **how,
        )
        self.model_ = model
        if isinstance(model, ContrastNet):
            self.judge_gain_ = contrast_gain(model, data, typist)

    def _redraw(self, drafts: Sequence[Draft], options: SampleOptions) -> list[Redrawn]:
        require_torch()
        laws = self.laws_
        assert laws is not None
        with one_thread():
            return self._redrawn(drafts, options, laws)

    def _redrawn(
        self, drafts: Sequence[Draft], options: SampleOptions, laws: Laws
    ) -> list[Redrawn]:
        from g2milp.generation.exchanging import exchange_rows
        from g2milp.generation.refilling import refill_columns, refill_rows, rows_of
        from g2milp.instance.edit import replace_columns
        from g2milp.models.masked_vae.model import MaskedVAE

        model, exchanging = self.model, self._exchanging(options)
        cols: list[ColumnPatch | None] = [None] * len(drafts)
        if isinstance(model, MaskedVAE):
            manner = self._manner(model, options)
            cols = refill_columns(model, drafts, manner, laws)
            if exchanging is not None:
                cols = [self._of_series(d, p) for d, p in zip(drafts, cols, strict=True)]
            else:
                rows = refill_rows(model, drafts, cols, manner, laws)
                return [Redrawn(rows=r, cols=c) for r, c in zip(rows, cols, strict=True)]
        assert exchanging is not None
        milps = [
            draft.template if patch is None else replace_columns(draft.template, patch)
            for draft, patch in zip(drafts, cols, strict=True)
        ]
        return [
            Redrawn(
                rows=rows_of(milp, draft.masked_rows) if draft.masked_rows.size else None,
                cols=patch,
                notes=notes if draft.masked_rows.size else {},
            )
            for draft, patch, (milp, notes) in zip(
                drafts, cols, exchange_rows(drafts, milps, exchanging), strict=True
            )
        ]

    def _of_series(self, draft: Draft, patch: ColumnPatch | None) -> ColumnPatch | None:
        """In a series columns have distributions of their own, which know more than the decoder."""
        if patch is None or self.columns_ is None or not self.columns_.fits(draft.template):
            return patch
        return self.columns_.redrawn(draft.template, draft.masked_cols, draft.rng)

    def _exchanging(self, options: SampleOptions) -> Exchanging | None:
        """How rows are exchanged; None where the decoder refills them."""
        from g2milp.generation.exchanging import Exchanging
        from g2milp.models.contrast.network import ContrastNet
        from g2milp.training.gain import carries

        model, choose = self.model, options.own("choose")
        if isinstance(model, ContrastNet) and choose not in ("auto", "exchange"):
            raise UsageError(
                f"this model redraws rows by exchange only, not by {choose!r}",
                hint="Train one with a decoder of rows: g2milp train DATA -o RUN --preset blocks",
            )
        if choose != "exchange" and (choose != "auto" or model.config.redraw != "exchange"):
            return None
        assert self.invariants_ is not None
        assert self.structure_ is not None
        assert self.values_ is not None
        return Exchanging(
            self.invariants_,
            self.structure_,
            self.values_,
            model if isinstance(model, ContrastNet) and carries(self.judge_gain_) else None,
            temperature=options.temperature,
            degrees=Degrees() if options.own("keep_degrees") else self.degrees_,
        )

    def _manner(self, model: MaskedVAE, options: SampleOptions) -> Manner:
        from g2milp.generation.refilling import Manner

        config = model.config
        blocks = config.network.row_conditioning
        passes: Literal["auto", "one", "block"] = options.own("passes")
        if passes == "block" and not blocks:
            raise UsageError(
                "this model redraws one row a pass",
                hint="Blocks need a model with network.row_conditioning, such as preset blocks.",
            )
        in_blocks = blocks if passes == "auto" else passes == "block"
        choose: str = options.own("choose")
        return Manner(
            rows_per_pass=config.masking.rows_per_mask if in_blocks else 1,
            sample=blocks if choose in ("auto", "exchange") else choose == "sample",
            typed=blocks,
            temperature=options.temperature,
        )

    def _state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        from g2milp.models.masked_vae.state import to_arrays

        arrays, values = to_arrays(self.model)
        assert self.laws_ is not None
        assert self.invariants_ is not None
        assert self.structure_ is not None
        assert self.values_ is not None
        if self.columns_ is not None:
            arrays = {**arrays, **self.columns_.to_arrays()}
        return arrays, {
            **values,
            "laws": self.laws_.as_json(),
            "invariants": self.invariants_.to_dict(),
            "structure": self.structure_.to_dict(),
            "values": self.values_.as_json(),
            "degrees": self.degrees_.as_json(),
            "judge_gain": list(self.judge_gain_),
        }

    @classmethod
    def _from_state(cls, arrays: dict[str, NDArray[Any]], values: dict[str, Any]) -> G2MILP:
        require_torch()
        from g2milp.models.masked_vae.state import from_arrays

        laws = values.get("laws")
        if not isinstance(laws, dict):
            raise DamagedArtifact("statistics.json", "`laws` is missing")
        invariants, structure = values.get("invariants"), values.get("structure")
        if not isinstance(invariants, dict) or not isinstance(structure, dict):
            raise DamagedArtifact("statistics.json", "`invariants` or `structure` is missing")
        generator = cls()
        weights = {n: a for n, a in arrays.items() if not n.startswith(PREFIX)}
        model = from_arrays(weights, values)
        generator.model_ = model.eval()
        generator.laws_ = Laws.from_json(laws, "statistics.json")
        generator.invariants_ = Invariants.from_dict(invariants, source="statistics.json")
        generator.structure_ = Structure.from_dict(structure, source="statistics.json")
        generator.values_ = Values.from_json(values.get("values"), "statistics.json")
        if "degrees" in values:  # models of the first version know nothing of them: none is free
            generator.degrees_ = Degrees.from_json(values["degrees"], "statistics.json")
        generator.columns_ = Columns.from_arrays(arrays, "model.safetensors")
        generator.judge_gain_ = _gain(values.get("judge_gain"))
        generator.preset = model.config.preset
        return generator


def _gain(content: object) -> tuple[float, float]:
    """Mean and standard error from a file."""
    if isinstance(content, list) and len(content) == 2:
        mean, error = content
        if isinstance(mean, float) and isinstance(error, float) and error >= 0:
            return mean, error
    raise DamagedArtifact("statistics.json", "`judge_gain` is not a mean and its error")


def require_torch() -> None:
    """Say which extra is missing, instead of an ImportError."""
    from importlib.util import find_spec

    if find_spec("torch") is None:
        raise UnavailableError(
            "this needs PyTorch, which is not installed",
            hint='Install the extra: pip install "g2milp[train]"',
        )


@contextmanager
def one_thread() -> Iterator[None]:
    """One compute thread: sums then have one order, whatever the number of cores."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
