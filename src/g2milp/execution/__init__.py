"""Where many tasks run, and the ledger that loses none of them."""
