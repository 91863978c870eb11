"""What the numbers of a family look like, learned a group at a time: whole, signed, bounded."""
