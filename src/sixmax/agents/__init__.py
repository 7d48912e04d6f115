"""Agents: policies in kernels, players hand by hand."""
