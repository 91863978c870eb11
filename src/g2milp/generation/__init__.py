"""New instances: the contract, the loop, certificates, folders."""
