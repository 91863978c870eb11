"""Can a forest on 22 statistics of the conflict graph tell rewired independent sets from real ones?

    python benchmarks/rewire_told_apart.py -n 120

Real instances are compared with rewired *other* ones (simple, untyped without rules, the default),
with Random, and with other real ones. Children of one template share a fold: the exchange keeps all
degrees, so that a forest would else recognise them by their siblings. `baselines.py` asks the same
of the classifier of suite v1.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import coo_array, csr_array
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold, cross_val_predict

sys.path.insert(0, str(Path(__file__).resolve().parent))
from g2milp.baselines.registry import create
from g2milp.problems.registry import make_many
from harness import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from g2milp.instance.milp import Milp

REFILLS: dict[str, tuple[str, dict[str, Any], float]] = {
    "rewire simple, untyped η=0.1": ("rewire", {"typed": False}, 0.1),
    "rewire simple, untyped η=0.5": ("rewire", {"typed": False}, 0.5),
    "rewire untyped, no rules η=0.1": ("rewire", {"typed": False, "simple": False}, 0.1),
    "rewire (default) η=0.1": ("rewire", {}, 0.1),
    "rewire (default) η=0.5": ("rewire", {}, 0.5),
    "random η=0.1": ("random", {}, 0.1),
}


def statistics(milp: Milp) -> dict[str, float]:
    """22 numbers of the graph in which two columns are joined that stand in one row."""
    rows = milp.row_degrees.astype(float)
    columns = milp.col_degrees.astype(float)
    shape = (milp.n_rows, milp.n_cols)
    pattern = csr_array((np.ones(milp.n_nonzeros), milp.indices, milp.indptr), shape=shape)
    together = coo_array(pattern.T @ pattern)
    apart = together.coords[0] != together.coords[1]
    first, second, often = (
        together.coords[0][apart],
        together.coords[1][apart],
        together.data[apart],
    )
    graph = csr_array((np.ones(first.size), (first, second)), shape=(milp.n_cols, milp.n_cols))
    degree = np.asarray(graph.sum(axis=1)).ravel()
    closed = np.asarray((graph @ graph).multiply(graph).sum(axis=1)).ravel()
    open_ = degree * (degree - 1)
    neighbours = np.asarray(graph @ degree).ravel() / np.maximum(degree, 1)
    supports = {milp.row(i)[0].tobytes() for i in range(milp.n_rows)}
    found = {
        "duplicate rows": milp.n_rows - len(supports),
        "distinct edges": graph.nnz / 2,
        "repeated edges": float((often > 1).sum()) / 2,
        "assortativity": _correlation(degree[first], degree[second]),
        "transitivity": closed.sum() / max(open_.sum(), 1),
        "local clustering": float(np.mean(closed / np.maximum(open_, 1))),
        "clustering against degree": _correlation(closed / np.maximum(open_, 1), degree),
        "degree deviation": degree.std(),
        "degree maximum": degree.max(),
        "degrees of at most 3": float((degree <= 3).sum()),
        "degrees of at least 20": float((degree >= 20).sum()),
        "neighbours' degree": neighbours.mean(),
        "neighbours' degree, deviation": neighbours.std(),
        "row degree deviation": rows.std(),
        "row degree maximum": rows.max(),
        "rows of two": float((rows == 2).sum()),
        "rows of three": float((rows == 3).sum()),
        "column degree deviation": columns.std(),
        "columns of degree at most 3": float((columns <= 3).sum()),
        "row against column degree": _correlation(rows[milp.entry_rows], columns[milp.indices]),
        "largest degree in a row, mean": np.maximum.reduceat(
            degree[milp.indices], milp.indptr[:-1]
        ).mean(),
        "conflict against column degree": _correlation(degree, columns),
    }
    assert len(found) == 22
    return {name: float(value) for name, value in found.items()}


def _correlation(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.corrcoef(x, y)[0, 1]) if x.std() > 0 and y.std() > 0 else 0.0


def table(milps: Iterable[Milp]) -> np.ndarray:
    return np.array([list(statistics(milp).values()) for milp in milps])


def told(real: np.ndarray, made: np.ndarray, parents: list[str]) -> dict[str, Any]:
    """AUC of a forest in five folds by template, with the interval of drawing instances again."""
    x, y = np.concatenate([real, made]), np.repeat([0, 1], [len(real), len(made)])
    forest = RandomForestClassifier(n_estimators=300, random_state=0)
    names = [*(f"real {k}" for k in range(len(real))), *parents]
    folds = StratifiedGroupKFold(5, shuffle=True, random_state=0)
    score = cross_val_predict(forest, x, y, groups=names, cv=folds, method="predict_proba")[:, 1]
    rng = np.random.default_rng(0)
    again = []
    for _ in range(500):
        drawn = np.concatenate([rng.choice(np.flatnonzero(y == k), (y == k).sum()) for k in (0, 1)])
        again.append(roc_auc_score(y[drawn], score[drawn]))
    low, high = np.quantile(again, [0.025, 0.975])
    return {
        "auc": round(float(roc_auc_score(y, score)), 3),
        "interval": [round(float(low), 3), round(float(high), 3)],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=120)
    n = parser.parse_args().n
    milps = list(make_many("mis", 3 * n, seed=5))
    real = table(milps[:n])
    results: dict[str, Any] = {"instances on each side": n}
    results["other real instances"] = told(
        real, table(milps[n : 2 * n]), [f"other {k}" for k in range(n)]
    )
    print(results, flush=True)
    for name, (kind, settings, ratio) in REFILLS.items():
        samples = create(kind, **settings).fit(milps[2 * n :]).sample(n, seed=1, mask_ratio=ratio)
        made = table(samples)
        results[name] = {
            **told(real, made, [sample.template_name for sample in samples.samples]),
            "duplicate rows, mean": round(float(made[:, 0].mean()), 2),
            "distinct conflict edges, mean": round(float(made[:, 1].mean()), 1),
        }
        print(name, results[name], flush=True)
    results["real"] = {
        "duplicate rows, mean": round(float(real[:, 0].mean()), 2),
        "distinct conflict edges, mean": round(float(real[:, 1].mean()), 1),
    }
    command = f"python benchmarks/rewire_told_apart.py -n {n}"
    print(record("rewire_told_apart", command, results))


if __name__ == "__main__":
    main()
