"""Spots of a run: their addresses, the way to them, strategies and searches there."""
