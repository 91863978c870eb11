"""The one configuration of the model and its training: closed, validated, frozen.

Unknown keys are errors, every number has its range. What the paper and its authors' code do
differently is a field here, and the presets (`presets`) say which they take.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeAlias

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from g2milp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

Positive: TypeAlias = Annotated[int, Field(ge=1)]
NonNegative: TypeAlias = Annotated[float, Field(ge=0, allow_inf_nan=False)]
ScheduleKind: TypeAlias = Literal["constant", "linear", "cyclical", "sigmoid", "sigmoid-code"]


class Closed(BaseModel):
    """Frozen, no unknown keys, no truth values where numbers are wanted."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _no_truth_for_a_number(cls, value: Any, info: ValidationInfo) -> Any:
        if (
            isinstance(value, bool)
            and cls.model_fields[str(info.field_name)].annotation is not bool
        ):
            raise ValueError(f"{str(value).lower()} is no value of this setting")
        return value


class Network(Closed):
    """Shape of the networks.

    Attributes
    ----------
    embedding, hidden, latent, depth
        Width of node states, of the hidden layer of every MLP, of the latent vectors; K.
    message
        ``"paper"``: MLP(h_i, e, h_j). ``"code"``: MLP_f(MLP_l(h_i) + MLP_e(e) + MLP_r(h_j)).
    mask_state
        The state of the masked row that enters its special update (App. A.3.2): that ``"before"``
        the convolution, h^(k), as printed, or ``"after"`` it, as coded.
    virtual_edge
        The update of masked rows has an embedding of virtual edges as a further argument (text of
        section 3.3), or not (formulas of App. A.3.2, code).
    shared_embedding
        One set of embedding MLPs for encoder and decoder (code), or one each (paper: φ and θ).
    row_form, scaling
        See `graph.features`; ``"symlog"`` feeds sign(x)·log(1 + |x|) to the embeddings and heads.
    values
        ``"range"``: numbers are regressed between minimum and maximum (paper); ``"levels"``: a
        number that takes few values in the data is drawn from a learnt distribution over them.
    row_conditioning
        Logits and weights also see h and z of the masked row (needed for blocks of rows).
    slots
        Logits see how many masked edges each column has lost: the budget to refill.
    shared
        The judge of exchanges is told how often a row's columns meet a column elsewhere.
    """

    embedding: Annotated[int, Field(ge=2, le=512)] = 16
    hidden: Annotated[int, Field(ge=2, le=512)] = 16
    latent: Annotated[int, Field(ge=1, le=512)] = 16
    depth: Annotated[int, Field(ge=1, le=32)] = 6
    message: Literal["paper", "code"] = "code"
    mask_state: Literal["before", "after"] = "after"
    virtual_edge: bool = True
    shared_embedding: bool = True
    row_form: Literal["canonical", "rows"] = "rows"
    scaling: Literal["none", "symlog"] = "none"
    values: Literal["range", "levels"] = "range"
    row_conditioning: bool = False
    slots: bool = False
    shared: bool = False


class Masking(Closed):
    """What is masked in one training graph: p̃(G̃ | G).

    Attributes
    ----------
    scope
        ``"rows"`` (c), ``"cols"`` (v) or ``"both"`` (vc; masked graphs take turns).
    rows_per_mask, cols_per_mask
        At most this many rows or columns at once, and at most half of them; the paper's 1.
    bounds
        Columns lose and regain their bounds too (beyond the paper).
    """

    scope: Literal["rows", "cols", "both"] = "rows"
    rows_per_mask: Positive = 1
    cols_per_mask: Positive = 1
    bounds: bool = False


class Schedule(Closed):
    """The weight β of a prior over the steps; see `training.schedules`."""

    kind: ScheduleKind = "constant"
    low: NonNegative = 0.0
    high: NonNegative = 0.0005
    warm_up: Annotated[int, Field(ge=0)] = 0
    period: Positive = 1000


class Loss(Closed):
    """Eq. 4: α of each prediction task, β of each prior, and how a task is averaged.

    `reduction`: ``"mean"`` over the items of a graph (paper: expectations), ``"sum"`` (code).
    """

    bias: NonNegative = 1.0
    degree: NonNegative = 1.0
    logits: NonNegative = 1.0
    weights: NonNegative = 1.0
    objective: NonNegative = 1.0
    type: NonNegative = 1.0
    bounds: NonNegative = 1.0
    contrast: NonNegative = 1.0
    reduction: Literal["mean", "sum"] = "mean"
    row_prior: Schedule = Schedule()
    col_prior: Schedule = Schedule()


class Training(Closed):
    """Optimisation.

    `batch` graphs a step, each masked `repeats` times; the rate is multiplied by `decay` every
    `decay_every` steps; gradients are clipped to the norm `clip`.
    """

    steps: Positive = 20_000
    batch: Positive = 15
    repeats: Positive = 2
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 1e-3
    weight_decay: NonNegative = 1e-4
    decay: Annotated[float, Field(gt=0, le=1)] = 0.99
    decay_every: Positive = 30
    clip: Annotated[float, Field(gt=0)] = 10.0
    validation_share: Annotated[float, Field(ge=0, lt=1)] = 0.1
    validate_every: Positive = 200
    checkpoint_every: Positive = 200
    log_every: Annotated[int, Field(ge=1, le=10)] = 10
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0


class Config(Closed):
    """Everything that decides what is trained; equal configs and data give equal weights.

    `redraw`: masked rows are made anew by the ``"decoder"`` (paper), or their entries change places
    by ``"exchange"``, judged by a network that has learned by contrast (`models.contrast`; with
    scope rows: columns are always the decoder's).
    """

    preset: str = "auto"
    redraw: Literal["decoder", "exchange"] = "decoder"
    network: Network = Network()
    masking: Masking = Masking()
    loss: Loss = Loss()
    training: Training = Training()

    @property
    def learns_by_contrast(self) -> bool:
        """Whether the network is a `ContrastNet` and not a `MaskedVAE`."""
        return self.redraw == "exchange" and self.masking.scope == "rows"

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.learns_by_contrast and self.network.row_form != "rows":
            raise ValueError(
                "network.row_form must be rows where rows are redrawn by exchange: an entry of the "
                "canonical form may belong to two of them"
            )
        blocks = self.masking.rows_per_mask > 1 and not self.learns_by_contrast
        if blocks and not self.network.row_conditioning:
            raise ValueError(
                "masking.rows_per_mask > 1 needs network.row_conditioning: without it all masked "
                "rows of a graph would get the same columns (the preset blocks has it)"
            )
        return self

    def updated(self, settings: dict[str, Any]) -> Config:
        """With settings such as ``{"training.steps": 100, "hidden": 32}`` applied.

        A key is dotted, or the last part alone where that is unambiguous.
        """
        content = self.model_dump()
        for key, value in by_full_key(settings).items():
            *path, leaf = key.split(".")
            target = content
            for part in path:
                target = target[part]
            target[leaf] = value
        return parse(content)


def parse(content: dict[str, Any]) -> Config:
    """A checked `Config` from plain values."""
    try:
        return Config.model_validate(content)
    except ValidationError as error:
        problems = "; ".join(
            ": ".join(filter(None, (".".join(map(str, e["loc"])), _words(e["msg"]))))
            for e in error.errors()
        )
        raise UsageError(f"the configuration is not valid: {problems}") from error


def _words(message: str) -> str:
    return message.removeprefix("Value error, ")


def by_full_key(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings by their dotted names; the same one under two names is refused."""
    found: dict[str, Any] = {}
    for key, value in settings.items():
        full = full_key(key)
        if full in found:
            raise UsageError(f"the setting {full} is given twice")
        found[full] = value
    return found


def full_key(key: str) -> str:
    """``steps`` → ``training.steps``; unknown and ambiguous names are refused with the choices."""
    keys = known_keys(Config)
    if key in keys:
        return key
    matches = [known for known in keys if known.endswith(f".{key}")]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise UsageError(f"the setting {key!r} is ambiguous", hint="One of: " + ", ".join(matches))
    from difflib import get_close_matches

    near = get_close_matches(key, [*keys, *(k.rsplit(".", 1)[-1] for k in keys)], n=3)
    hint = "Did you mean " + " or ".join(near) + "?" if near else "Settings: " + ", ".join(keys)
    raise UsageError(f"there is no setting {key!r}", hint=hint)


def known_keys(model: type[BaseModel], prefix: str = "") -> list[str]:
    """Dotted names of all settings."""
    keys = []
    for name, field in model.model_fields.items():
        annotation = field.annotation
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            keys += known_keys(annotation, f"{prefix}{name}.")
        else:
            keys.append(f"{prefix}{name}")
    return keys
