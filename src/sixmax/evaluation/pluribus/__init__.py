"""Beside Pluribus: its frequencies and the decisions of its hands."""
