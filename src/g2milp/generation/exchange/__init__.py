"""Degree-preserving exchanges under the invariants of a family."""
