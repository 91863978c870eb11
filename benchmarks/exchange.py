"""What each part of the exchange engine brings: hardness, similarity, two-sample distance.

    python benchmarks/exchange.py mis
    python benchmarks/exchange.py facility auction

Each family's training set is exchanged at several mask ratios, each way of exchanging on the same
masks. Sets are made in ``build/benchmarks/exchange`` and found again there, so the same command
continues. Effort is Gurobi's deterministic work with one thread: a busy machine changes nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

sys.path.insert(0, str(Path(__file__).resolve().parent))
from g2milp.baselines.rewire import Rewire
from g2milp.datasets.dataset import Dataset
from g2milp.evaluation.evaluate import EvaluationOptions, evaluate_all
from g2milp.generation.contract import Redrawn
from g2milp.generation.exchange.engine import exchange
from g2milp.generation.exchange.structure import Structure, discover_structure
from g2milp.generation.run import generate_folder
from g2milp.generation.stream import Session
from g2milp.generation.writing import write
from g2milp.problems.registry import make_many
from g2milp.solvers.base import Limits
from g2milp.solvers.labelling import Plan, label
from harness import RESULTS, record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from g2milp.generation.contract import Draft, SampleOptions

WORK = Path(__file__).resolve().parent.parent / "build" / "benchmarks" / "exchange"
SIZES: dict[str, dict[str, int]] = {"facility": {"n_customers": 30, "n_facilities": 30}}
RATIOS = (0.1, 0.3, 0.5, 1.0)


class Structured(Rewire):
    """The rewire with what the training data show beyond the invariants."""

    kind: ClassVar[str] = "structured"
    structure_: Structure

    def _fit(self, data: Dataset, **how: Any) -> None:
        super()._fit(data, **how)
        assert self.invariants_ is not None
        self.structure_ = discover_structure(data, self.invariants_)

    def _redraw(self, drafts: Sequence[Draft], options: SampleOptions) -> list[Redrawn]:
        del options
        redrawn = []
        for draft in drafts:
            patch, _ = exchange(
                draft.template,
                draft.masked_rows,
                draft.rng,
                invariants=self.invariants_,
                structure=self.structure_,
                effort=self.effort,
            )
            redrawn.append(Redrawn(rows=patch))
        return redrawn


WAYS: dict[str, Any] = {"typed rewire": Rewire, "structure": Structured}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("families", nargs="+")
    parser.add_argument("-n", type=int, default=60, help="training and generated instances")
    parser.add_argument("--ratios", type=float, nargs="*", default=RATIOS)
    parser.add_argument("--ways", nargs="*", default=list(WAYS))
    parser.add_argument("--time-limit", type=float, default=60.0)
    arguments = parser.parse_args()
    path = RESULTS / "exchange.json"
    results = json.loads(path.read_text())["results"] if path.exists() else {}
    for family in arguments.families:
        results.setdefault(family, {}).update(run(family, arguments))
        print(record("exchange", "python benchmarks/exchange.py " + " ".join(results), results))


def run(family: str, arguments: argparse.Namespace) -> dict[str, Any]:
    sizes = SIZES.get(family, {})
    home = WORK / f"{family}-{arguments.n}"
    reference = _set(family, arguments.n, 0, sizes, home / "real")
    results: dict[str, Any] = {"instances": arguments.n, "sizes": sizes}
    fresh = _set(family, arguments.n, 10_000, sizes, home / "fresh")
    results["fresh real sample"] = _judged(reference, fresh, home / "ledger", arguments)
    for name in arguments.ways:
        generator = WAYS[name]().fit(reference)
        for ratio in arguments.ratios:
            key = f"{name} η={ratio}"
            out = home / key.replace(" ", "_")
            start = time.perf_counter()
            session = Session(
                generator, seed=1, templates=None, options=generator.options(mask_ratio=ratio)
            )
            generate_folder(session, arguments.n, out)
            seconds = time.perf_counter() - start
            made = Dataset.open(out)
            found = _judged(reference, made, home / "ledger", arguments)
            records = made.manifest or []
            masked = sum(line["masked_rows"] for line in records)
            changed = sum(line.get("changed_rows", 0) for line in records)
            found["changed_share_of_masked"] = changed / masked if masked else None
            found["seconds_to_generate"] = round(seconds, 2)
            results[key] = found
            print(family, key, found, flush=True)
    return results


def _set(family: str, n: int, seed: int, sizes: dict[str, int], folder: Path) -> Dataset:
    if not (folder / "manifest.jsonl").exists():
        write(list(make_many(family, n, seed=seed, **sizes)), folder, overwrite=True)
    return Dataset.open(folder)


def _judged(
    reference: Dataset, made: Dataset, ledger: Path, arguments: argparse.Namespace
) -> dict[str, Any]:
    plan = Plan(
        solver="gurobi",
        seeds=(0,),
        limits=Limits(seconds=arguments.time_limit),
        cross_check=None,
    )
    for data in (reference, made):
        label(data, ledger, plan, jobs=1)
    result: dict[str, Any] = {}
    for suite in ("g2milp-2023", "v1"):
        options = EvaluationOptions(
            suite=suite,
            ledgers=[ledger],
            two_sample=suite == "v1",
            cache=WORK / "profiles",
        )
        found = evaluate_all(reference, {"generated": made}, options)[0].to_dict()
        result[suite] = {"score": found["score"], "interval": found["interval"]}
        if suite == "v1":
            result["two_sample"] = found["two_sample"]
            result["hardness"] = found["hardness"]
            result["validity"] = found.get("validity")
    return result


if __name__ == "__main__":
    main()
