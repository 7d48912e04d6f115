"""Commands about a run as a whole: its cost ahead, its report, the file to take home."""
