"""How hard instances are, from ledgers."""
