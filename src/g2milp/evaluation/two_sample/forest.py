"""Random forest of scikit-learn, the classifier of choice where an extra brings it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

TREES = 100


class Forest:
    """100 trees, leaves of at least two instances; seeded."""

    name = "random forest"

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._model: Any = None

    @staticmethod
    def is_available() -> bool:
        """Whether scikit-learn is installed."""
        return find_spec("sklearn") is not None

    def fit(self, x: NDArray[np.float64], y: NDArray[np.bool_]) -> None:
        """Learn from rows `x` with labels `y`."""
        from sklearn.ensemble import RandomForestClassifier

        self._model = RandomForestClassifier(
            n_estimators=TREES, min_samples_leaf=2, random_state=self._seed, n_jobs=1
        )
        self._model.fit(x, y)

    def predict(self, x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Chance of the label for each row."""
        chance: NDArray[np.float64] = self._model.predict_proba(x)[:, 1]
        return chance
