"""Ordered, named collections of instances."""
