"""The tables of an evaluation as text, CSV and LaTeX: one content, three writings."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from g2milp.evaluation import numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from g2milp.evaluation.result import Evaluation
    from g2milp.evaluation.scoring import StatisticScore

Cell = str | float | int | None
Kind: TypeAlias = Literal["words", "score", "number", "ratio", "error", "chance", "count", "share"]
WRITTEN: dict[Kind, Callable[[Any], str]] = {
    "words": str,
    "score": numbers.score,
    "number": partial(numbers.number, digits=4),
    "ratio": numbers.ratio,
    "error": numbers.error,
    "chance": numbers.chance,
    "count": numbers.number,
    "share": numbers.percent,
}


@dataclass(frozen=True)
class Table:
    """A named table; the first column holds words, `kinds` says how the others are written."""

    name: str
    title: str
    columns: tuple[str, ...]
    kinds: tuple[Kind, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def written(self) -> tuple[tuple[str, ...], ...]:
        """The cells as people read them."""
        return tuple(
            tuple(_written(cell, kind) for cell, kind in zip(row, self.kinds, strict=True))
            for row in self.rows
        )

    def as_text(self) -> str:
        """Aligned columns."""
        cells = (self.columns, *self.written)
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        lines = [
            "  ".join(
                cell.ljust(width) if i == 0 else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in cells
        ]
        rule = "  ".join("─" * width for width in widths)
        return "\n".join([self.title, lines[0], rule, *lines[1:]])

    def as_csv(self) -> str:
        """RFC 4180 with full precision."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow(self.columns)
        writer.writerows([["" if c is None else c for c in row] for row in self.rows])
        return out.getvalue()

    def as_latex(self) -> str:
        """A booktabs table."""
        lines = [
            r"\begin{table}[t]",
            r"\centering",
            rf"\caption{{{_escaped(self.title)}}}",
            rf"\label{{tab:{self.name}}}",
            rf"\begin{{tabular}}{{@{{}}l{'r' * (len(self.columns) - 1)}@{{}}}}",
            r"\toprule",
            " & ".join(_escaped(c) for c in self.columns) + r" \\ \midrule",
            *(" & ".join(_escaped(c) for c in row) + r" \\" for row in self.written),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
        return "\n".join(lines) + "\n"


def tables(evaluation: Evaluation) -> tuple[Table, ...]:
    """All tables of an evaluation; those without content are left out."""
    made = (
        score_table(evaluation),
        statistics_table(evaluation),
        hardness_table(evaluation),
        relaxation_table(evaluation),
        two_sample_table(evaluation),
        distances_table(evaluation),
        validity_table(evaluation),
    )
    return tuple(table for table in made if table.rows)


def score_table(evaluation: Evaluation) -> Table:
    """Score with its yardsticks."""
    e = evaluation
    rows: list[tuple[Cell, ...]] = [("generated", e.score, *e.interval, e.generated_size)]
    if e.ceiling is not None:
        rows.append(("real (ceiling)", e.ceiling.value, *e.ceiling.interval, e.ceiling.sample_size))
    rows.append(("pure copy", e.copy_score.value, *e.copy_score.interval, e.copy_score.sample_size))
    return Table(
        "score",
        f"Structural similarity, suite {e.suite} ({e.reference_size} reference instances)",
        ("set", "score", "low", "high", "instances"),
        ("words", "score", "score", "score", "count"),
        tuple(rows),
    )


def statistics_table(evaluation: Evaluation) -> Table:
    """One row a statistic, the least similar first."""
    title = f"Similarity by statistic, suite {evaluation.suite}"
    return _of_statistics("statistics", title, evaluation.statistics)


def relaxation_table(evaluation: Evaluation) -> Table:
    """The same for the LP relaxations of solved instances."""
    title = "LP relaxations of solved instances (outside of the score)"
    return _of_statistics("relaxation", title, evaluation.relaxation)


def _of_statistics(name: str, title: str, scores: Sequence[StatisticScore]) -> Table:
    ordered = sorted(scores, key=lambda s: (s.similarity, s.name))
    return Table(
        name,
        title,
        ("statistic", "similarity", "low", "high", "JS", "KS", "W", "reference", "generated"),
        ("words", *("score",) * 6, "number", "number"),
        tuple(
            (
                s.name,
                s.similarity,
                *s.interval,
                s.jensen_shannon,
                s.kolmogorov_smirnov,
                s.wasserstein,
                s.reference_mean,
                s.generated_mean,
            )
            for s in ordered
        ),
    )


def hardness_table(evaluation: Evaluation) -> Table:
    """One row a solver and measure."""
    return Table(
        "hardness",
        "Hardness: means, relative error, ratio of shifted geometric means with 95 % interval",
        ("measure", "reference", "generated", "error", "ratio", "low", "high", "pairs", "p"),
        ("words", "number", "number", "error", "ratio", "ratio", "ratio", "count", "chance"),
        tuple(
            (
                f"{h.solver} {h.measure}",
                h.reference.mean,
                h.generated.mean,
                h.relative_error,
                h.ratio,
                *h.interval,
                h.pairs,
                h.p_value,
            )
            for h in evaluation.hardness
        ),
    )


def two_sample_table(evaluation: Evaluation) -> Table:
    """The classifiers, and the power of the test."""
    tests = evaluation.two_sample
    rows: list[tuple[Cell, ...]] = []
    if tests is not None and tests.classifier is not None:
        found = tests.classifier
        rows.append((f"AUC ({found.classifier})", found.auc, *found.interval))
    if tests is not None and tests.power is not None:
        rows.append(("AUC against Random, η = 0.1 (power)", tests.power, None, None))
    network = tests.network if tests is not None else None
    if network is not None:
        rows.append(("AUC (graph network)", network.auc, *network.interval))
        if network.power is not None:
            rows.append(("AUC of the network against Random", network.power, None, None))
    return Table(
        "two-sample",
        "Can generated be told from real?",
        ("test", "value", "low", "high"),
        ("words", "score", "score", "score"),
        tuple(rows),
    )


def distances_table(evaluation: Evaluation) -> Table:
    """Graded distances with the p-values of their permutation tests."""
    tests = evaluation.two_sample
    return Table(
        "distances",
        "Distance to the real instances, real to real = 1",
        ("distance", "ratio", "low", "high", "p"),
        ("words", "ratio", "ratio", "ratio", "chance"),
        tuple(
            (f"{d.name} on {d.on}", d.ratio, *d.interval, d.p_value)
            for d in (tests.distances if tests is not None else ())
        ),
    )


def validity_table(evaluation: Evaluation) -> Table:
    """Shares of validity, novelty and disclosure."""
    v, n, d = evaluation.validity, evaluation.novelty, evaluation.disclosure
    rows: tuple[tuple[Cell, ...], ...] = (
        ("feasible", v.feasible),
        ("infeasible", v.infeasible),
        ("unbounded", v.unbounded),
        ("feasibility unknown", v.unknown),
        ("certificates verified", v.certified),
        ("copies (isomorphic)", n.isomorphic),
        ("near-copies", n.near_copies),
        ("rows that differ from the template", n.changed_rows),
        ("distance to the nearest reference", n.nearest_median),
        ("the same among reference instances", n.real_nearest_median),
        ("reference rows that appear unchanged", d.rows),
        ("reference names that appear", d.names),
        ("reference numbers that appear", d.coefficients),
        ("membership attack (AUC)", d.membership_auc),
    )
    return Table(
        "validity", "Validity, novelty, disclosure", ("share", "value"), ("words", "score"), rows
    )


SHOWN = 16
"""Statistics in the text, the least similar ones; CSV, LaTeX and JSON have all of them."""


def as_text(evaluation: Evaluation) -> str:
    """Everything, for a terminal."""
    parts = [
        f"{table.as_text()}\n{note}" if note else table.as_text()
        for table, note in shown(evaluation)
    ]
    told = telltale_line(evaluation)
    parts.extend([told] if told else [])
    parts.append("\n".join(f"! {flag.code}: {flag.message}" for flag in evaluation.flags))
    return "\n\n".join(part for part in parts if part)


def shown(evaluation: Evaluation) -> list[tuple[Table, str | None]]:
    """The tables for a terminal, each with a line below: the statistics are cut to the worst."""
    result: list[tuple[Table, str | None]] = []
    for table in tables(evaluation):
        if table.name != "statistics":
            result.append((table, None))
            continue
        rows = tuple(row for row in table.rows if row[1] != 1.0)[:SHOWN]
        rest = table.rows[len(rows) :]
        if not rows:
            result.append((_all_equal(len(rest)), None))
            continue
        note = (
            f"{len(rest)} more, similarity {_written(rest[0][1], 'score')} or above"
            if rest
            else None
        )
        result.append((replace(table, rows=rows), note))
    return result


def _all_equal(count: int) -> Table:
    row = (f"all {count}", 1.0)
    return Table("statistics", "Similarity by statistic", ("", ""), ("words", "score"), (row,))


def telltale_line(evaluation: Evaluation) -> str | None:
    """The features that give generated instances away, in a sentence."""
    tests = evaluation.two_sample
    if tests is None or tests.classifier is None or not tests.classifier.telltales:
        return None
    told = ", ".join(f"{t.feature} ({t.alone:.2f})" for t in tests.classifier.telltales[:6])
    return f"What gives generated instances away (AUC of each alone): {told}"


def _written(cell: Cell, kind: Kind) -> str:
    """Words stay what they are in any column; – where there is nothing."""
    if cell is None:
        return "–"
    return cell if isinstance(cell, str) else WRITTEN[kind](cell)


def _escaped(text: str) -> str:
    replaced = {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "_": r"\_",
        "#": r"\#",
        "$": r"\$",
        "<": "$<$",
        ">": "$>$",
        "−": "$-$",
        "∞": r"$\infty$",
        "\u00a0": "~",
    }
    plain = "".join(replaced.get(char, char) for char in text)
    return plain.replace("–", "--").replace("η", r"$\eta$").replace("≤", r"$\leq$")
