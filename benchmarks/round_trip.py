"""Every real file: read, written and read again bit for bit, and read as HiGHS reads it.

``python benchmarks/round_trip.py [FOLDER]``; FOLDER holds the real instances (default:
``$G2MILP_SHARED_DATA`` or ``../shared/data``). A refused file is counted under its rule, and read
again with that rule accepted where it can be. HiGHS is shown the original file.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from pathlib import Path

import highspy
import numpy as np

from g2milp.errors import FormatError
from g2milp.instance.convert import from_highs
from g2milp.instance.io import files
from g2milp.instance.io.rules import RULES
from g2milp.instance.milp import Milp, RowSense, differing_fields
from harness import record

NAMES = {"name", "objective_name"}
"""What HiGHS does not keep."""


def model_files(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return [path for path in found if path.name.lower().endswith(files.SUFFIXES)]


def changed_by_writing(milp: Milp, suffix: str, folder: Path) -> list[str]:
    """The fields that differ after writing and reading; also "bytes" of a second write."""
    first, second = (folder / f"{name}{suffix}" for name in ("first", "second"))
    files.write_file(milp, first, overwrite=True)
    again = files.read(first)
    files.write_file(again, second, overwrite=True)
    same_bytes = first.read_bytes() == second.read_bytes()
    return differing_fields(milp, again) + ([] if same_bytes else ["bytes"])


def read_by_highs(path: Path) -> Milp | None:
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("small_matrix_value", 1e-12)
    if model.readModel(str(path)) == highspy.HighsStatus.kError:
        return None
    return from_highs(model)


def unlike_highs(milp: Milp, path: Path) -> str:
    """What HiGHS reads in another way; empty if nothing."""
    theirs = read_by_highs(path)
    if theirs is None:
        return "HiGHS refuses it"
    ignored = NAMES | ({"row_names"} if path.suffix == ".lp" else set())
    if np.any(np.equal(milp.senses, RowSense.FREE)) and theirs.n_rows < milp.n_rows:
        kept = np.not_equal(milp.senses, RowSense.FREE)
        same = theirs.n_rows == kept.sum() and (milp.matrix()[kept] != theirs.matrix()).nnz == 0
        return "HiGHS drops free rows" if same else "rows"
    return ", ".join(field for field in differing_fields(milp, theirs) if field not in ignored)


def main() -> None:
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    data = Path(sys.argv[1] if sys.argv[1:] else os.environ.get("G2MILP_SHARED_DATA", beside))
    read = accepted = 0
    refused: Counter[str] = Counter()
    changed: dict[str, list[str]] = {}
    differences: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as name:
        for path in model_files(data):
            key = path.relative_to(data).as_posix()
            try:
                milp = files.read(path)
                read += 1
            except FormatError as error:
                refused[error.rule] += 1
                if error.rule not in RULES:
                    continue
                try:
                    milp = files.read(path, accept=[error.rule])
                except FormatError:
                    continue
                accepted += 1
            for suffix in (".mps.gz", ".lp"):
                fields = changed_by_writing(milp, suffix, Path(name))
                if fields:
                    changed[f"{key} as {suffix}"] = fields
            unlike = unlike_highs(milp, path)
            if unlike:
                differences[key] = unlike
    results = {
        "files": read + sum(refused.values()),
        "read": read,
        "refused": dict(sorted(refused.items())),
        "read with the rule accepted": accepted,
        "changed by writing as .mps.gz or .lp and reading": changed,
        "read by HiGHS in another way": differences,
    }
    print(results)
    record("round_trip", "python benchmarks/round_trip.py", results)


if __name__ == "__main__":
    main()
