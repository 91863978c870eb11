"""Predict-and-search (Han et al. 2023): a predicted point bounds where a solver searches."""
