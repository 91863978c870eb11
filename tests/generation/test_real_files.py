"""What is not regenerated is bit-identical, on real files of every dialect."""

from __future__ import annotations

import numpy as np
import pytest
from toy_generator import Toy

from g2milp.errors import InputError
from g2milp.generation.masks import constraining_rows
from g2milp.instance.io.files import read

ACCEPT = ("duplicate-bound=last", "text-after-end")
MAX_BYTES = 40_000
"""Of a compressed file: the test stays short."""


def readable(shared_data):
    for path in sorted(shared_data.rglob("*")):
        if path.is_file() and path.name.endswith((".mps", ".lp", ".gz")):
            if path.stat().st_size > MAX_BYTES:
                continue
            try:
                yield path, read(path, accept=ACCEPT)
            except InputError:
                continue


@pytest.mark.slow
def test_nothing_masked_is_equal_and_unmasked_rows_stay(shared_data):
    count = 0
    for path, milp in readable(shared_data):
        count += 1
        toy = Toy().fit([milp])
        assert toy.sample(1, mask_ratio=0.0)[0] == milp, path
        sample = next(toy.sample_iter(1, mask_ratio=0.3, seed=count))
        new, rows = sample.milp, constraining_rows(milp)
        assert sample.record["masked_rows"] == round(0.3 * rows.size), path
        draft = _masked(toy, milp, count)
        kept = np.setdiff1d(np.arange(milp.n_rows), draft)
        for field in ("row_lower", "row_upper"):
            assert getattr(new, field)[kept].tobytes() == getattr(milp, field)[kept].tobytes()
        for i in kept.tolist():
            assert all(
                a.tobytes() == b.tobytes() for a, b in zip(milp.row(i), new.row(i), strict=True)
            ), (path, i)
        for field in ("objective", "col_lower", "col_upper", "kinds"):
            assert getattr(new, field).tobytes() == getattr(milp, field).tobytes()
        assert (new.row_names, new.col_names, new.sense, new.offset, new.name) == (
            milp.row_names,
            milp.col_names,
            milp.sense,
            milp.offset,
            milp.name,
        )
    assert count > 100


def _masked(toy, milp, seed):
    from g2milp.generation.stream import Session

    options = toy.options(mask_ratio=0.3)
    return Session(toy, seed=seed, templates=[milp], options=options).draft(0).masked_rows
