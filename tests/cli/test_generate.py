"""`generate` and `export` by hand: a tiny model, real folders, exit codes and words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from g2milp.cli.generate import _little_changed
from g2milp.datasets.dataset import Dataset
from g2milp.generation.g2milp import G2MILP
from g2milp.testing import training_milps

TINY = {"training.steps": 2, "training.batch": 2, "hidden": 4, "embedding": 4, "latent": 2}


@pytest.fixture
def run(models: Path) -> str:
    data = Dataset.from_milps(training_milps(), ["a", "b", "c"])
    G2MILP(mask_ratio=0.3, settings=TINY).fit(data).save("run")
    return "run"


def files(folder: str) -> dict[str, bytes]:
    return {p.name: p.read_bytes() for p in Path(folder).iterdir() if p.is_file()}


def test_instances_certificates_and_summary(run, call):
    called = call("generate", run, "-n", "5", "-o", "new", "--certify", "bounded", "--json")
    assert called.code == 0, called.err
    assert called.json["written"] == 5
    assert called.json["certificates"]["exact"] == 5
    checked = call("check", "new", "--certificates", "--json")
    assert checked.code == 0
    assert [v["ok"] for v in checked.json["certificates"]] == [True] * 5
    again = call("generate", run, "-n", "5", "-o", "new", "--certify", "bounded", "--json")
    assert (again.json["written"], again.json["found"]) == (0, 5)
    other = call("generate", run, "-n", "5", "-o", "new", "--seed", "9")
    assert other.code == 1
    assert "other settings" in other.err


def test_where_masks_change_little_it_says_so_and_what_to_do(call):
    # What customers and sites share leaves most masked constraints as they are; links do not.
    sizes = ("--set", "n_customers=8", "--set", "n_facilities=6")
    assert call("problems", "make", "facility", "-n", "4", *sizes, "-o", "sites").code == 0
    tiny = ("--steps", "2", "--set", "embedding=4", "--set", "hidden=4")
    assert call("train", "sites", "-o", "sited", *tiny).code == 0
    bound = call("generate", "sited", "-n", "4", "--mask-ratio", "0.2", "-o", "near", "--json")
    assert bound.json["changed_rows"] < 0.25 * bound.json["masked_rows"]
    assert "really changed" in bound.err
    assert "--mask-ratio" in bound.err
    assert "also redraws variables" in bound.err
    loose = call("baseline", "rewire", "sites", "-n", "4", "--mask-ratio", "0.2", "-o", "far")
    assert loose.code == 0
    assert "really changed" not in loose.err


def test_what_is_redrawn_already_is_no_advice():
    both = {"masked_rows": 10, "masked_cols": 10, "changed_rows": 1}
    assert "--scope" not in (_little_changed(both) or "--scope")
    cols = {"masked_cols": 10, "changed_cols": 1}
    assert "also redraws constraints" in (_little_changed(cols) or "")


def test_shards_fill_one_folder_with_the_same_bytes(run, call):
    call("generate", run, "-n", "20", "-o", "whole", "--jobs", "1")
    for part in ("2/2", "1/2"):
        assert call("generate", run, "-n", "20", "-o", "parts", "--shard", part).code == 0
    assert files("parts") == files("whole")


def test_anonymous_instances_tell_nothing_and_stay_certified(run, call):
    called = call(
        "generate", run, "-n", "3", "-o", "new", "--anonymise", "--certify", "bounded", "--json"
    )
    assert called.code == 0, called.err
    manifest = Path("new/manifest.jsonl").read_text()
    assert '"parent' not in manifest
    assert '"nearest"' not in manifest
    assert call("check", "new", "--certificates").code == 0
    keys = sorted(Path("new-keys").iterdir())
    assert len(keys) == 3
    assert json.loads(keys[0].read_text())["parent"] in "abc"


def test_given_solutions_are_planted(run, call):
    milps = training_milps()
    Path("known").mkdir()
    for name, milp in zip("abc", milps, strict=True):
        lines = [f"{column} 1" for column in milp.col_names]
        Path("known", f"{name}.sol").write_text("\n".join(lines))
    options = ["-o", "new", "--certify", "feasible", "--solutions", "known"]
    assert call("generate", run, "-n", "2", *options).code == 0
    record = json.loads(Path("new/manifest.jsonl").read_text().splitlines()[0])
    assert record["certificate"]["origin"] == "given"
    Path("empty").mkdir()
    assert call("generate", run, "-n", "2", "-o", "x", "--solutions", "empty").code == 3


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nowhere", "-n", "1", "-o", "x"], 3, "no such model folder"),
        (["run", "-n", "1", "-o", "x", "--mask-ratio", "1.5"], 2, "mask_ratio"),
        (["run", "-n", "1", "-o", "x", "--scope", "cols"], 2, "trained to redraw rows"),
        (["run", "-n", "1", "-o", "x", "--set", "passs=one"], 2, "Did you mean 'passes'"),
        (["run", "-n", "1", "-o", "x", "--templates", "models"], 3, "is not like"),
        (["run", "-n", "1", "-o", "x", "--templates", "gone"], 3, "no such file"),
        (["run", "-n", "1", "-o", "x", "--resume"], 2, "nothing to resume"),
    ],
)
def test_mistakes_are_explained_and_write_nothing(run, call, models, arguments, code, words):
    Path("models/cut.mps").unlink()
    called = call("generate", *arguments)
    assert called.code == code, called.err
    assert words in " ".join(called.err.split())
    assert not Path("x").exists()


def test_an_export_holds_no_instance_and_says_so(run, call):
    called = call("export", run, "-o", "share", "--json")
    assert called.code == 0
    assert called.json["templates"] == 0
    assert not Path("share/templates").exists()
    assert "No training instance" in Path("share/README.md").read_text()
    failed = call("generate", "share", "-n", "1", "-o", "x")
    assert failed.code == 2
    assert "--templates" in failed.err
    assert call("generate", "share", "-n", "1", "-o", "y", "--templates", "run/templates").code == 0
    whole = call("export", run, "-o", "all", "--with-templates", "--json")
    assert whole.json["templates"] == 3
    assert any("3 training instances as they are" in line for line in whole.json["disclosure"])
    none = call("export", "share", "-o", "more", "--with-templates")
    assert none.code == 2
    assert "holds no templates" in none.err
    assert not Path("more").exists()


def test_a_flipped_bit_in_the_weights_is_seen(run, call):
    path = Path("run/model.safetensors")
    data = bytearray(path.read_bytes())
    data[-7] ^= 1
    path.write_bytes(bytes(data))
    called = call("generate", run, "-n", "1", "-o", "x")
    assert called.code == 3
    assert "SHA-256" in called.err
    assert not Path("x").exists()
