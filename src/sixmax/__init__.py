"""sixmax: from a deck of cards to a six-player no-limit hold'em strategy."""
