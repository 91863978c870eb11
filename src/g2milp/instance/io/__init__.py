"""Model files: an exact reader and writer for MPS and LP."""
