"""The layers that the networks are made of."""
