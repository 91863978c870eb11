"""A trained model as named arrays and plain values, and back.

What comes back is input: the configuration is validated, every tensor must be there with the shape
that the configuration asks for and hold finite numbers, and none may be left over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import torch

from g2milp.errors import DamagedArtifact, UsageError
from g2milp.models.contrast.network import ContrastNet
from g2milp.models.masked_vae.config import parse
from g2milp.models.masked_vae.model import MaskedVAE
from g2milp.models.masked_vae.statistics import parse_statistics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from g2milp.models.masked_vae.config import Config
    from g2milp.models.masked_vae.statistics import Statistics

Model: TypeAlias = MaskedVAE | ContrastNet

MAX_PARAMETERS = 500_000_000
"""A configuration that asks for more is refused before memory is taken."""


def to_arrays(model: Model) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Parameters as float32 arrays; configuration and statistics as JSON values."""
    arrays = {
        name: tensor.detach().cpu().numpy() for name, tensor in unique_parameters(model).items()
    }
    values = {
        "config": model.config.model_dump(mode="json"),
        "statistics": model.statistics.model_dump(mode="json"),
    }
    return arrays, values


def from_arrays(arrays: dict[str, NDArray[Any]], values: dict[str, Any]) -> Model:
    """The model again; anything that does not fit is refused."""
    model = empty_model(values)
    load_parameters(model, arrays)
    return model


def empty_model(values: dict[str, Any], source: str = "the model") -> Model:
    """A model of the stored configuration with parameters that are still to be loaded."""
    content = values.get("config")
    if not isinstance(content, dict):
        raise DamagedArtifact(source, "`config` is missing")
    try:
        config = parse(content)
    except UsageError as error:
        raise DamagedArtifact(source, error.message) from error
    net = config.network
    per_layer = 40 * net.hidden * max(net.embedding, net.hidden)
    if (2 * net.depth + 12) * per_layer + 16 * net.hidden * net.latent > MAX_PARAMETERS:
        raise DamagedArtifact(source, "the configuration asks for an absurdly large network")
    return build(config, parse_statistics(values.get("statistics"), source))


def build(config: Config, statistics: Statistics) -> Model:
    """The untrained network that the configuration asks for."""
    if config.learns_by_contrast:
        return ContrastNet(config, statistics)
    return MaskedVAE(config, statistics)


def load_parameters(
    model: Model, arrays: dict[str, NDArray[Any]], source: str = "the model"
) -> None:
    """Copy checked arrays into the parameters of `model`."""
    own = unique_parameters(model)
    missing, extra = sorted(own.keys() - arrays.keys()), sorted(arrays.keys() - own.keys())
    if missing or extra:
        raise DamagedArtifact(
            source,
            f"the tensors are not those of this network (missing {missing[:3]}, "
            f"unknown {extra[:3]})",
        )
    for name, parameter in own.items():
        array = arrays[name]
        if array.shape != tuple(parameter.shape) or array.dtype.kind != "f":
            raise DamagedArtifact(
                source,
                f"tensor {name!r} is {array.dtype} {array.shape}, "
                f"not float {tuple(parameter.shape)}",
            )
        if not np.isfinite(array).all():
            raise DamagedArtifact(source, f"tensor {name!r} holds a NaN or an infinity")
    with torch.no_grad():
        for name, parameter in own.items():
            parameter.copy_(torch.from_numpy(np.ascontiguousarray(arrays[name])))


def unique_parameters(model: Model) -> dict[str, torch.nn.Parameter]:
    """Parameters by name, shared ones once, under the first of their names."""
    return dict(model.named_parameters())
