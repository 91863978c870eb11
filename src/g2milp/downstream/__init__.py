"""What instances are for: predicting the optimum, predict-and-search, tuning a solver.

Each task answers one question about generated instances: does it pay to add them to real ones? It
is run with and without them, several times with other seeds, and every number is kept.
"""
