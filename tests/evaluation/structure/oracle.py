"""Every statistic a second time: dense matrices, plain loops and networkx, no shared code."""

from __future__ import annotations

import itertools
import math
import statistics as plain

import networkx as nx
import numpy as np

from g2milp.instance.milp import Milp


def dense(milp: Milp) -> list[list[float]]:
    matrix = [[0.0] * milp.n_cols for _ in range(milp.n_rows)]
    for i in range(milp.n_rows):
        for j, a in zip(*milp.row(i), strict=True):
            matrix[i][int(j)] = float(a)
    return matrix


def upper_rows(milp: Milp) -> tuple[list[list[float]], list[float]]:
    rows, sides = [], []
    for i, row in enumerate(dense(milp)):
        if milp.row_lower[i] > -math.inf:
            rows.append([-a if a else 0.0 for a in row])
            sides.append(-float(milp.row_lower[i]))
        if milp.row_upper[i] < math.inf:
            rows.append(row)
            sides.append(float(milp.row_upper[i]))
    return rows, sides


def mean(x: list[float]) -> float:
    return plain.fmean(x) if x else 0.0


def std(x: list[float]) -> float:
    return plain.pstdev(x) if x else 0.0


def quantile(x: list[float], q: float) -> float:
    if not x:
        return 0.0
    ordered = sorted(x)
    at = q * (len(x) - 1)
    low, high = ordered[math.floor(at)], ordered[math.ceil(at)]
    return low + (high - low) * (at - math.floor(at))


def ratio(a: float, b: float) -> float:
    return a / b if b else 0.0


def correlation(x: list[float], y: list[float]) -> float:
    if std(x) * std(y) < 1e-12:
        return 0.0
    mx, my = mean(x), mean(y)
    return mean([(a - mx) * (b - my) for a, b in zip(x, y, strict=True)]) / (std(x) * std(y))


def true_graph(rows: list[list[float]], n: int) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from([("r", i) for i in range(len(rows))], bipartite=0)
    graph.add_nodes_from([("c", j) for j in range(n)], bipartite=1)
    for i, row in enumerate(rows):
        graph.add_edges_from((("r", i), ("c", j)) for j, a in enumerate(row) if a)
    return graph


def merged_graph(rows: list[list[float]], n: int) -> nx.Graph:
    graph = nx.Graph()
    graph.add_nodes_from(range(len(rows) + n))
    for i, row in enumerate(rows):
        graph.add_edges_from((i, j) for j, a in enumerate(row) if a)
    return graph


def latapy(graph: nx.Graph, side: str) -> float:
    nodes = [node for node in graph if node[0] == side]
    if not nodes:
        return 0.0
    return sum(nx.bipartite.clustering(graph, nodes, mode="dot").values()) / len(nodes)


def conflict_rows(milp: Milp) -> list[list[int]]:
    found = []
    for i, row in enumerate(dense(milp)):
        support = [j for j, a in enumerate(row) if a]
        binary = all(
            milp.kinds[j] == 1 and milp.col_lower[j] == 0 and milp.col_upper[j] == 1
            for j in support
        )
        for sign, side in ((1, milp.row_upper[i]), (-1, -milp.row_lower[i])):
            a = [sign * row[j] for j in support]
            if binary and len(a) > 1 and min(a) > 0 and side < math.inf:
                if all(x + y > side for x, y in itertools.combinations(a, 2)):
                    found.append(support)
                    break
    return found


def covering_rows(milp: Milp) -> int:
    count = 0
    for i, row in enumerate(dense(milp)):
        support = [j for j, a in enumerate(row) if a]
        binary = support and all(
            milp.kinds[j] == 1 and milp.col_lower[j] == 0 and milp.col_upper[j] == 1
            for j in support
        )
        sides = ((1, milp.row_lower[i]), (-1, -milp.row_upper[i]))
        count += bool(
            binary
            and any(
                0 < side < math.inf and all(sign * row[j] >= side for j in support)
                for sign, side in sides
            )
        )
    return count


def surplus(things: list[object]) -> float:
    return float(len(things) - len(set(things)))


def expected(milp: Milp) -> dict[str, float]:
    """All statistics except those of Louvain, which only bounds can be given for."""
    n = milp.n_cols
    matrix = dense(milp)
    upper, rhs = upper_rows(milp)
    sign = 1 if milp.sense == "min" else -1
    cost = [sign * float(c) for c in milp.objective]
    entries = [a for row in matrix for a in row if a]
    upper_entries = [a for row in upper for a in row if a]
    rows = [sum(1 for a in row if a) for row in matrix]
    cols = [sum(1 for row in matrix if row[j]) for j in range(n)]
    upper_row = [sum(1 for a in row if a) for row in upper]
    upper_col = [sum(1 for row in upper if row[j]) for j in range(n)]
    supports = [[j for j, a in enumerate(row) if a] for row in matrix]
    graph = true_graph(matrix, n)
    merged = merged_graph(upper, n)
    sizes = [len(c) for c in nx.connected_components(graph)]
    pairs = [(i, j) for i, row in enumerate(matrix) for j, a in enumerate(row) if a]
    conflicts = [frozenset(p) for s in conflict_rows(milp) for p in itertools.combinations(s, 2)]
    conflict_graph = nx.Graph([tuple(p) for p in conflicts])
    conflict_degrees = [float(d) for _, d in conflict_graph.degree()]
    logs = [math.log10(1 + abs(a)) for a in entries]
    rhs_logs = [math.log10(1 + abs(b)) for b in rhs]
    tight = [b / sum(abs(a) for a in row) for b, row in zip(rhs, upper, strict=True) if any(row)]
    integer = [bool(k in (1, 3)) for k in milp.kinds]
    binary = [
        bool(milp.kinds[j] == 1 and milp.col_lower[j] == 0 and milp.col_upper[j] == 1)
        for j in range(n)
    ]
    full = [i for i in range(milp.n_rows) if rows[i]]
    by_row = [[matrix[i][j] for j in supports[i]] for i in range(milp.n_rows)]
    sides = [(float(a), float(b)) for a, b in zip(milp.row_lower, milp.row_upper, strict=True)]
    latapy_rows, latapy_cols = latapy(graph, "r"), latapy(graph, "c")
    return {
        "n_rows": milp.n_rows,
        "n_cols": n,
        "n_nonzeros": len(entries),
        "density": ratio(len(entries), milp.n_rows * n),
        "coef_dens": ratio(len(upper_entries), len(upper) * n),
        "cons_degree_mean": mean(upper_row),
        "cons_degree_std": std(upper_row),
        "var_degree_mean": mean(upper_col),
        "var_degree_std": std(upper_col),
        "row_degree_mean": mean(rows),
        "row_degree_std": std(rows),
        "row_degree_min": min(rows, default=0),
        "row_degree_max": max(rows, default=0),
        "col_degree_mean": mean(cols),
        "col_degree_std": std(cols),
        "col_degree_min": min(cols),
        "col_degree_q10": quantile(cols, 0.1),
        "col_degree_q90": quantile(cols, 0.9),
        "col_degree_max": max(cols),
        "low_degree_cols": ratio(sum(d <= 1 for d in cols), n),
        "assortativity": correlation([rows[i] for i, _ in pairs], [cols[j] for _, j in pairs]),
        "lhs_mean": mean(upper_entries),
        "lhs_std": std(upper_entries),
        "coef_log_q10": quantile(logs, 0.1),
        "coef_log_median": quantile(logs, 0.5),
        "coef_log_q90": quantile(logs, 0.9),
        "coef_integral": ratio(sum(a == round(a) for a in entries), len(entries)),
        "coef_negative": ratio(sum(a < 0 for a in upper_entries), len(upper_entries)),
        "coef_distinct_in_row": mean(
            [(len(set(r)) - 1) / (len(r) - 1) for r in by_row if len(r) > 1]
        ),
        "coef_spread_in_row": mean(
            [math.log10(max(map(abs, r)) / min(map(abs, r))) for r in by_row if r]
        ),
        "one_sign_rows": ratio(sum(min(r) > 0 or max(r) < 0 for r in by_row if r), len(full)),
        "rhs_mean": mean(rhs),
        "rhs_std": std(rhs),
        "rhs_log_q10": quantile(rhs_logs, 0.1),
        "rhs_log_median": quantile(rhs_logs, 0.5),
        "rhs_log_q90": quantile(rhs_logs, 0.9),
        "rhs_integral": ratio(sum(b == round(b) for b in rhs), len(rhs)),
        "tightness_median": quantile(tight, 0.5),
        "tightness_spread": quantile(tight, 0.75) - quantile(tight, 0.25),
        "obj_mean": mean(cost),
        "obj_std": std(cost),
        "obj_log_median": quantile([math.log10(1 + abs(c)) for c in cost], 0.5),
        "obj_density": ratio(sum(c != 0 for c in cost), n),
        "obj_degree_correlation": correlation(cost, [float(d) for d in cols]),
        "ratio_cont_vars": ratio(n - sum(integer), n),
        "ratio_binary": ratio(sum(binary), n),
        "ratio_bounded": ratio(
            sum(
                math.isfinite(low) and math.isfinite(high)
                for low, high in zip(milp.col_lower, milp.col_upper, strict=True)
            ),
            n,
        ),
        "mixed_rows": ratio(
            sum(0 < sum(integer[j] for j in s) < len(s) for s in supports), milp.n_rows
        ),
        "rows_equality": ratio(sum(a == b for a, b in sides), milp.n_rows),
        "rows_range": ratio(
            sum(a != b and math.isfinite(a) and math.isfinite(b) for a, b in sides), milp.n_rows
        ),
        "rows_singleton": ratio(rows.count(1), milp.n_rows),
        "rows_empty": ratio(rows.count(0), milp.n_rows),
        "rows_packing": ratio(len(conflict_rows(milp)), milp.n_rows),
        "rows_covering": ratio(covering_rows(milp), milp.n_rows),
        "clustering_rows": latapy_rows,
        "clustering_cols": latapy_cols,
        "clustering": (milp.n_rows * latapy_rows + n * latapy_cols) / (milp.n_rows + n),
        "unipartite_clustering": nx.average_clustering(graph),
        "components": len(sizes),
        "largest_component": max(sizes) / sum(sizes),
        "conflict_edges": len(set(conflicts)),
        "conflict_repeats": ratio(surplus(conflicts), len(conflicts)),
        "conflict_degree_std": std(conflict_degrees),
        "conflict_degree_min": min(conflict_degrees, default=0),
        "duplicate_rows": surplus([(tuple(matrix[i]), sides[i]) for i in full]),
        "parallel_rows": surplus([tuple(matrix[i]) for i in full]),
        "repeated_supports": surplus([tuple(supports[i]) for i in full]),
        "twin_columns": surplus(
            [
                (
                    tuple(row[j] for row in matrix),
                    *(float(getattr(milp, f)[j]) for f in ("objective", "col_lower", "col_upper")),
                    int(milp.kinds[j]),
                )
                for j in range(n)
                if cols[j]
            ]
        ),
        "merged_clustering": nx.average_clustering(merged),
    }


LOUVAIN = frozenset({"modularity", "communities", "upper_modularity", "merged_modularity"})


def best_known_modularity(graph: nx.Graph) -> float:
    """The best of several runs of networkx's own Louvain."""
    if not graph.number_of_edges():
        return 0.0
    return max(
        nx.community.modularity(graph, nx.community.louvain_communities(graph, seed=seed))
        for seed in range(3)
    )


def as_array(values: dict[str, float], names: list[str]) -> np.ndarray:
    return np.array([values[name] for name in names], dtype=float)
