"""The known games: a file each."""
