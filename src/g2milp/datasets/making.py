"""A folder of textbook instances: `n` files and a manifest, made by several processes.

Every file depends on the family, its parameters, the seed and its own number only, so the bytes do
not depend on the number of processes nor on interruptions. The same call continues what an earlier
one began; more instances of the same settings can be added later.
"""

from __future__ import annotations

import json
import multiprocessing
import re
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from g2milp import __version__
from g2milp.datasets.manifest import MANIFEST_NAME, Record, read_manifest, write_manifest
from g2milp.datasets.members import is_model_file
from g2milp.errors import AlreadyExists, DamagedArtifact, G2MILPError, UnreadableFile, UsageError
from g2milp.instance.fingerprint import content_hash
from g2milp.problems.registry import make_nth, problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

BEGUN_NAME = ".g2milp-making.json"
"""What an unfinished folder is being made with; removed when the manifest is written."""

CHUNK = 8


@dataclass(frozen=True, kw_only=True)
class Made:
    """What a call of `make_folder` did: how many instances it wrote, and found there."""

    folder: Path
    written: int
    found: int


@dataclass(frozen=True, kw_only=True)
class _Plan:
    problem: str
    seed: int
    settings: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {
            "problem": self.problem,
            "seed": self.seed,
            "settings": self.settings,
            "g2milp": __version__,
        }

    def file_name(self, k: int) -> str:
        return f"{self.problem}-{k + 1:05d}.mps.gz"


def make_folder(
    name: str,
    n: int,
    seed: int,
    out: str | Path,
    *,
    params: dict[str, Any] | None = None,
    jobs: int = 1,
    overwrite: bool = False,
    advance: Callable[[int], None] | None = None,
) -> Made:
    """Make instances 1..n of a seed as ``.mps.gz`` files in `out`, and their manifest.

    `advance` is called with the number of instances that were finished since the last call.
    """
    if n < 1:
        raise UsageError(f"n must be at least 1, not {n}")
    if jobs < 1:
        raise UsageError(f"jobs must be at least 1, not {jobs}")
    if seed < 0:
        raise UsageError(f"seed must not be negative, not {seed}")
    parameters = problem(name).parameters.of(**(params or {}))
    plan = _Plan(problem=name, seed=seed, settings=parameters.as_dict())
    folder = _begun(Path(out), plan, n, overwrite=overwrite)
    records = read_manifest(folder) or []
    done = {record["file"]: record for record in records if (folder / record["file"]).is_file()}
    todo = [k for k in range(n) if plan.file_name(k) not in done]
    found = n - len(todo)
    written = 0
    if advance and found:
        advance(found)
    for record, is_new in _made(plan, folder, todo, jobs):
        done[record["file"]] = record
        written += is_new
        found += not is_new
        if advance:
            advance(1)
    if todo:
        write_manifest(folder, (done[plan.file_name(k)] for k in range(n)), overwrite=True)
    (folder / BEGUN_NAME).unlink(missing_ok=True)
    return Made(folder=folder, written=written, found=found)


def _made(plan: _Plan, folder: Path, todo: list[int], jobs: int) -> Iterator[tuple[Record, bool]]:
    """Records of the instances of these numbers, in order, and whether the file is new."""
    if jobs == 1 or len(todo) <= CHUNK:
        yield from _chunk(plan, folder, todo)
        return
    chunks = [todo[i : i + CHUNK] for i in range(0, len(todo), CHUNK)]
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(chunks)), mp_context=context) as pool:
        futures = [pool.submit(_chunk_list, plan, folder, chunk) for chunk in chunks]
        try:
            for future in futures:
                yield from future.result()
        except BrokenProcessPool as error:
            raise G2MILPError(
                "a worker process was ended from outside, perhaps for lack of memory",
                hint="The same command continues; use fewer --jobs.",
            ) from error
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _chunk_list(plan: _Plan, folder: Path, numbers: list[int]) -> list[tuple[Record, bool]]:
    return list(_chunk(plan, folder, numbers))


def _chunk(plan: _Plan, folder: Path, numbers: Iterable[int]) -> Iterator[tuple[Record, bool]]:
    from g2milp.instance.io.files import write_file

    parameters = problem(plan.problem).parameters.of(**plan.settings)
    for k in numbers:
        milp = make_nth(plan.problem, plan.seed, k, parameters)
        path = folder / plan.file_name(k)
        is_new = not path.exists()
        if is_new:
            write_file(milp, path)
        record = {
            "file": path.name,
            "hash": content_hash(milp),
            "number": k + 1,
            **plan.as_json(),
        }
        yield record, is_new


def _begun(folder: Path, plan: _Plan, n: int, *, overwrite: bool) -> Path:
    """The folder, ready to be filled: new, emptied, or begun earlier with the same settings."""
    from g2milp.instance.io.atomic import write_json

    try:
        folder.mkdir(parents=True, exist_ok=True)
        if overwrite:
            _empty(folder)
        models = [path.name for path in folder.iterdir() if is_model_file(path)]
    except OSError as error:
        raise UnreadableFile(folder, error.strerror or str(error)) from error
    earlier = _earlier(folder)
    if earlier is None:
        if models:
            raise AlreadyExists(
                f"{folder} already holds instances ({models[0]}, …) that were made otherwise",
                hint="Choose another folder.",
            )
        write_json(folder / BEGUN_NAME, plan.as_json())
        return folder
    planned = plan.as_json()
    other = sorted(key for key in planned if earlier.get(key) != planned[key])
    if other:
        told = "; ".join(f"{key}: {earlier.get(key)} there, {planned[key]} now" for key in other)
        raise AlreadyExists(
            f"{folder} was made with other settings ({told})",
            hint="Choose another folder, or use --overwrite.",
        )
    beyond = [name for name in models if _number(name) > n]
    if beyond:
        raise AlreadyExists(
            f"{folder} holds more than {n} instances",
            hint=f"Ask for {max(map(_number, models))} or more, or use --overwrite.",
        )
    if not (folder / BEGUN_NAME).exists() and len(models) < n:
        write_json(folder / BEGUN_NAME, planned)
    return folder


def _earlier(folder: Path) -> dict[str, Any] | None:
    """The settings that the folder was begun or made with; None for a fresh one."""
    path = folder / BEGUN_NAME
    if path.is_file():
        try:
            earlier = json.loads(path.read_bytes()[: 1 << 20])
        except ValueError as error:
            raise DamagedArtifact(path, "it is no JSON", hint="Use --overwrite.") from error
        if not isinstance(earlier, dict):
            raise DamagedArtifact(path, "it is no JSON object", hint="Use --overwrite.")
        return earlier
    records = read_manifest(folder)
    return records[0] if records else None


def _empty(folder: Path) -> None:
    """Remove what `make_folder` writes: its files, the manifest, the notes. Nothing else."""
    for path in folder.iterdir():
        if _number(path.name) or path.name in (MANIFEST_NAME, BEGUN_NAME):
            path.unlink()


def _number(file_name: str) -> int:
    """The number in a file name of ours; 0 for other files."""
    match = re.fullmatch(r"[a-z]+-([0-9]{5,})\.mps\.gz", file_name)
    return int(match[1]) if match else 0
