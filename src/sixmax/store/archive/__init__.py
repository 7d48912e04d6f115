"""A folder as one file: a zip of its files, and a manifest with size and digest of each."""
