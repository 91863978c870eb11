"""What is not regenerated is bit-identical, on every file of the shared data.

    python benchmarks/exactness.py [--shared FOLDER]

Each file that is read (the others are refused with a reason, and counted by it) is a template: at
η = 0 the result must be an equal `Milp`, also after a way through a written file; at η > 0 exactly
round(η · rows) rows are masked, and all others, with names, bounds, kinds and objective, must have
the same bits. The generator is `random-marginal`, which needs no training: masks, edits and writing
are the same for all generators.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import harness
from g2milp.baselines.random_refill import RandomMarginal
from g2milp.errors import InputError
from g2milp.generation.masks import constraining_rows
from g2milp.generation.stream import Session
from g2milp.instance.io.files import read, write_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from g2milp.instance.milp import Milp

SHARED = Path(
    os.environ.get("G2MILP_SHARED_DATA", Path(__file__).resolve().parents[2] / "shared" / "data")
)
ACCEPT = ("duplicate-bound=last", "text-after-end")
RATIOS = (0.01, 0.05, 0.1, 0.5)
MODEL = re.compile(r"\.(mps|lp)(\.gz)?$", re.IGNORECASE)


def files(shared: Path) -> Iterator[Path]:
    return (p for p in sorted(shared.rglob("*")) if p.is_file() and MODEL.search(p.name))


def differences(milp: Milp, new: Milp, masked: np.ndarray) -> int:
    """Unmasked rows that have other bits, plus 1 for each column field or name that has."""
    kept = np.ones(milp.n_rows, bool)
    kept[masked] = False
    if not np.array_equal(milp.row_degrees[kept], new.row_degrees[kept]):
        return int((milp.row_degrees[kept] != new.row_degrees[kept]).sum())
    wrong = np.zeros(milp.n_rows, bool)
    for field in ("row_lower", "row_upper"):
        wrong |= getattr(milp, field).view(np.int64) != getattr(new, field).view(np.int64)
    entry, new_entry = kept[milp.entry_rows], kept[new.entry_rows]
    unlike = milp.indices[entry] != new.indices[new_entry]
    unlike |= milp.values[entry].view(np.int64) != new.values[new_entry].view(np.int64)
    wrong[milp.entry_rows[entry][unlike]] = True
    fields = sum(
        np.asarray(getattr(milp, f)).tobytes() != np.asarray(getattr(new, f)).tobytes()
        for f in ("objective", "col_lower", "col_upper", "kinds")
    )
    names = ("row_names", "col_names", "name", "objective_name", "sense", "offset")
    fields += sum(getattr(milp, f) != getattr(new, f) for f in names)
    return int((wrong & kept).sum()) + fields


def measure(path: Path, milp: Milp, folder: Path, totals: Counter[str]) -> None:
    generator = RandomMarginal().fit([milp])
    same = generator.sample(1, mask_ratio=0.0)[0]
    write_file(same, folder / "same.mps.gz", overwrite=True)
    totals["equal at ratio 0"] += same == milp
    totals["equal after writing and reading"] += read(folder / "same.mps.gz") == milp
    for seed, ratio in enumerate(RATIOS):
        options = generator.options(mask_ratio=ratio)
        session = Session(generator, seed=seed, templates=None, options=options)
        masked = session.draft(0).masked_rows
        sample = session.samples([0])[0]
        expected = round(ratio * constraining_rows(milp).size)
        totals["samples"] += 1
        totals["samples with another number of masked rows"] += not (
            sample.record["masked_rows"] == masked.size == np.unique(masked).size == expected
        )
        totals["masked rows"] += masked.size
        totals["masked rows that changed"] += sample.record["changed_rows"]
        totals["unmasked rows"] += milp.n_rows - masked.size
        wrong = differences(milp, sample.milp, masked)
        totals["unmasked rows, names or columns with other bits"] += wrong
        if wrong:
            print(path, ratio, wrong)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--shared", type=Path, default=SHARED)
    options = parser.parse_args()
    totals: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for path in files(options.shared):
            totals["files"] += 1
            try:
                milp = read(path, accept=ACCEPT)
            except InputError as error:
                refused[type(error).__name__] += 1
                continue
            totals["files read"] += 1
            measure(path, milp, Path(folder), totals)
    result: dict[str, Any] = {"ratios": RATIOS, **totals, "files refused": dict(refused)}
    print(result)
    harness.record("exactness", "python benchmarks/exactness.py", result)


if __name__ == "__main__":
    main()
