"""The cost of a run: rows, memory, disk and time of each stage, before anything runs."""
