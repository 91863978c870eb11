"""Series: every column has its own distribution; anything else is no series."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch")

from g2milp.datasets.dataset import Dataset
from g2milp.errors import DamagedArtifact
from g2milp.generation.g2milp import G2MILP
from g2milp.generation.values.columns import Columns
from g2milp.instance.edit import ColumnPatch, replace_columns
from g2milp.instance.milp import Milp
from g2milp.problems.registry import make

TINY = {"training.batch": 2, "hidden": 4, "embedding": 4, "latent": 2, "depth": 1}


def series(n: int) -> list[Milp]:
    """Column 0 costs 1 or 2; column 1 is fixed to 0 or 1 or free; column 2 has an upper bound."""
    base = make("setcover", seed=0, n_rows=12, n_cols=10, density=0.3)
    made = []
    for k in range(n):
        patch = ColumnPatch(
            cols=np.arange(3),
            objective=np.array([1.0 + k % 2, base.objective[1], base.objective[2]]),
            kinds=base.kinds[:3],
            lower=np.array([0.0, float(k % 3 == 1), 0.0]),
            upper=np.array([1.0, float(k % 3 != 0), 1.0 if k % 2 else np.inf]),
        )
        made.append(replace_columns(base, patch))
    return made


def test_columns_of_a_series_take_what_they_took_and_others_stay() -> None:
    data = series(12)
    gen = G2MILP(mask_ratio=0.8, scope="cols", settings=TINY).fit(data)
    assert gen.model.config.training.steps == 20
    costs, fixed = set(), set()
    for sample in gen.sample_iter(30, seed=0):
        milp = sample.milp
        assert np.array_equal(milp.objective[3:], data[0].objective[3:])
        assert np.array_equal(milp.values, data[0].values)
        costs.add(milp.objective[0])
        fixed.add((milp.col_lower[1], milp.col_upper[1]))
        assert milp.col_upper[2] in (1.0, np.inf)
    assert costs == {1.0, 2.0}
    assert fixed == {(0.0, 0.0), (1.0, 1.0), (0.0, 1.0)}


def test_they_come_back_from_the_folder_with_missing_bounds(tmp_path) -> None:
    gen = G2MILP(mask_ratio=0.8, scope="cols", settings=TINY).fit(series(6))
    gen.save(tmp_path / "m")
    again = G2MILP.load(tmp_path / "m")
    assert gen.columns_ is not None
    assert again.columns_ is not None
    assert np.array_equal(again.columns_.seen, gen.columns_.seen)
    assert np.isinf(again.columns_.seen).any()
    assert again.sample(3, seed=2) == gen.sample(3, seed=2)


def test_other_rows_other_names_or_two_instances_are_no_series() -> None:
    data = series(6)
    other = make("setcover", seed=1, n_rows=12, n_cols=10, density=0.3)
    assert Columns.learn([*data, other]) is None
    assert Columns.learn(data[:2]) is None
    assert Columns.learn([data[0]] * 5) is None
    found = Columns.learn(data)
    assert found is not None
    assert found.fits(data[3])
    assert not found.fits(other)


@pytest.mark.parametrize("broken", ["cols", "lower", "objective", "fingerprint", "missing"])
def test_damaged_columns_are_refused(broken: str) -> None:
    found = Columns.learn(series(6))
    assert found is not None
    arrays = found.to_arrays()
    name = f"series.{broken}"
    if broken == "missing":
        del arrays["series.upper"]
    elif broken == "cols":
        arrays[name] = arrays[name][::-1].copy()
    elif broken == "lower":
        arrays[name] = arrays[name] + 5.0
    else:
        arrays[name] = arrays[name][:-1]
    with pytest.raises(DamagedArtifact):
        Columns.from_arrays(arrays, "model.safetensors")


def test_a_template_that_is_not_of_the_series_is_the_decoders() -> None:
    data = Dataset.from_milps(series(6))
    gen = G2MILP(mask_ratio=0.8, scope="cols", settings=TINY).fit(data)
    assert gen.columns_ is not None
    gen.columns_ = replace(gen.columns_, fingerprint="00" * 32)
    drawn = gen.sample(6, seed=0)
    assert any(milp.objective[5] != data[0].objective[5] for milp in drawn)
