"""LP format: a strict reader, and a writer for people."""

from g2milp.instance.io.lp.reader import loads
from g2milp.instance.io.lp.writer import dumps

__all__ = ["dumps", "loads"]
