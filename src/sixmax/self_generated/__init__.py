"""Values at the end of the first round by strategies that the opponent finds for itself."""
