"""Commands that measure: matches, experiments, the gain of search, distance to equilibrium."""
