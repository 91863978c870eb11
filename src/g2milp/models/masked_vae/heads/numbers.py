"""How a network's outputs stand for a number: bias, degree, coefficient, objective, bound.

Range (paper, Bias Predictor):   x* = (x − x̲) / (x̄ − x̲),   x̂* = σ(output),   loss (x̂* − x*)²
Levels (ours):                   P(x = level_l) = softmax(outputs)_l,   loss −log P(x)

A regressed number is the mean of what is possible; where a data set knows only a few values
(right-hand sides of 1, degrees of 2 to 9, coefficients ±1) a distribution over them can be sampled.
Neither has parameters: they say how many outputs the predictor's MLP has and read them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from g2milp.models.layers.embedding import symlog

if TYPE_CHECKING:
    from typing import Literal

    from numpy.typing import NDArray

    from g2milp.models.masked_vae.statistics import Values


class Numbers(ABC):
    """Outputs of a predictor read as numbers."""

    outputs: int

    @abstractmethod
    def loss(self, outputs: Tensor, targets: Tensor) -> Tensor:
        """Loss of each item; shapes outputs (n, O), targets float64 (n,) → (n,)."""

    @abstractmethod
    def decode(self, outputs: Tensor, uniforms: NDArray[np.float64] | None) -> NDArray[np.float64]:
        """Numbers from outputs.

        `uniforms` (n,) in [0, 1) choose where there is a choice, None takes the likeliest.
        """


class Range(Numbers):
    """A number between the least and the greatest of the data (Eq. of the Bias Predictor)."""

    outputs = 1

    def __init__(self, values: Values, compress: bool) -> None:
        self.values = values
        self.compress = compress
        self.low, self.high = (self._scaled(v) for v in (values.low, values.high))

    def loss(self, outputs: Tensor, targets: Tensor) -> Tensor:
        """Squared error of the normalised number; nothing to learn from a constant."""
        if self.high <= self.low:
            return outputs.new_zeros(outputs.shape[0])
        scaled = symlog(targets) if self.compress else targets
        wanted = (scaled - self.low) / (self.high - self.low)
        error: Tensor = torch.sigmoid(outputs.squeeze(1)) - wanted.to(outputs.dtype)
        return error * error

    def decode(self, outputs: Tensor, uniforms: NDArray[np.float64] | None) -> NDArray[np.float64]:
        """Inverse of the normalisation, an integer where all the data were."""
        share = torch.sigmoid(outputs.squeeze(1)).double().cpu().numpy()
        scaled = self.low + (self.high - self.low) * share
        x = np.sign(scaled) * np.expm1(np.abs(scaled)) if self.compress else scaled
        x = np.clip(x, self.values.low, self.values.high)
        rounded: NDArray[np.float64] = np.rint(x) if self.values.integer else x
        return rounded

    def _scaled(self, value: float) -> float:
        return float(symlog(torch.tensor(value, dtype=torch.float64))) if self.compress else value


class Levels(Numbers):
    """One of the values that occur in the data."""

    def __init__(self, levels: tuple[float, ...]) -> None:
        self.levels = np.array(levels, dtype=np.float64)
        self.outputs = len(levels)
        self._between = torch.from_numpy((self.levels[1:] + self.levels[:-1]) / 2)

    def loss(self, outputs: Tensor, targets: Tensor) -> Tensor:
        """Cross entropy of the level next to the target."""
        between = self._between.to(targets.device)
        return functional.cross_entropy(
            outputs, torch.bucketize(targets.contiguous(), between), reduction="none"
        )

    def decode(self, outputs: Tensor, uniforms: NDArray[np.float64] | None) -> NDArray[np.float64]:
        """A level drawn by inversion, or the likeliest one."""
        if uniforms is None:
            likeliest: NDArray[np.intp] = outputs.argmax(dim=1).cpu().numpy()
            return self.levels.take(likeliest)
        chances = torch.softmax(outputs.double(), dim=1).cpu().numpy()
        below = np.cumsum(chances, axis=1) <= uniforms[:, None]
        drawn: NDArray[np.intp] = np.minimum(below.sum(axis=1), self.outputs - 1)
        return self.levels.take(drawn)


def numbers_of(values: Values, form: Literal["range", "levels"], compress: bool) -> Numbers:
    """Levels where they are asked for and the data have few values, else a range."""
    if form == "levels" and values.levels is not None and len(values.levels) > 1:
        return Levels(values.levels)
    return Range(values, compress)
