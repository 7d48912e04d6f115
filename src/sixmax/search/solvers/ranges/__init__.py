"""Two players to the end of the hand, with all hands at once."""
