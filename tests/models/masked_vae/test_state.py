"""A model as arrays and values, and values that try to be something else."""

from __future__ import annotations

import copy

import numpy as np
import pytest
import torch

from g2milp.errors import DamagedArtifact
from g2milp.models.masked_vae.config import parse
from g2milp.models.masked_vae.model import MaskedVAE
from g2milp.models.masked_vae.state import from_arrays, to_arrays
from g2milp.models.masked_vae.statistics import Statistics, Values


@pytest.fixture(scope="module")
def stored():
    statistics = Statistics(bias=Values(low=0, high=3, levels=(0.0, 1.0, 3.0)), n_graphs=2)
    config = parse({"network": {"hidden": 4, "embedding": 4, "latent": 2, "depth": 1}})
    return to_arrays(MaskedVAE(config, statistics))


def test_it_comes_back_as_it_was(stored) -> None:
    arrays, values = to_arrays(from_arrays(*stored))
    assert values == stored[1]
    assert arrays.keys() == stored[0].keys()
    assert all(np.array_equal(arrays[name], stored[0][name]) for name in arrays)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("config",), None),
        (("config", "network", "hidden"), 10**6),
        (("config", "network", "depth"), 0),
        (("config", "network", "message"), "__import__('os')"),
        (("config", "network", "extra"), 1),
        (("config", "training", "seed"), "0x"),
        (("statistics",), []),
        (("statistics", "bias", "low"), float("nan")),
        (("statistics", "bias", "levels"), list(range(100))),
        (("statistics", "mean_rows"), -1),
        (("statistics", "evil"), "x"),
    ],
)
def test_values_that_do_not_fit_are_refused(stored, path, value) -> None:
    arrays, values = stored[0], copy.deepcopy(stored[1])
    target = values
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    with pytest.raises(DamagedArtifact):
        from_arrays(arrays, values)


def test_tensors_that_do_not_fit_are_refused(stored) -> None:
    arrays, values = stored
    name = "bias.network.w1"
    for change in (
        {name: arrays[name].T},
        {name: arrays[name].astype(np.int32)},
        {name: np.full_like(arrays[name], np.nan)},
        {name: np.full_like(arrays[name], np.inf)},
        {"another": arrays[name]},
    ):
        with pytest.raises(DamagedArtifact):
            from_arrays({**arrays, **change}, values)
    with pytest.raises(DamagedArtifact, match="missing"):
        from_arrays({n: a for n, a in arrays.items() if n != name}, values)


def test_equal_seeds_give_equal_parameters_whatever_torch_drew_before(stored) -> None:
    torch.manual_seed(99)
    config, statistics = parse(stored[1]["config"]), Statistics(**stored[1]["statistics"])
    arrays, _ = to_arrays(MaskedVAE(config, statistics))
    assert all(np.array_equal(arrays[name], stored[0][name]) for name in arrays)
