"""The solvers of a subgame."""
