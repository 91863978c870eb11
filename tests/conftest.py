"""What all tests share: the folder of real instances, which is optional."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Tests share few cores: one compute thread each, set before anything loads torch or OpenMP.
os.environ.setdefault("OMP_NUM_THREADS", "1")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real instances: ``$G2MILP_SHARED_DATA`` or ``../shared/data`` beside the checkout."""
    default = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("G2MILP_SHARED_DATA", default))
    if not folder.is_dir():
        pytest.skip(f"no real instances at {folder} (set G2MILP_SHARED_DATA)")
    return folder
