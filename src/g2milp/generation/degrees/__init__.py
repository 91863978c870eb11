"""New degrees for masked rows and the columns in them, where a family's degrees are free."""
