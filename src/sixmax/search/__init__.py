"""Real-time search: a strategy for the subgame that begins with the current betting round."""
