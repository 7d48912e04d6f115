"""A local site about a run: explore its strategy, and search, in a browser."""
