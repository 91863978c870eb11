"""Baselines on what people bring: empty, odd and extreme instances, and hostile model folders."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from safetensors.numpy import load as load_tensors
from safetensors.numpy import save as save_tensors
from tests.baselines.bowly.planted import assert_planted
from tests.training.test_bad_input import TRAINABLE, UNTRAINABLE, dense, instance

from g2milp.baselines.bowly.generator import parameters_of, sample_encoded
from g2milp.baselines.registry import create, load, names
from g2milp.errors import DamagedArtifact, UsageError
from g2milp.generation.integrity import write_integrity
from g2milp.testing import tiny_milps, training_milps

if TYPE_CHECKING:
    from pathlib import Path

ODD = {
    **TRAINABLE,
    "no entries": UNTRAINABLE["no entries"],
    "only free rows": UNTRAINABLE["only free rows"],
    "coefficients of 1e200": [dense(4, 5, 1e200)],
    "ranges as wide as can be": [
        dense(3, 4, row_lower=[-1.7e308, -1e308, 0.0], row_upper=[1.7e308, 1e308, 1e300])
    ],
}
EMPTY = {"no rows": UNTRAINABLE["no rows"], "no columns": [instance([[], []], 0)]}


def fitted(name: str, data: list[Any]):
    return create(name, **({"training_pairs": 16} if name == "g2sat" else {})).fit(data)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("odd", ODD)
def test_odd_data_give_sound_instances(name: str, odd: str) -> None:
    for milp in fitted(name, ODD[odd]).sample(2, seed=1, mask_ratio=1.0):
        milp.check_numbers()


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("empty", EMPTY)
def test_empty_instances_stay_empty_or_are_refused(name: str, empty: str) -> None:
    generator = fitted(name, EMPTY[empty])
    if name == "bowly":
        with pytest.raises(UsageError, match="at least one row and one column"):
            generator.sample(1)
    else:
        (milp,) = generator.sample(1, mask_ratio=1.0)
        assert (milp.n_cols, milp.n_nonzeros) == (EMPTY[empty][0].n_cols, 0)


@pytest.mark.parametrize("scale", [1e150, 1e200])
def test_the_promise_holds_beside_huge_coefficients(scale: float) -> None:
    """Beyond 1e154 the squares behind the standard deviation overflow."""
    template = dense(4, 5, scale)
    parameters = parameters_of([template])
    assert parameters.coefficient_std == pytest.approx(
        float((template.values / scale).std()) * scale
    )
    encoded = sample_encoded(template, parameters, np.random.default_rng(0))
    assert_planted(encoded, encoded.decode())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("perturb", {"noise": 1.5}),
        ("perturb", {"noise": float("nan")}),
        ("g2sat", {"training_pairs": -1}),
        ("rewire", {"effort": -1.0}),
        ("bowly", {"steps": float("inf")}),
        ("bowly", {"steps": -1}),
        ("bowly", {"search": "nods"}),
    ],
)
def test_settings_that_nobody_could_give_are_damage(
    name: str, value: dict[str, Any], tmp_path: Path
) -> None:
    fitted(name, training_milps()).save(tmp_path / "m")
    path = tmp_path / "m" / "statistics.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **value}))
    _signed(tmp_path / "m", name)
    with pytest.raises(DamagedArtifact):
        load(tmp_path / "m")


@pytest.mark.parametrize("part", ["degree", "side", "width"])
def test_random_needs_all_that_it_draws_from(part: str, tmp_path: Path) -> None:
    create("random").fit([tiny_milps()["range"]]).save(tmp_path / "m")
    path = tmp_path / "m" / "model.safetensors"
    arrays = load_tensors(path.read_bytes())
    kept = {name: array for name, array in arrays.items() if not name.startswith(f"range.{part}.")}
    assert len(kept) == len(arrays) - 2
    path.write_bytes(save_tensors(kept))
    _signed(tmp_path / "m", "random")
    with pytest.raises(DamagedArtifact, match=f"range.{part}"):
        load(tmp_path / "m")


def _signed(folder: Path, kind: str) -> None:
    """Right hashes for what the folder holds now."""
    files = [str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file()]
    write_integrity(folder, [f for f in files if f != "MANIFEST.json"], kind=kind)
