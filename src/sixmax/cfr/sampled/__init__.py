"""Monte Carlo CFR: the blueprint's training."""
