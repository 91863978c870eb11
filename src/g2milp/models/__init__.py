"""The networks."""
