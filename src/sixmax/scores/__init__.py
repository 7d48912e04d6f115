"""Scores with intervals; no poker."""
