"""Runs to take home: a run in one file, with all that play and search need, and a card."""
