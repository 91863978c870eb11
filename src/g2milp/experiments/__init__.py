"""Every table and figure of the paper as one command, our numbers beside the published ones."""
