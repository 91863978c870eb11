"""Shipped models: what a name stands for, those that are there, a tiny one in their place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from g2milp.errors import UnavailableError, UnreadableFile
from g2milp.generation import pretrained
from g2milp.generation.pretrained import available, resolve_model, templates_for
from g2milp.problems.registry import PROBLEMS

MAX_BYTES = 2_000_000
TINY = {"training.steps": 2, "training.batch": 2, "hidden": 4, "embedding": 4, "latent": 2}


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    monkeypatch.setattr(pretrained, "FOLDER", tmp_path / "shelf")
    return tmp_path / "shelf"


def test_a_short_name_is_the_newest_version(shelf, tmp_path, monkeypatch):
    for name in ("mis-v1", "mis-v10", "mis-v9", "mik-v2", "notes"):
        (shelf / name).mkdir(parents=True)
    assert list(available()) == ["mik-v2", "mis-v1", "mis-v9", "mis-v10"]
    assert resolve_model("mis") == (shelf / "mis-v10", "mis")
    assert resolve_model("mis-v9") == (shelf / "mis-v9", "mis")
    with pytest.raises(UnreadableFile, match="no such model folder") as refused:
        resolve_model("miss")
    assert "Did you mean 'mis'?" in str(refused.value.hint)
    with pytest.raises(UnavailableError, match="mis-v11"):
        resolve_model("mis-v11")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mis").mkdir()
    assert resolve_model("mis")[1] == "mis", "a folder of instances is no model"
    (tmp_path / "mis" / "MANIFEST.json").touch()
    assert resolve_model("mis")[1] is None, "the user's own model goes first"
    (tmp_path / "mik" / "checkpoints").mkdir(parents=True)
    assert resolve_model("mik")[1] is None, "so does a run that is not finished"
    (tmp_path / "models").mkdir()
    assert resolve_model("models") == (Path("models"), None)


def test_a_name_without_a_model_says_how_to_get_one(shelf):
    with pytest.raises(UnavailableError, match="setcover") as refused:
        resolve_model("setcover")
    assert "g2milp problems make setcover" in str(refused.value.hint)
    with pytest.raises(UnreadableFile):
        resolve_model("nonsense")


def test_templates_are_fresh_and_the_same_for_a_seed():
    few, many = templates_for("mik", 2, 5), templates_for("mik", 4, 5)
    assert few.names == ("mik000", "mik001")
    assert list(few) == list(many)[:2]
    assert list(few) != list(templates_for("mik", 2, 6))
    assert len(templates_for("mik", 10**6, 0)) == pretrained.TEMPLATES


def test_a_tiny_shipped_model_generates(shelf):
    pytest.importorskip("torch")
    from g2milp.generation.export import export
    from g2milp.generation.g2milp import G2MILP

    G2MILP(settings=TINY).fit(templates_for("mik", 3, 1)).save(shelf.parent / "run")
    export(shelf.parent / "run", shelf / "mik-v1", G2MILP)
    folder, problem = resolve_model("mik")
    assert problem == "mik"
    check(folder, problem)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(available()) or [pytest.param("", marks=pytest.mark.skip)])
def test_every_shipped_model_is_small_whole_and_generates(name):
    pytest.importorskip("torch")
    folder, problem = resolve_model(name)
    check(folder, problem)


def check(folder, problem):
    from g2milp.generation.g2milp import G2MILP

    assert problem in PROBLEMS
    assert sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) < MAX_BYTES
    assert not (folder / "templates").exists()
    generator = G2MILP.load(folder)  # checks every hash
    templates = templates_for(problem, 2, 0)
    for sample in generator.sample_iter(2, templates=templates, mask_ratio=0.05, certify="bounded"):
        parent = templates[templates.names.index(sample.template_name)]
        assert sample.record["certificate"]["level"] == "exact"
        assert sample.record["changed_rows"] > 0
        assert np.array_equal(sample.milp.objective, parent.objective)
