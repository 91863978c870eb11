"""Points of many dimensions as a map in the plane: t-SNE (paper, Figure "t-SNE").

Without scikit-learn the first two principal components are shown instead, and named so.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from g2milp.evaluation.divergence.weighted import robust_units

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST = 400
"""Points of one cloud on the map; of larger ones a random part is shown."""
PERPLEXITY = 30.0


def project(clouds: Sequence[Floats], *, seed: int = 0) -> tuple[list[Floats], str]:
    """Place clouds, the first being the reference, on one map; and the name of the method.

    Shapes: each cloud (n_k, d) → (min(n_k, `MOST`), 2).
    """
    rng = np.random.default_rng([seed, 13])
    thinned = [_at_most(cloud, rng) for cloud in clouds]
    points = _standardised(thinned)
    ends = np.cumsum([len(cloud) for cloud in thinned])[:-1]
    if len(points) >= 8 and find_spec("sklearn") is not None:
        placed, method = _t_sne(points, seed), "t-SNE"
    else:
        placed, method = principal_components(points), "principal components"
    return list(np.split(placed, ends)), method


def principal_components(points: Floats) -> Floats:
    """The two directions of largest spread; signs are fixed by the largest loading."""
    centred = points - points.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    axes = np.zeros((2, points.shape[1]))
    axes[: min(2, len(directions))] = directions[:2]
    largest = np.abs(axes).argmax(axis=1)
    axes *= np.where(axes[np.arange(2), largest] < 0, -1.0, 1.0)[:, None]
    placed: Floats = centred @ axes.T
    return placed


def _t_sne(points: Floats, seed: int) -> Floats:
    from sklearn.manifold import TSNE

    start = principal_components(points)
    spread = float(start[:, 0].std()) or 1.0
    model = TSNE(
        perplexity=min(PERPLEXITY, (len(points) - 1) / 3),
        init=start / spread * 1e-4,
        learning_rate="auto",
        random_state=seed,
        n_jobs=1,
    )
    placed: Floats = model.fit_transform(points.astype(np.float32)).astype(np.float64)
    return placed


def _standardised(clouds: Sequence[Floats]) -> Floats:
    """In robust units of the reference, clipped: one wild value does not squeeze the map."""
    reference = clouds[0]
    others = np.concatenate(clouds[1:]) if len(clouds) > 1 else reference[:0]
    columns = []
    for j in range(reference.shape[1]):
        own, new = robust_units(reference[:, j], others[:, j])
        columns.append(np.concatenate([own, new]))
    return np.stack(columns, axis=1)


def _at_most(cloud: Floats, rng: np.random.Generator) -> Floats:
    if len(cloud) <= MOST:
        return cloud
    return cloud[np.sort(rng.permutation(len(cloud))[:MOST])]
