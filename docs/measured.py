"""The section "What was measured" of the README, from the committed results.

    python docs/measured.py

Every number is read from ``results/benchmarks/``; none is typed. A test compares the section with
these files.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "README.md"
FAMILIES = ("mis", "setcover", "mik")
TIMED = ("training_speed", "learning", "generation", "reading", "structural_statistics")
SECTION = re.compile(r"^## What was measured\n.*?(?=^## )", re.MULTILINE | re.DOTALL)


def load(topic: str) -> tuple[str, dict[str, Any]]:
    """The command of a benchmark and its results."""
    content = json.loads((ROOT / "results" / "benchmarks" / f"{topic}.json").read_text("utf-8"))
    return content["command"], content["results"]


def section() -> str:
    """The section as it must stand in the README."""
    lines = "\n".join(f"| {what} | {value} | `{command}` |" for what, value, command in rows())
    return f"""## What was measured

On a machine with {machine()}. Each line is a file in `results/benchmarks/`, made by the
command beside it. Three numbers with slashes are those of independent sets (MIS), set covers, and
look-alikes of mixed-integer knapsacks (MIK), all of the paper's sizes.

| what | result | command |
|---|---|---|
{lines}

The authors' seconds were taken on another machine and are scaled by the speed of matrix products.
How good the instances are, table by table, beside the paper's numbers: [RESULTS.md](RESULTS.md).

"""


def machine() -> str:
    """Where all that is told in seconds was measured."""
    places = set()
    for topic in TIMED:
        path = ROOT / "results" / "benchmarks" / f"{topic}.json"
        environment = json.loads(path.read_text("utf-8"))["environment"]
        places.add(f"{environment['cores']} cores ({environment['processor']})")
    return " or ".join(sorted(places))


def rows() -> list[tuple[str, str, str]]:
    """What, result, command."""
    return [*training(), generation(), *reading(), statistics(), labels(), told_apart()]


def training() -> list[tuple[str, str, str]]:
    """Speed and memory of a step, and a whole training."""
    command, of = load("training_speed")
    step = [of[family] for family in FAMILIES]
    rival = each(entry["pytorch_geometric"]["peak_mb"] / 1024 for entry in step)
    own = max(entry["product"]["peak_mb"] for entry in step) / 1024
    whole, learned = load("learning")
    mis = learned["mis"]
    return [
        (
            "training step at the authors' settings: time of their code over ours",
            f"{each((entry['ratio_to_authors_scaled'] for entry in step), 0)} times",
            command,
        ),
        (
            "the same step in PyTorch Geometric: time over ours; memory",
            f"{each((entry['ratio'] for entry in step), 0)} times; {rival} GB, ours {own:.1f} GB",
            command,
        ),
        (
            f"training on {mis['instances']} MIS, {mis['steps']:,} steps of the authors' settings",
            f"{mis['processor_minutes']:.1f} processor minutes, {mis['peak_mb']} MB",
            whole,
        ),
    ]


def generation() -> tuple[str, str, str]:
    """Seconds for a thousand instances."""
    command, of = load("generation")
    assert {of[family]["instances"] for family in FAMILIES} == {1000}
    seconds = each((of[family]["seconds"] for family in FAMILIES), 0)
    return "generating and writing 1,000 instances", f"{seconds} s", command


def reading() -> list[tuple[str, str, str]]:
    """Time beside highspy, and what a round trip changes."""
    command, of = load("reading")
    nurse = of["nursesched-medium04"]
    trip, files = load("round_trip")
    read = files["read"] + files["read with the rule accepted"]
    changed = len(files["changed by writing as .mps.gz or .lp and reading"])
    return [
        (
            f"reading a nurse schedule with {nurse['nonzeros']:,} non-zeros",
            f"{nurse['read_over_highspy']:.2f} of highspy's time",
            command,
        ),
        (
            f"{read} real files written as `.mps.gz` and `.lp` and read again",
            f"{changed} changed in a bit",
            trip,
        ),
    ]


def statistics() -> tuple[str, str, str]:
    """The paper's statistics."""
    command, of = load("structural_statistics")
    covers = of["set cover, paper's 11"]
    what = f"the paper's 11 statistics of {covers['instances']:,} set covers, reading included"
    return what, f"{covers['seconds, reading included']:.0f} s", command


def labels() -> tuple[str, str, str]:
    """Wrong optima that were believed."""
    command, of = load("labels")
    solvers = [of[name] for name in ("highs", "scip", "gurobi")]
    wrong = sum(solver["claims that are wrong"] for solver in solvers)
    stored = sum(solver["wrong labels stored as checked"] for solver in solvers)
    what = f"optima claimed by three solvers for {of['instances']:,} tiny instances, many odd"
    return what, f"{wrong:,} wrong claims, {stored} of them stored as checked", command


def told_apart() -> tuple[str, str, str]:
    """AUC of the two-sample test for the default."""
    _, of = load("best")

    def auc(kind: str) -> str:
        found = [of[family][kind]["two_sample"]["classifier"]["auc"] for family in FAMILIES]
        return each(found, 2)

    return (
        "AUC of a classifier that tells generated from real ones (0.5: it cannot), preset `best`",
        f"η = 0.1: {auc('best η=0.1')}; η = 0.5: {auc('best η=0.5')}; "
        f"other real ones: {auc('real')}",
        "python benchmarks/best.py FAMILY",
    )


def each(numbers: Any, digits: int = 1) -> str:
    """Some numbers between slashes."""
    return " / ".join(f"{number:.{digits}f}" for number in numbers)


def main() -> None:
    """Put the section into the README."""
    page = TARGET.read_text("utf-8")
    if not SECTION.search(page):
        raise SystemExit("README.md has no section 'What was measured'")
    TARGET.write_text(SECTION.sub(lambda _: section(), page), encoding="utf-8")


if __name__ == "__main__":
    main()
