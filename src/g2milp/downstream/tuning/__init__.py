"""Solver tuning: do choices made with generated instances transfer better to unseen real ones."""
