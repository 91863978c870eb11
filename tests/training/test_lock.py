"""One writer a run folder."""

from __future__ import annotations

import pytest

from g2milp.errors import AlreadyExists
from g2milp.training.lock import LOCK_NAME, run_lock


def test_a_second_writer_is_refused_and_told_who_writes(tmp_path) -> None:
    with run_lock(tmp_path), pytest.raises(AlreadyExists, match="process"), run_lock(tmp_path):
        pass
    with run_lock(tmp_path):
        assert (tmp_path / LOCK_NAME).exists()
    assert not (tmp_path / LOCK_NAME).exists()


def test_a_lock_file_that_a_dead_process_left_does_not_lock(tmp_path) -> None:
    (tmp_path / LOCK_NAME).write_text("process 1 on nowhere\n")
    with run_lock(tmp_path):
        pass
