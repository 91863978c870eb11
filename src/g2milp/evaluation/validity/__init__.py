"""Whether instances are feasible and bounded."""
