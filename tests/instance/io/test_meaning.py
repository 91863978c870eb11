"""Real files: read, written and read again bit for bit, and understood as HiGHS and SCIP do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from g2milp.errors import FormatError
from g2milp.instance.convert import from_highs, from_scip
from g2milp.instance.io import files, lp, mps
from g2milp.instance.milp import Milp, RowSense, differing_fields

# Every refused file, with the rule. The first four groups can be read with --accept.
REFUSED = {
    "duplicate-bound": ["mipcc23/vary_bounds_series_2"],  # BV, then FX: HiGHS and SCIP differ
    "open-marker": ["nw460", "tp3", "tp4", "tp5", "infeasible-mip1"],
    "dollar-comment": ["alloy", "furnace", "icecream", "comment"],
    "semi-integer-marker": ["readers/reader_highs/semi-continuous.mps"],
    "fortran-exponent": ["dD2e"],
    "text-after-end": ["share2qp"],  # a quadratic objective behind ENDATA
    "keyword-name": ["1451"],
    "not-a-milp": ["conic", "spec_sections", "2821", "2894", "atwood0", "primal1", "qjh", "qcqp",
                   "qpinfeasible", "qptestnw", "qpunbounded"],
    "number": ["nan0", "nan1", "nan2"],
    "unknown-row": ["warnings"],
    "fields": ["plan.mps", "1449"],  # continued lines; sections in a line
    "section": ["garbage", "1448"],
}  # fmt: skip

# Where our reading and HiGHS's differ, and why ours is meant.
DIFFERENCES = {
    "miplib3/dsbmip.mps.gz": "HiGHS drops free rows",
    "miplib3/mod011.mps.gz": "HiGHS drops free rows",
    "silly-names.mps": "HiGHS takes a variable called OBJSENSE for a section and loses four",
}


def paths(folder: Path) -> list[Path]:
    found = sorted(path for path in folder.rglob("*") if path.name.count(".") and path.is_file())
    return [path for path in found if path.suffix in (".mps", ".lp", ".gz")]


def small(folder: Path) -> list[Path]:
    """All that are quick, and every tenth of the two series."""
    chosen = [p for p in paths(folder) if p.stat().st_size < 150_000 or p.suffix == ".mps"]
    return [p for p in chosen if "mipcc23" not in p.parts or p.name.endswith("0.mps.gz")]


def expected_rule(path: Path) -> str | None:
    for rule, parts in REFUSED.items():
        if any(part in path.as_posix() for part in parts):
            return rule
    return None


@pytest.fixture(scope="module")
def readable(shared_data: Path) -> dict[str, Milp]:
    """The instances of all quick files that can be read; each refusal is the expected one."""
    milps = {}
    for path in small(shared_data):
        rule = expected_rule(path)
        if rule is None:
            milps[path.relative_to(shared_data).as_posix()] = files.read(path)
            continue
        with pytest.raises(FormatError) as caught:
            files.read(path)
        assert caught.value.rule == rule, path
        assert caught.value.line is not None
    assert len(milps) > 100
    return milps


def test_write_and_read_gives_the_same_bits(readable: dict[str, Milp]) -> None:
    for name, milp in readable.items():
        text = mps.dumps(milp)
        again = mps.loads(text)
        assert not differing_fields(milp, again), name
        assert mps.dumps(again) == text, name


def test_lp_files_give_the_same_bits(readable: dict[str, Milp]) -> None:
    for name, milp in readable.items():
        if milp.n_nonzeros < 10_000:
            text = lp.dumps(milp)
            again = lp.loads(text)
            assert not differing_fields(milp, again), name
            assert lp.dumps(again) == text, name


def test_nurse_scheduling_keeps_every_bit(shared_data: Path, tmp_path: Path) -> None:
    milp = files.read(shared_data / "nurse" / "nursesched-medium04.mps.gz")
    assert (milp.n_rows, milp.n_cols, milp.n_nonzeros) == (8668, 29667, 587990 + 33839)
    files.write_file(milp, tmp_path / "a.mps.gz")
    again = files.read(tmp_path / "a.mps.gz")
    assert not differing_fields(milp, again)
    files.write_file(again, tmp_path / "b.mps.gz")
    assert (tmp_path / "a.mps.gz").read_bytes() == (tmp_path / "b.mps.gz").read_bytes()


def read_by_highs(path: Path) -> Milp:
    import highspy

    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("small_matrix_value", 1e-12)
    assert model.readModel(str(path)) != highspy.HighsStatus.kError, path
    return from_highs(model)


def disagreements(ours: Milp, theirs: Milp, *, names: bool) -> list[str]:
    """Fields that differ, apart from the name of the instance and of its objective."""
    ignored = {"name", "objective_name"} | (set() if names else {"row_names", "col_names"})
    return [field for field in differing_fields(ours, theirs) if field not in ignored]


def test_the_files_mean_what_highs_reads(readable: dict[str, Milp], shared_data: Path) -> None:
    for name, milp in readable.items():
        if any(name.endswith(known) for known in DIFFERENCES):
            continue
        unnamed = name.endswith(".lp")  # HiGHS names unnamed rows in its own way
        found = disagreements(milp, read_by_highs(shared_data / name), names=not unnamed)
        assert not found, f"{name}: {found}"


def test_free_rows_are_all_that_highs_drops(shared_data: Path) -> None:
    for name in DIFFERENCES:
        if not name.startswith("miplib3/"):
            continue
        ours, theirs = files.read(shared_data / name), read_by_highs(shared_data / name)
        kept = np.not_equal(ours.senses, RowSense.FREE)
        assert theirs.n_rows == kept.sum() < ours.n_rows
        matrix, other = ours.matrix()[kept], theirs.matrix()
        assert (matrix != other).nnz == 0
        assert np.array_equal(ours.row_lower[kept], theirs.row_lower)
        assert np.array_equal(ours.row_upper[kept], theirs.row_upper)
        for field in ("objective", "col_lower", "col_upper", "kinds", "col_names", "offset"):
            assert np.array_equal(getattr(ours, field), getattr(theirs, field)), field


def test_highs_reads_our_files_as_we_do(readable: dict[str, Milp], tmp_path: Path) -> None:
    path = tmp_path / "ours.mps"
    for name, milp in readable.items():
        if np.any(np.equal(milp.senses, RowSense.FREE)):
            continue
        path.write_bytes(mps.dumps(milp))
        found = disagreements(milp, read_by_highs(path), names="silly-names" not in name)
        assert not found, f"{name}: {found}"


def test_scip_reads_our_files_as_we_do(readable: dict[str, Milp], tmp_path: Path) -> None:
    pyscipopt = pytest.importorskip("pyscipopt")
    path = tmp_path / "ours.mps"
    compared = 0
    for name, milp in readable.items():
        semi = np.any(milp.kinds > 1)
        free = np.any(np.equal(milp.senses, RowSense.FREE))
        tiny = milp.n_nonzeros and np.abs(milp.values).min() < 1e-9
        if semi or free or tiny or milp.n_nonzeros > 5000 or not milp.n_rows:
            continue
        path.write_bytes(mps.dumps(milp))
        model = pyscipopt.Model()
        model.hideOutput()
        model.readProblem(str(path))
        found = disagreements(milp, from_scip(model), names="silly-names" not in name)
        assert not found, f"{name}: {found}"
        compared += 1
    assert compared > 30


def test_highs_reads_our_lp_files(readable: dict[str, Milp], tmp_path: Path) -> None:
    """Ranges are two rows for HiGHS, so only instances without them are compared whole."""
    path = tmp_path / "ours.lp"
    for name, milp in readable.items():
        if np.any(np.equal(milp.senses, RowSense.RANGE)) or milp.n_nonzeros > 10_000:
            continue
        path.write_bytes(lp.dumps(milp))
        found = disagreements(milp, read_by_highs(path), names=False)
        assert not found, f"{name}: {found}"


def test_two_bounds_are_read_as_highs_or_as_scip_on_request(shared_data: Path) -> None:
    pyscipopt = pytest.importorskip("pyscipopt")
    path = shared_data / "mipcc23" / "vary_bounds_series_2" / "bnd_s2_i10.mps.gz"
    first = files.read(path, accept=["duplicate-bound=first"])
    last = files.read(path, accept=["duplicate-bound=last"])
    model = pyscipopt.Model()
    model.hideOutput()
    model.readProblem(str(path))
    assert not disagreements(first, read_by_highs(path), names=True)
    assert not disagreements(last, from_scip(model), names=True)
    assert differing_fields(first, last) == ["col_lower", "col_upper"]
    assert "duplicate-bound=last" in last.notes[0]
    assert not differing_fields(last, mps.loads(mps.dumps(last)))


def test_accepted_files_keep_every_bit(shared_data: Path) -> None:
    rules = ("open-marker", "semi-integer-marker", "fortran-exponent")
    accepted = 0
    for path in small(shared_data):
        if expected_rule(path) in rules and path.suffix != ".lp":
            milp = files.read(path, accept=rules)
            assert milp.notes
            assert not differing_fields(milp, mps.loads(mps.dumps(milp)))
            accepted += 1
    assert accepted == 7
