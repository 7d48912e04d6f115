"""Real-time search: from a public state and beliefs to a strategy for every hand held."""
