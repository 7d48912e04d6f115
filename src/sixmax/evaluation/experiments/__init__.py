"""The paper's 1 + 5 and 5 + 1."""
