"""The generator contract as checks that run: what `testing.check_generator` calls.

Each check is a function of a `Case` whose first line says what must hold. They use nothing but the
public face of a generator, so that anything that passes can stand in every table and command.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from g2milp.errors import AlreadyExists, DamagedArtifact, G2MILPError, NotFitted, UsageError
from g2milp.instance.milp import Milp, differing_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from g2milp.generation.contract import Generator, Sample, Scope

RECORD_KEYS = ("number", "generator", "parent", "seed", "options", "masked_rows", "structure_hash")


@dataclass(frozen=True, eq=False)
class Case:
    """A way to make unfitted generators, training data, and a fitted one to look at."""

    make: Callable[[], Generator]
    data: Sequence[Milp]
    fitted: Generator

    def samples(self, n: int = 3, *, seed: int = 5, **options: Any) -> list[Sample]:
        """Samples of the fitted generator, with records."""
        return list(self.fitted.sample_iter(n, seed=seed, **options))


def refuses_to_work_before_fit(case: Case) -> None:
    """`sample` and `save` before `fit` raise NotFitted."""
    generator = case.make()
    assert not generator.is_fitted
    _raises(NotFitted, lambda: generator.sample(1))
    with tempfile.TemporaryDirectory() as folder:
        _raises(NotFitted, lambda: generator.save(Path(folder) / "model"))


def refuses_empty_data(case: Case) -> None:
    """There is nothing to learn from an empty data set."""
    _raises(UsageError, lambda: case.make().fit([]))


def fit_returns_itself(case: Case) -> None:
    """`fit` returns the generator, which is fitted then."""
    generator = case.make()
    assert generator.fit(case.data) is generator
    assert generator.is_fitted


def fit_is_repeatable(case: Case) -> None:
    """Two fits with the same seed learn the same."""
    from g2milp.generation.folder import fingerprint

    assert fingerprint(case.make().fit(case.data)) == fingerprint(case.make().fit(case.data))


def leaves_the_data_alone(case: Case) -> None:
    """Training instances are the same bits after fitting and sampling."""
    from g2milp.instance.fingerprint import content_hash

    before = [content_hash(milp) for milp in case.data]
    case.make().fit(case.data).sample(2, seed=1)
    assert [content_hash(milp) for milp in case.data] == before


def gives_as_many_as_asked(case: Case) -> None:
    """`sample(n)` gives n instances, 0 included; a negative n is refused."""
    made = case.fitted.sample(3, seed=0)
    assert len(made) == 3
    assert all(isinstance(milp, Milp) for milp in made)
    assert len(case.fitted.sample(0)) == 0
    _raises(UsageError, lambda: case.fitted.sample(-1))


def same_seed_same_bits(case: Case) -> None:
    """The same seed gives the same instances, bit for bit."""
    first, second = case.samples(), case.samples()
    assert all(a.milp == b.milp for a, b in zip(first, second, strict=True))
    assert [a.record for a in first] == [b.record for b in second]


def other_seed_other_instances(case: Case) -> None:
    """Another seed gives other instances, unless the generator only copies."""
    if case.fitted.kind == "copy":
        return
    first, second = case.samples(4, seed=1), case.samples(4, seed=2)
    assert any(a.milp != b.milp for a, b in zip(first, second, strict=True))


def number_k_depends_on_k_alone(case: Case) -> None:
    """Asking for more instances does not change the first ones."""
    few, many = case.samples(2), case.samples(5)
    assert all(a.milp == b.milp for a, b in zip(few, many, strict=False))


def uses_no_global_numpy_state(case: Case) -> None:
    """Neither reads nor moves NumPy's global random state."""
    kept = np.random.get_state()  # noqa: NPY002
    try:
        np.random.seed(1)  # noqa: NPY002
        first = case.samples()
        after = np.random.get_state()[1].tolist()  # type: ignore[index]  # noqa: NPY002
        np.random.seed(1)  # noqa: NPY002
        assert np.random.get_state()[1].tolist() == after  # type: ignore[index]  # noqa: NPY002
        np.random.seed(2)  # noqa: NPY002
        second = case.samples()
    finally:
        np.random.set_state(kept)  # noqa: NPY002
    assert all(a.milp == b.milp for a, b in zip(first, second, strict=True))


def uses_no_global_torch_state(case: Case) -> None:
    """Neither reads nor moves torch's global random state, where torch is installed."""
    try:
        import torch
    except ImportError:
        return
    with torch.random.fork_rng():
        torch.manual_seed(1)
        before = torch.random.get_rng_state()
        first = case.samples()
        assert torch.equal(torch.random.get_rng_state(), before)
        torch.manual_seed(2)
        second = case.samples()
    assert all(a.milp == b.milp for a, b in zip(first, second, strict=True))


def refuses_impossible_mask_ratios(case: Case) -> None:
    """η outside [0, 1], or not a number, is refused."""
    for ratio in (-0.1, 1.1, float("nan")):
        _raises(UsageError, partial(case.fitted.sample, 1, mask_ratio=ratio))


def refuses_unknown_options(case: Case) -> None:
    """A misspelt option is an error, never ignored."""
    _raises(UsageError, lambda: case.fitted.sample(1, maskratio=0.1))


def refuses_scopes_it_cannot_redraw(case: Case) -> None:
    """A scope that is not listed in `scopes` is refused, one that is listed works."""
    scopes: tuple[Scope, ...] = ("rows", "cols", "both")
    for scope in scopes:
        if scope in case.fitted.scopes:
            assert len(case.fitted.sample(1, scope=scope)) == 1
        else:
            _raises(UsageError, partial(case.fitted.sample, 1, scope=scope))


def nothing_masked_nothing_changed(case: Case) -> None:
    """η = 0 gives back templates, bit for bit."""
    if not case.fitted.edits_templates:
        return
    for milp in case.fitted.sample(3, mask_ratio=0.0):
        assert any(milp == known for known in case.data)


def masks_exactly_eta_rows(case: Case) -> None:
    """Exactly round(η · rows) rows are masked, and no other row changes by a bit."""
    if not case.fitted.edits_templates or "rows" not in case.fitted.scopes:
        return
    for ratio in (0.05, 0.3, 1.0):
        for sample in case.samples(2, mask_ratio=ratio, scope="rows"):
            template = _template_of(case, sample)
            constraining = int((template.senses != 4).sum())
            assert sample.record["masked_rows"] == round(ratio * constraining)
            changed = sum(_row(sample.milp, i) != _row(template, i) for i in range(template.n_rows))
            assert changed <= sample.record["masked_rows"]


def keeps_what_rows_do_not_touch(case: Case) -> None:
    """Scope rows keeps names, objective, columns, sense, offset, and the sense of every row."""
    if not case.fitted.edits_templates or "rows" not in case.fitted.scopes:
        return
    touched = {"row_lower", "row_upper", "indptr", "indices", "values"}
    for sample in case.samples(3, mask_ratio=0.5, scope="rows"):
        template = _template_of(case, sample)
        assert set(differing_fields(sample.milp, template)) <= touched
        assert np.array_equal(sample.milp.senses, template.senses)


def obeys_orders(case: Case) -> None:
    """All three orders work and are recorded."""
    for order in ("uniform", "ascending", "descending"):
        (sample,) = case.samples(1, order=order)
        assert sample.record["options"]["order"] == order


def writes_sound_instances(case: Case) -> None:
    """What is made can be written and read back as the same instance."""
    from g2milp.instance.io.mps import dumps, loads

    for sample in case.samples(2, mask_ratio=0.5):
        sample.milp.check_numbers()
        assert loads(dumps(sample.milp)) == sample.milp


def records_are_json(case: Case) -> None:
    """The manifest's records hold JSON values and say where an instance comes from."""
    for sample in case.samples(2):
        assert json.loads(json.dumps(sample.record, allow_nan=False)) == sample.record
        assert all(key in sample.record for key in RECORD_KEYS)
        assert sample.record["generator"] == case.fitted.kind


def templates_can_be_given(case: Case) -> None:
    """`templates` replaces the training set as the place to start from."""
    given = case.data[:1]
    made = list(case.fitted.sample_iter(3, seed=0, templates=given))
    assert len({sample.template_name for sample in made}) == 1


def sampling_is_lazy(case: Case) -> None:
    """`sample_iter` makes instances as they are asked for."""
    endless = case.fitted.sample_iter(10**9, seed=0)
    assert isinstance(next(iter(endless)).milp, Milp)


def survives_saving(case: Case) -> None:
    """A saved and loaded generator makes the same instances, with the same defaults."""
    with tempfile.TemporaryDirectory() as folder:
        case.fitted.save(Path(folder) / "model")
        loaded = type(case.fitted).load(Path(folder) / "model")
        assert loaded.options() == case.fitted.options()
        again = [sample.milp for sample in loaded.sample_iter(3, seed=5)]
    assert all(a.milp == b for a, b in zip(case.samples(), again, strict=True))


def does_not_overwrite(case: Case) -> None:
    """Saving where a model is refuses, unless told to overwrite."""
    with tempfile.TemporaryDirectory() as folder:
        case.fitted.save(Path(folder) / "model")
        _raises(AlreadyExists, lambda: case.fitted.save(Path(folder) / "model"))
        case.fitted.save(Path(folder) / "model", overwrite=True)


def refuses_damaged_folders(case: Case) -> None:
    """One flipped bit in any file, or a missing one, and nothing is loaded."""
    with tempfile.TemporaryDirectory() as root:
        folder = Path(root) / "model"
        case.fitted.save(folder, templates=False)
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            sound = path.read_bytes()
            middle = len(sound) // 2
            for damaged in (sound[:middle], _flipped(sound, middle)):
                path.write_bytes(damaged)
                _raises(DamagedArtifact, lambda: type(case.fitted).load(folder))
            path.write_bytes(sound)
        type(case.fitted).load(folder)


def works_without_its_templates(case: Case) -> None:
    """An export without templates loads, and works with given ones."""
    with tempfile.TemporaryDirectory() as folder:
        case.fitted.save(Path(folder) / "model", templates=False)
        loaded = type(case.fitted).load(Path(folder) / "model")
        if loaded.needs_templates:
            _raises(G2MILPError, lambda: loaded.sample(1))
        assert len(loaded.sample(2, templates=case.data)) == 2


CHECKS = (
    refuses_to_work_before_fit,
    refuses_empty_data,
    fit_returns_itself,
    fit_is_repeatable,
    leaves_the_data_alone,
    gives_as_many_as_asked,
    same_seed_same_bits,
    other_seed_other_instances,
    number_k_depends_on_k_alone,
    uses_no_global_numpy_state,
    uses_no_global_torch_state,
    refuses_impossible_mask_ratios,
    refuses_unknown_options,
    refuses_scopes_it_cannot_redraw,
    nothing_masked_nothing_changed,
    masks_exactly_eta_rows,
    keeps_what_rows_do_not_touch,
    obeys_orders,
    writes_sound_instances,
    records_are_json,
    templates_can_be_given,
    sampling_is_lazy,
    survives_saving,
    does_not_overwrite,
    refuses_damaged_folders,
    works_without_its_templates,
)


def _raises(expected: type[Exception], call: Callable[[], object]) -> None:
    try:
        call()
    except expected:
        return
    raise AssertionError(f"{expected.__name__} was not raised")


def _template_of(case: Case, sample: Sample) -> Milp:
    known = case.fitted.templates_
    assert known is not None
    return known[known.names.index(sample.template_name)]


def _row(milp: Milp, i: int) -> tuple[bytes, ...]:
    cols, values = milp.row(i)
    sides = (milp.row_lower[i].tobytes(), milp.row_upper[i].tobytes())
    return (cols.tobytes(), values.tobytes(), *sides)


def _flipped(data: bytes, at: int) -> bytes:
    if not data:
        return b"\0"
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
