"""Generating into a folder: resumable, parallel, in shards, the same bytes whatever happens.

    new/<template>-<number>.mps.gz [.sol]     the instances, each written atomically
    new/manifest.jsonl                        written when all are there
    new/.generation/settings.json             what was asked for: the same again continues
    new/.generation/blocks/<number>.jsonl     a finished block; gone when the manifest is written
    new/.generation/blocks/<number>.begun     names of the files of a block that is being written

A block is done when its record is there; a killed process leaves at most one block a worker to be
made again, with the same bytes. Shards may share a folder: whoever finishes the last block writes
the manifest. With ``distinct`` that is also the moment when duplicates among all blocks are
redrawn, in the order of their numbers, exactly as the stream would.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2milp.errors import (
    AlreadyExists,
    DamagedArtifact,
    G2MILPError,
    InputError,
    ItemsFailed,
    OutOfSpace,
    UsageError,
)
from g2milp.execution.shards import WHOLE, Shard
from g2milp.execution.signals import stop_on_signals
from g2milp.generation.anonymous import anonymous, key_of, untelling, write_key
from g2milp.generation.folder import fingerprint
from g2milp.generation.integrity import read_json_object
from g2milp.generation.options import as_json
from g2milp.generation.stream import blocks
from g2milp.generation.writing import SUFFIX, mark_duplicates, stem_of, write_sample

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from g2milp.generation.contract import Sample
    from g2milp.generation.stream import Session

STATE = ".generation"
BEGUN = ".begun"
"""Ending of the list of a block's files that may be there before its record is."""


@dataclass(frozen=True)
class Outcome:
    """What a call has done: instances finished now and before, and whether the set is complete."""

    folder: Path
    asked: int
    written: int
    found: int
    complete: bool


def generate_folder(
    session: Session,
    n: int,
    folder: str | Path,
    *,
    jobs: int = 1,
    shard: Shard = WHOLE,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Outcome:
    """Write instances 0 … n − 1 (of a shard: its blocks) to a folder; the same call continues."""
    if n < 1:
        raise UsageError(f"n must be at least 1, but is {n}")
    target = Path(folder)
    if not (target / "manifest.jsonl").exists():
        session.check_templates()
    _claim(target, _settings(session, n), overwrite)
    state = target / STATE
    every = list(blocks(n))
    if (target / "manifest.jsonl").exists():
        _clean(state)
        return Outcome(target, n, 0, n, True)
    (state / "blocks").mkdir(parents=True, exist_ok=True)
    mine = list(shard.of(every))
    todo = [numbers for numbers in mine if not _block_file(state, numbers).exists()]
    found = sum(map(len, mine)) - sum(map(len, todo))
    if progress is not None and found:
        progress(found)
    written, failures = 0, []
    with stop_on_signals():
        for numbers, reason in _each_block(session, target, todo, jobs):
            if reason is None:
                written += len(numbers)
                if progress is not None:
                    progress(len(numbers))
            else:
                failures.append((f"instances {numbers[0]}–{numbers[-1]}", reason))
        if failures:
            raise ItemsFailed(f"{len(failures)} of {len(todo)} blocks failed", failures)
        complete = all(_block_file(state, numbers).exists() for numbers in every)
        if complete:
            _finish(session, target, every)
    return Outcome(target, n, written, found, complete)


def write_block(session: Session, folder: Path, numbers: range) -> None:
    """Make and write one block; its record comes last and says that it is done."""
    from g2milp.datasets.manifest import manifest_line
    from g2milp.instance.io.atomic import write_bytes

    if session.options.certify is not None:
        session.certifier.points.folder = folder / STATE / "points"
    finished = [_finished(session, sample) for sample in session.block(numbers)]
    record_file = _block_file(folder / STATE, numbers)
    begun = record_file.with_suffix(BEGUN)
    stems = "".join(f"{stem_of(sample)}\n" for sample, _ in finished)
    write_bytes(begun, stems.encode(), overwrite=True)
    records = [_written(sample, key, folder) for sample, key in finished]
    content = b"".join(manifest_line(record) for record in records)
    write_bytes(record_file, content, overwrite=True)
    begun.unlink(missing_ok=True)


def _finished(session: Session, sample: Sample) -> tuple[Sample, dict[str, Any] | None]:
    """A sample as it is written, and the key of an anonymous one."""
    if not session.anonymise:
        return sample, None
    hidden, key = anonymous(sample, session.seed)
    return hidden, key_of(sample, key)


def _written(sample: Sample, key: dict[str, Any] | None, folder: Path) -> dict[str, Any]:
    """Write one instance; the key of an anonymous one goes beside the folder, not into it."""
    if key is not None:
        write_key(key, folder, stem_of(sample))
    return write_sample(sample, folder, overwrite=True)


def _each_block(
    session: Session, target: Path, todo: Sequence[range], jobs: int
) -> Iterator[tuple[range, str | None]]:
    """Blocks as they end, each with the reason why it failed, or None."""
    if jobs > 1 and len(todo) > 1:
        from g2milp.generation.workers import blocks_in_workers

        yield from blocks_in_workers(session, target, todo, min(jobs, len(todo)))
        return
    for numbers in todo:
        try:
            write_block(session, target, numbers)
        except (OutOfSpace, UsageError, InputError):
            raise
        except G2MILPError as error:
            yield numbers, str(error)
        else:
            yield numbers, None


def _settings(session: Session, n: int) -> dict[str, Any]:
    """All that decides the bytes."""
    from g2milp import __version__

    solutions = session.solutions_digest
    return {
        "schema_version": 1,
        "g2milp": __version__,
        "n": n,
        "seed": session.seed,
        "options": as_json(session.options),
        "generator": {
            "kind": session.generator.kind,
            "fingerprint": fingerprint(session.generator),
        },
        "templates": session.templates.hash,
        "solutions": solutions,
        "anonymise": session.anonymise,
    }


def _claim(target: Path, settings: dict[str, Any], overwrite: bool) -> None:
    """Take the folder: new, or the same run continued; anything else is refused."""
    from g2milp.instance.io.atomic import write_json

    path = target / STATE / "settings.json"
    if target.exists() and not target.is_dir():
        raise UsageError(f"{target} is a file; instances are written to a folder")
    if path.exists():
        before = read_json_object(path)
        different = _different(before, json.loads(json.dumps(settings)))
        if not different:
            return
        if not overwrite and _has_work(target):
            raise AlreadyExists(
                f"{target} holds a run with other settings ({', '.join(different)})",
                hint="Give another folder, the same settings to continue, or --overwrite.",
            )
    elif target.is_dir() and any(target.iterdir()) and not overwrite:
        raise AlreadyExists(
            f"{target} is not empty and was not made by this command",
            hint="Give a new folder, or --overwrite to replace what its manifest lists.",
        )
    _remove_old(target)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, settings, overwrite=True)


def _different(before: dict[str, Any], now: dict[str, Any]) -> list[str]:
    """Names of the settings that differ; options by their own names."""
    found = []
    for key in sorted({*before, *now}):
        old, new = before.get(key), now.get(key)
        if key in ("options", "extra") and isinstance(old, dict) and isinstance(new, dict):
            found += _different(old, new)
        elif old != new:
            found.append(key)
    return found


def _has_work(target: Path) -> bool:
    """Whether an earlier run has finished anything that another one would replace."""
    blocks = target / STATE / "blocks"
    return (target / "manifest.jsonl").exists() or any(blocks.glob("*.jsonl"))


def _remove_old(target: Path) -> None:
    """Remove what a manifest or block records of ours list, and nothing else."""
    from g2milp.datasets.manifest import read_manifest

    if not target.is_dir():
        return
    state = target / STATE
    records = list(read_manifest(target) or [])
    for path in sorted((state / "blocks").glob("*.jsonl")):
        records += _read_block(path)
    for record in records:
        claim = record.get("certificate")
        points = claim if isinstance(claim, dict) else {}
        for name in (record["file"], points.get("point_file"), points.get("dual_file")):
            if isinstance(name, str) and Path(name).name == name:
                (target / name).unlink(missing_ok=True)
    for path in sorted((state / "blocks").glob(f"*{BEGUN}")):
        for stem in path.read_text(encoding="utf-8").splitlines():
            if Path(stem).name == stem:
                for suffix in (SUFFIX, ".sol", ".dual.sol"):
                    (target / f"{stem}{suffix}").unlink(missing_ok=True)
    (target / "manifest.jsonl").unlink(missing_ok=True)
    shutil.rmtree(state, ignore_errors=True)


def _finish(session: Session, target: Path, every: Sequence[range]) -> None:
    """All blocks are there: redraw duplicates if asked to, write the manifest, clean up."""
    from g2milp.datasets.manifest import write_manifest

    state = target / STATE
    try:
        records = [r for numbers in every for r in _read_block(_block_file(state, numbers))]
    except FileNotFoundError:
        if (target / "manifest.jsonl").exists():  # another shard has just finished the run
            return
        raise
    if session.options.distinct:
        records = _distinct(session, target, records)
    records = mark_duplicates(records)
    if session.anonymise:
        records = [untelling(record) for record in records]
    write_manifest(target, records, overwrite=True)
    _clean(state)


def _distinct(
    session: Session, target: Path, records: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    taken: set[str] = set()
    result = []
    for record in records:
        if record["structure_hash"] in taken:
            first = session.samples([record["number"]], record["attempt"] + 1)[0]
            sample: Sample = session.until_new(first, taken)
            record = _written(*_finished(session, sample), target)
        taken.add(record["structure_hash"])
        result.append(record)
    return result


def _block_file(state: Path, numbers: range) -> Path:
    return state / "blocks" / f"{numbers[0]:07d}.jsonl"


def _read_block(path: Path) -> list[dict[str, Any]]:
    try:
        records = [json.loads(line) for line in path.read_bytes().splitlines()]
    except ValueError as error:
        raise DamagedArtifact(path, f"no JSON ({error})", hint="Remove this file.") from error
    for record in records:
        record.pop("schema_version", None)
    return records


def _clean(state: Path) -> None:
    for path in (state / "blocks", state / "points", *state.glob("prepared-*")):
        shutil.rmtree(path, ignore_errors=True)
