"""Baselines by name: all there, settings checked by name and type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from g2milp.baselines.registry import create, load, names
from g2milp.errors import DamagedArtifact, UnreadableFile, UsageError
from g2milp.testing import training_milps

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", names())
def test_every_name_makes_its_generator(name: str) -> None:
    generator = create(name, seed=3, mask_ratio=0.2)
    assert generator.kind == name
    assert generator.seed == 3
    assert generator.mask_ratio == 0.2


def test_the_command_offers_the_same_names() -> None:
    from g2milp.cli.baseline import Name

    assert tuple(Name) == names()


def test_settings_reach_the_generator() -> None:
    assert create("rewire", typed=False).typed is False
    assert create("rewire", effort=3).effort == 3.0
    assert create("bowly", search="nodes:max").search == "nodes:max"


@pytest.mark.parametrize(
    ("name", "settings", "said"),
    [
        ("rewier", {}, "rewire"),
        ("rewire", {"tpyed": False}, "typed=True"),
        ("rewire", {"typed": 1}, "bool"),
        ("rewire", {"effort": True}, "float"),
        ("rewire", {"effort": 0.0}, "effort"),
        ("copy", {"noise": 0.1}, "nothing"),
        ("g2sat", {"training_pairs": 1.5}, "int"),
    ],
)
def test_wrong_names_and_settings_are_refused(
    name: str, settings: dict[str, object], said: str
) -> None:
    with pytest.raises(UsageError) as caught:
        create(name, **settings)
    assert said in f"{caught.value} {caught.value.hint}"


def test_a_folder_says_what_made_it(tmp_path: Path) -> None:
    create("perturb", noise=0.3).fit(training_milps()).save(tmp_path / "model")
    loaded = load(tmp_path / "model")
    assert loaded.kind == "perturb"
    assert len(loaded.sample(1)) == 1


def test_what_is_no_model_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnreadableFile):
        load(tmp_path / "nowhere")
    with pytest.raises(DamagedArtifact):
        load(tmp_path)
    (tmp_path / "MANIFEST.json").write_text('{"kind": ["rewire"]}')
    with pytest.raises(DamagedArtifact):
        load(tmp_path)
