"""One face for HiGHS, SCIP and Gurobi."""
