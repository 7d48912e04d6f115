"""AIVAT: luck taken off a result."""
