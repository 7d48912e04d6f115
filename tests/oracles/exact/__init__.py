"""Exact answers of whole games, by listing deals, by matrices or by solving all that is left."""
