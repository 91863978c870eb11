"""What tells real arrangements of entries from exchanged ones, learned by contrast."""
