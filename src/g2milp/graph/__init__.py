"""The bipartite tensor view of instances."""
