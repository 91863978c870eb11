"""Statistics of an instance, one a file."""
