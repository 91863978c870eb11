"""One MILP: held, read, written, checked, edited."""
