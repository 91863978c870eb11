"""Scores that can be trusted: versioned suites of metrics."""
