"""A learned value of the leaves of a search, in the place of roll-outs."""
