"""Matches: duplicate in kernels, and hand by hand."""
