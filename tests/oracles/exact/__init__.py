"""Exact answers of whole games: deals listed, matrices, or all that is left solved."""
