"""Textbook families that make instances from a seed."""
