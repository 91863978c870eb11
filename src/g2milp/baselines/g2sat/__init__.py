"""G2SAT, adapted from formulas to MILPs: clauses are constraints, literals are variables."""
