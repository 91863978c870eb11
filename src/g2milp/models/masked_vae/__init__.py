"""The paper's masked variational autoencoder."""
