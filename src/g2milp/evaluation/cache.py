"""Profiles that were computed before: an append-only file, one JSON line an instance.

The key is the SHA-256 of the model file's bytes, so a changed file is another instance. A line that
does not parse (cut by a crash, written by another version) is passed over: a cache only saves time.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from g2milp.errors import UnreadableFile
from g2milp.evaluation.profile import Profile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

FILE_NAME = "profiles.jsonl"


class ProfileCache:
    """The cache in one folder; `add` writes through."""

    def __init__(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UnreadableFile(folder, error.strerror or str(error)) from error
        self._path = folder / FILE_NAME
        self._writes = True
        self._known: dict[str, Profile] = {}
        self._keys: dict[Path, str] = {}
        if self._path.is_file():
            with self._path.open(encoding="utf-8") as lines:
                for line in lines:
                    self._remember(line)

    def find(self, path: Path, names: Sequence[str]) -> Profile | None:
        """The profile of a file if all of these statistics are known."""
        profile = self._known.get(self._key(path))
        if profile is None or any(name not in profile.statistics for name in names):
            return None
        return profile

    def add(self, path: Path, profile: Profile) -> None:
        """Keep a profile."""
        key = self._key(path)
        self._known[key] = profile
        line = json.dumps({"key": key, **profile.to_json()}, allow_nan=False)
        if not self._writes:
            return
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write("\n" + line + "\n")  # a line that was cut off before stays alone
        except OSError:
            self._writes = False  # a full disk costs the cache, not the evaluation

    def _key(self, path: Path) -> str:
        if path not in self._keys:
            with path.open("rb") as file:
                self._keys[path] = hashlib.file_digest(file, "sha256").hexdigest()
        return self._keys[path]

    def _remember(self, line: str) -> None:
        if not line.strip():
            return
        try:
            value = json.loads(line)
            self._known[str(value["key"])] = Profile.from_json(value)
        except (KeyError, TypeError, ValueError, AttributeError):
            return
