"""One small lab for all tests of this room."""

from __future__ import annotations

from dataclasses import replace

import pytest

from g2milp.experiments.lab import Lab
from g2milp.experiments.scales import SMOKE


@pytest.fixture
def lab(tmp_path) -> Lab:
    """Without learned generators: those are in the smoke run."""
    return Lab(folder=tmp_path / "lab", scale=replace(SMOKE, generated=4), solver="highs")
