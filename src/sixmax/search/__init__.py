"""Real-time search: a public state and beliefs become a strategy for every hand."""
