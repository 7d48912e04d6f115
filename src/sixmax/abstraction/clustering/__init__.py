"""k-means, earth mover's distance and optimal transport."""
