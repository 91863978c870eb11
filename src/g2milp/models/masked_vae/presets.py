"""Hyper-parameters by name: the paper's, its code's, and those that look at the data.

``paper-*`` are the published ones (appendix B.2) and take the code's values where the paper is
silent: learning-rate decay, weight decay, clipping, warm-up and period of β's schedule. Eq. 4 has
one β for both sides, and so have they. ``code-*`` are those of the authors' released
configurations. Both work on the canonical form, one masked row a graph.

``best``, which is ``auto``, redraws rows by exchanges under a judge that learns by contrast and
columns by an autoencoder; ``blocks`` is that autoencoder for rows too, a block refilled at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from g2milp.errors import UsageError
from g2milp.models.masked_vae.config import Config, parse

if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    from g2milp.graph.features import RowForm
    from g2milp.models.masked_vae.statistics import Statistics

    Scope: TypeAlias = Literal["rows", "cols", "both"]

_PAPER = {
    "message": "paper",
    "mask_state": "before",
    "shared_embedding": False,
    "row_form": "canonical",
}
_CODE = {
    "message": "code",
    "mask_state": "after",
    "virtual_edge": False,
    "shared_embedding": True,
    "row_form": "canonical",
}


def _constant(value: float) -> dict[str, Any]:
    return {"kind": "constant", "low": value, "high": value}


def _coded(low: float, high: float, warm_up: int, period: int) -> dict[str, Any]:
    return {
        "kind": "sigmoid-code",
        "low": low,
        "high": high,
        "warm_up": warm_up,
        "period": period,
    }


def _published(high: float, warm_up: int, period: int) -> dict[str, Any]:
    return {"kind": "sigmoid", "low": 0.0, "high": high, "warm_up": warm_up, "period": period}


_COLS_MIS = _coded(0.0001, 0.003, 1000, 10_000)

PRESETS: dict[str, dict[str, Any]] = {
    "paper-mis": {
        "network": _PAPER,
        "loss": {"row_prior": _constant(0.00045), "col_prior": _constant(0.00045)},
        "training": {"steps": 20_000, "batch": 15, "repeats": 2},
    },
    "paper-setcover": {
        "network": _PAPER,
        "loss": {
            "row_prior": _published(0.0005, 1000, 5000),
            "col_prior": _published(0.0005, 1000, 5000),
        },
        "training": {"steps": 20_000, "batch": 15, "repeats": 2},
    },
    "paper-mik": {
        "network": _PAPER,
        "loss": {
            "row_prior": _published(0.001, 3000, 10_000),
            "col_prior": _published(0.001, 3000, 10_000),
        },
        "training": {"steps": 20_000, "batch": 15, "repeats": 2},
    },
    "paper-nurse": {
        "network": _PAPER,
        "loss": {
            "row_prior": _published(0.001, 3000, 10_000),
            "col_prior": _published(0.001, 3000, 10_000),
        },
        "training": {"steps": 20_000, "batch": 1, "repeats": 1},
    },
    "code-mis": {
        "network": _CODE,
        "loss": {
            "bias": 0.0,
            "weights": 0.0,
            "reduction": "sum",
            "row_prior": _constant(0.00045),
            "col_prior": _COLS_MIS,
        },
        "training": {"steps": 6000, "batch": 15, "repeats": 2},
    },
    "code-setcover": {
        "network": _CODE,
        "loss": {
            "bias": 0.0,
            "weights": 0.0,
            "logits": 0.4,
            "reduction": "sum",
            "row_prior": _coded(1e-5, 2e-5, 1000, 5000),
            "col_prior": _coded(0.0001, 0.0005, 1000, 5000),
        },
        "training": {"steps": 20_000, "batch": 16, "repeats": 2},
    },
    "code-mik": {
        "network": {**_CODE, "hidden": 32},
        "loss": {
            "bias": 1.0,
            "degree": 1.0,
            "logits": 0.5,
            "weights": 4.0,
            "reduction": "sum",
            "row_prior": _coded(1e-5, 0.001, 3000, 10_000),
            "col_prior": _coded(1e-6, 5e-6, 3000, 10_000),
        },
        "training": {"steps": 40_000, "batch": 20, "repeats": 2},
    },
}

AUTO_EDGES_PER_STEP = 1_200_000
"""Edges of all masked graphs of a step that `auto` allows: about 1.5 GB at width 16."""

AUTO_EDGES_IN_ALL = 600_000_000
"""Edges that `auto` visits in a whole training: hours at most on two cores."""

AUTO_ROW_SHARE = 0.05

CONTRAST_EDGES_PER_STEP = 120_000
CONTRAST_EDGES_IN_ALL = 60_000_000
"""The same limits for the judge of exchanges: a few minutes on two cores."""

CONTRAST_VISITS = 100
"""How often a graph is looked at: few instances are not to be learned by heart."""

CONTRAST_ROWS = 200
"""Rows of a graph that lose entries in one step, at most."""

MAX_PATHS = 200_000
"""Where a row has more paths than this to the columns around it, what they share is not counted."""


def names() -> list[str]:
    """All presets."""
    return ["auto", "best", "blocks", *PRESETS]


def row_form_of(name: str) -> RowForm:
    """In which form the preset wants its graphs (statistics are gathered from them)."""
    form: RowForm = PRESETS.get(name, {}).get("network", {}).get("row_form", "rows")
    return form


def preset(
    name: str,
    statistics: Statistics | None = None,
    steps: int | None = None,
    scope: Scope = "rows",
) -> Config:
    """The configuration called `name`.

    `auto`, `best` and `blocks` need the statistics of the data; their schedules are fitted to
    `steps` if they are given.
    """
    if name in ("auto", "best", "blocks"):
        if statistics is None:
            raise UsageError(f"the preset {name} needs the data set it is for")
        if name == "blocks" or scope != "rows":
            redraw = "decoder" if name == "blocks" else "exchange"
            return blocks(statistics, steps).updated(
                {"preset": name, "redraw": redraw, "masking.scope": scope}
            )
        return best(statistics, steps).updated({"preset": name})
    if name not in PRESETS:
        raise UsageError(f"there is no preset {name!r}", hint="One of: " + ", ".join(names()))
    return parse({"preset": name, **PRESETS[name]})


def best(statistics: Statistics, steps: int | None = None) -> Config:
    """A judge of exchanges for an unknown data set; batch and steps follow from the edges."""
    edges = max(statistics.mean_edges + statistics.mean_rows + statistics.mean_cols, 1.0)
    batch = int(min(max(CONTRAST_EDGES_PER_STEP / edges, 1), 12, max(statistics.n_graphs, 1)))
    useful = CONTRAST_VISITS * statistics.n_graphs / batch
    affordable = int(max(min(CONTRAST_EDGES_IN_ALL / (edges * batch), useful, 600), 100))
    chosen = affordable if steps is None else max(int(steps), 1)
    every = min(max(chosen // 20, 1), 200)
    return parse(
        {
            "preset": "best",
            "redraw": "exchange",
            "network": {
                "message": "code",
                "row_form": "rows",
                "scaling": "symlog",
                "depth": 3,
                "shared": statistics.mean_paths <= MAX_PATHS,
            },
            "masking": {"scope": "rows", "rows_per_mask": CONTRAST_ROWS},
            "training": {
                "steps": chosen,
                "batch": batch,
                "repeats": 1,
                "learning_rate": 3e-3,
                "decay": 0.98,
                "decay_every": max(chosen // 150, 1),
                "validate_every": every,
                "checkpoint_every": every,
            },
        }
    )


def blocks(statistics: Statistics, steps: int | None = None) -> Config:
    """An autoencoder of blocks for an unknown data set.

    Rows stay rows, numbers are compressed, few-valued ones are drawn from their levels, and a block
    of rows is masked at once, each with its own latent. Batch and steps follow from the edges.
    """
    edges = max(statistics.mean_edges + statistics.mean_rows + statistics.mean_cols, 1.0)
    replicas = int(min(max(AUTO_EDGES_PER_STEP / edges, 1), 30))
    repeats = 2 if replicas > 1 else 1
    batch = max(min(replicas // repeats, statistics.n_graphs), 1)
    affordable = int(min(max(AUTO_EDGES_IN_ALL / (edges * batch * repeats), 300), 6000))
    steps = affordable if steps is None else max(int(steps), 1)
    rows = int(min(max(AUTO_ROW_SHARE * statistics.mean_rows, 1), 100))
    prior = {
        "kind": "sigmoid-code",
        "low": 1e-5,
        "high": 0.0005,
        "warm_up": steps // 6,
        "period": max(steps // 2, 1),
    }
    return parse(
        {
            "preset": "blocks",
            "network": {
                "message": "code",
                "row_form": "rows",
                "scaling": "symlog",
                "values": "levels",
                "row_conditioning": True,
                "slots": True,
            },
            "masking": {"scope": "rows", "rows_per_mask": rows},
            "loss": {"reduction": "mean", "row_prior": prior, "col_prior": prior},
            "training": {
                "steps": steps,
                "batch": batch,
                "repeats": repeats,
                "decay": 0.98,
                "decay_every": max(steps // 200, 1),
                "validate_every": min(max(steps // 20, 1), 200),
                "checkpoint_every": min(max(steps // 20, 1), 200),
            },
        }
    )
