"""Judges that share no code with ours: the servers of others, and a dealer from a text."""
