"""Optimal value prediction (appendix D.3, after Chen et al. 2023)."""
