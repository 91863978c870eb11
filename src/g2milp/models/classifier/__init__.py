"""A network that tells whole instances apart: generated from real."""
