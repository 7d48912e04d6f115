"""OpenSpiel: its bots at our table, our players and strategies at its tables."""
