"""Distances between two samples of one statistic."""
