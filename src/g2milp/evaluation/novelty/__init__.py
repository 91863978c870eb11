"""How new instances are, and what they disclose."""
