"""The generators that the tables compare, by short names.

``code`` is G2MILP with the hyper-parameters of the authors' code, ``best`` is our default preset;
``rewire`` is the yardstick that learns nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from g2milp.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from g2milp.datasets.dataset import Dataset
    from g2milp.generation.contract import Generator, Scope

LABELS = {
    "bowly": "Bowly",
    "bowly-integer": "Bowly, integer and bounded",
    "random": "Random",
    "rewire": "Rewire (typed, simple)",
    "code": "G2MILP as published",
    "best": "g2milp",
    "g2sat": "G2SAT",
    "copy": "Copy",
}
LEARNED = ("code", "best")
WHOLE = ("bowly", "bowly-integer", "g2sat")
"""Those that make instances anew, whatever the mask ratio."""
MAIN = ("bowly", "random", "rewire", "code", "best")


def label_of(kind: str) -> str:
    """How tables call it."""
    return LABELS[kind]


def edits_templates(kind: str) -> bool:
    """Whether it has a mask ratio."""
    return kind not in WHOLE


def preset_of(kind: str, of: str) -> str:
    """The preset that a learned generator trains with on a set."""
    from g2milp.models.masked_vae import presets

    if kind == "best":
        return "auto"
    name = f"code-{of.removesuffix('-files')}"
    if name not in presets.names():
        raise UsageError(f"there are no published hyper-parameters for {of}")
    return name


def fitted(
    kind: str,
    of: str,
    data: Dataset,
    *,
    scope: Scope,
    steps: int | None,
    settings: Mapping[str, Any],
    seed: int,
    folder: Path,
    ready: Path | None,
    say: Callable[[str], None],
) -> Generator:
    """A generator that has learned from `data`: loaded when it is there, else fitted and saved."""
    if kind not in LEARNED:
        from g2milp.baselines.registry import create

        if kind == "bowly-integer":
            return create("bowly", seed=seed, integer_valued=True).fit(data)
        return create(kind, seed=seed).fit(data)
    from g2milp.generation.g2milp import G2MILP, REACHED
    from g2milp.generation.integrity import MANIFEST_NAME

    if ready is not None:
        if not (ready / MANIFEST_NAME).exists():
            raise UsageError(f"{ready} is no model folder")
        loaded = G2MILP.load(ready)
        model = loaded.model_
        if model is not None and scope in REACHED[model.config.masking.scope]:
            return loaded
        say(f"{ready.name} cannot redraw the scope {scope}; another model is trained for it")
    if (folder / MANIFEST_NAME).exists():
        return G2MILP.load(folder)
    preset = preset_of(kind, of)
    given = {**settings, **({} if steps is None else {"training.steps": steps})}
    say(f"training {preset} on {len(data)} instances of {of}, scope {scope}")
    generator = G2MILP(seed=seed, preset=preset, scope=scope, settings=given)
    generator.fit(data, run_dir=folder, select=None)
    generator.save(folder, overwrite=True)
    return generator
