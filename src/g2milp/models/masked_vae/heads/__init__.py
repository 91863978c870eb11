"""The predictors of the decoder: numbers, pairs of row and column, columns."""
