"""What the instances are for."""
