"""One kind of figure a file, drawn as SVG by hand: small, sharp in print, without any library."""
