"""Reference and native implementations of the heavy operations."""
