from __future__ import annotations

import json
from fractions import Fraction

import pytest

from g2milp.errors import DamagedArtifact, InputError
from g2milp.generation.certificates.points import point_bytes, read_point, spelled
from g2milp.generation.certificates.verify import verify_certificate, verify_file, verify_folder
from g2milp.generation.run import generate_folder
from g2milp.generation.stream import Session


@pytest.fixture
def folder(toy, tmp_path):
    session = Session(toy, seed=1, templates=None, options=toy.options(certify="bounded"))
    generate_folder(session, 4, tmp_path / "new")
    return tmp_path / "new"


def test_what_was_written_is_verified(folder):
    verdicts = verify_folder(folder)
    assert len(verdicts) == 4
    assert all(v.ok and v.kind == "bounded" and v.level == "exact" for v in verdicts)
    assert verify_file(folder / verdicts[0].file) == verdicts[0]


def edit_claim(folder, **change):
    path = folder / "manifest.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    records[0]["certificate"].update(change)
    path.write_text("".join(json.dumps(r) + "\n" for r in records))
    return records[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"objective": "1000001"}, "objective"),
        ({"bound": "-1/3"}, "proves"),
        ({"kind": "optimal"}, "unknown claim"),
        ({"level": "perhaps"}, "unknown claim"),
        ({"point_file": "../secret"}, "names no point_file"),
        ({"point_file": "gone.sol"}, "missing"),
        ({"dual_file": None}, "names no dual_file"),
        ({"objective": "1/0"}, "no number"),
    ],
)
def test_a_false_claim_is_refuted(folder, change, words):
    edit_claim(folder, **change)
    first, *others = verify_folder(folder)
    assert not first.ok
    assert words in first.reason
    assert all(v.ok for v in others)


def test_a_changed_instance_or_point_is_refuted(folder):
    record = edit_claim(folder)
    point = folder / record["certificate"]["point_file"]
    point.write_text("c0 1000000\n")
    assert "outside" in verify_folder(folder)[0].reason
    point.write_text("nobody 1\n")
    assert "no name" in verify_folder(folder)[0].reason
    (folder / record["file"]).write_bytes(b"")
    assert "SHA-256" in verify_folder(folder)[0].reason
    (folder / record["file"]).unlink()
    assert "missing" in verify_folder(folder)[0].reason


def test_a_fractional_value_of_an_integer_is_refuted(make_milp):
    milp = make_milp([[1.0]], lower=[0.0], upper=[2.0], objective=[1.0], kinds=[1])
    claim = {"kind": "feasible", "level": "exact", "objective": "1/2"}
    assert "integer" in verify_certificate(milp, claim, [Fraction(1, 2)])
    claim = {"kind": "feasible", "level": "exact", "objective": "1"}
    assert verify_certificate(milp, claim, [Fraction(1)]) is None
    # one part in 10^30 too much is seen
    over = Fraction(2) + Fraction(1, 10**30)
    claim = {"kind": "feasible", "level": "exact", "objective": str(over)}
    plain = make_milp([[1.0]], lower=[0.0], upper=[2.0], objective=[1.0])
    assert "outside" in verify_certificate(plain, claim, [over])
    claim["level"] = "tolerance"
    assert verify_certificate(plain, claim, [over]) is None


def test_semi_continuous_columns_may_be_zero(make_milp):
    milp = make_milp(
        [[1.0]], lower=[0], upper=[9], objective=[1], kinds=[2], col_lower=[2], col_upper=[5]
    )
    for value, ok in ((0, True), (1, False), (2, True), (6, False)):
        claim = {"kind": "feasible", "level": "exact", "objective": str(value)}
        assert (verify_certificate(milp, claim, [Fraction(value)]) is None) == ok


def test_a_folder_without_claims(toy, tmp_path):
    with pytest.raises(InputError, match=r"no manifest\.jsonl"):
        verify_folder(tmp_path)
    session = Session(toy, seed=1, templates=None, options=toy.options())
    generate_folder(session, 2, tmp_path / "plain")
    assert all(v.ok and v.kind is None for v in verify_folder(tmp_path / "plain"))


def test_points_come_back_exactly(tmp_path):
    names = ["x", "y with space", "#z", "=w", "v"]
    point = [Fraction(1, 3), Fraction(-7), Fraction(0.1), Fraction(10**40, 3), Fraction(0)]
    path = tmp_path / "p.sol"
    path.write_bytes(point_bytes(names, point, "point"))
    assert read_point(path, names) == point
    assert [spelled(Fraction(v)) for v in (3, 0.5, Fraction(1, 10))] == ["3", "0.5", "0.1"]


@pytest.mark.parametrize("text", ["x one", "x 1/0", "x 1e999999999", "x 1\nx 2", "x"])
def test_damaged_points_are_refused(tmp_path, text):
    path = tmp_path / "p.sol"
    path.write_text(text)
    with pytest.raises(DamagedArtifact):
        read_point(path, ["x"])
