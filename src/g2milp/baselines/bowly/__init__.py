"""Bowly's generator: instances with a planted optimal basis and a degree-controlled matrix."""
