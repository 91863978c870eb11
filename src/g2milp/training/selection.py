"""Which checkpoint becomes the model: the one with the least value of a `Selector`.

By default the value is the validation loss. Selectors that generate instances and compare them
(`similarity`) or solve them (`hardness`, the paper's choice, which looks at what is measured in the
end) live in higher rooms and are passed in.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from g2milp.datasets.dataset import Dataset
    from g2milp.models.masked_vae.state import Model

SELECTIONS = 10
"""A passed-in selector is asked this often in a training: it may take minutes."""


class Selector(Protocol):
    """Judges a model while it trains; less is better. It must be deterministic."""

    name: str

    def __call__(self, model: Model, data: Dataset) -> float:
        """The value of the model; `data` are the training instances."""
        ...


def on_cpu(model: Model) -> Model:
    """The model, or a copy of one that is trained on a GPU: instances are made on the CPU."""
    if next(model.parameters()).device.type == "cpu":
        return model
    return copy.deepcopy(model).cpu()


def selection_steps(steps: int, validate_every: int, selector: Selector | None) -> int:
    """After how many steps each time the model is judged."""
    return validate_every if selector is None else max(validate_every, steps // SELECTIONS)
