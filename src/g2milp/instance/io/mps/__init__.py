"""MPS, fixed and free form: an exact reader and writer."""

from g2milp.instance.io.mps.reader import loads
from g2milp.instance.io.mps.writer import dumps

__all__ = ["dumps", "loads"]
