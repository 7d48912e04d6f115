"""Commands that play hands or decide in one: people, agents, search."""
