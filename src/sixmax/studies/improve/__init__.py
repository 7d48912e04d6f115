"""The self-improver of Libratus: branches for bets of opponents that the blueprint lacks."""
