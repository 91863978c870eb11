"""Instances to and from the models of other packages, in memory.

Lossless as far as the other side can hold it; what it cannot hold is an error that says so, never
dropped. The packages are imported when their function is called.
"""

from g2milp.instance.convert.gurobi import from_gurobi, to_gurobi
from g2milp.instance.convert.highs import from_highs, to_highs
from g2milp.instance.convert.linopy import from_linopy, to_linopy
from g2milp.instance.convert.scip import from_scip, to_scip

__all__ = [
    "from_gurobi",
    "from_highs",
    "from_linopy",
    "from_scip",
    "to_gurobi",
    "to_highs",
    "to_linopy",
    "to_scip",
]
