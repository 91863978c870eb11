"""New numbers for masked rows: learned distributions of sides and coefficients, drawn from."""
