"""Proofs of feasibility and boundedness that travel with an instance, and their verifier."""
