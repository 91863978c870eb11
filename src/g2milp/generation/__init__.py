"""The Generator contract, G2MILP, the mask-and-regenerate loop, certificates, writing."""
