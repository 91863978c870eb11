"""What is new, what is copied, and what a set discloses about the instances behind it."""
