"""The experiments of the Libratus paper, on games small enough to be judged exactly."""
