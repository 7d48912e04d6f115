"""What a run will cost: rows, memory, disk and time of each stage, before anything runs."""
