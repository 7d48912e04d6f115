"""Several values at a leaf: depth-limited solving of the Modicum paper on exact games."""
