"""Real-time search: beliefs, subgames, their solution, and the agent that plays by them."""
