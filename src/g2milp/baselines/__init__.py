"""Generators to compare with, behind the same contract."""
