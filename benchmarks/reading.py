"""How fast files are read and written, beside highspy: ``python benchmarks/reading.py [FOLDER]``.

FOLDER holds the real instances (default: ``$G2MILP_SHARED_DATA`` or ``../shared/data``). Everything
is measured from and to the same ``.mps.gz`` files, gzip included, in turns in one process.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import highspy
import numpy as np

from g2milp.instance.io import files, lp, mps
from g2milp.instance.io.mps import native
from g2milp.instance.io.opening import read_bytes
from g2milp.instance.milp import Kind, Milp
from harness import best_of, record

ROUNDS = 5


def set_cover(n_rows: int, n_cols: int, density: float, seed: int) -> Milp:
    """A random set cover of the usual size."""
    rng = np.random.default_rng(seed)
    matrix = rng.random((n_rows, n_cols)) < density
    rows, cols = np.nonzero(matrix)
    return Milp.build(
        name="setcover",
        objective=rng.integers(1, 101, n_cols).astype(float),
        col_upper=np.ones(n_cols),
        kinds=np.full(n_cols, Kind.INTEGER),
        row_lower=np.ones(n_rows),
        row_upper=np.full(n_rows, np.inf),
        indptr=np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n_rows))]),
        indices=cols,
        values=np.ones(rows.size),
    )


def read_by_highs(path: Path) -> highspy.Highs:
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.readModel(str(path))
    return model


def measure(path: Path, folder: Path) -> dict[str, object]:
    milp = files.read(path)
    model = read_by_highs(path)
    highs_path = folder / "highs.mps"  # plain text: it does not compress
    seconds = best_of(
        ROUNDS,
        read=lambda: files.read(path),
        read_highspy=lambda: read_by_highs(path),
        read_without_native=lambda: mps.loads(read_bytes(path), use_native=False),
        write=lambda: files.write_file(milp, folder / "ours.mps.gz", overwrite=True),
        write_without_native=lambda: files.gzip_bytes(mps.dumps(milp, use_native=False)),
        write_highspy_not_compressed=lambda: model.writeModel(str(highs_path)),
        write_lp=lambda: lp.dumps(milp),
    )
    return {
        "rows": milp.n_rows,
        "columns": milp.n_cols,
        "nonzeros": milp.n_nonzeros,
        "bytes": path.stat().st_size,
        "seconds": {name: round(value, 4) for name, value in seconds.items()},
        "read_over_highspy": round(seconds["read"] / seconds["read_highspy"], 3),
        "read_without_native_over_highspy": round(
            seconds["read_without_native"] / seconds["read_highspy"], 3
        ),
        "write_over_read": round(seconds["write"] / seconds["read"], 3),
    }


def main() -> None:
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    data = Path(sys.argv[1] if sys.argv[1:] else os.environ.get("G2MILP_SHARED_DATA", beside))
    results: dict[str, object] = {"native": native.is_available(), "rounds": ROUNDS}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cover = folder / "setcover.mps.gz"
        files.write_file(set_cover(500, 1000, 0.05, seed=0), cover)
        results["setcover_500x1000"] = measure(cover, folder)
        for stem in ("nurse/nursesched-medium04", "mik/mik-250-20-75-3"):
            path = data / f"{stem}.mps.gz"
            if path.is_file():
                results[path.name.removesuffix(".mps.gz")] = measure(path, folder)
    for name, result in results.items():
        print(name, result)
    print(record("reading", "python benchmarks/reading.py", results))


if __name__ == "__main__":
    main()
