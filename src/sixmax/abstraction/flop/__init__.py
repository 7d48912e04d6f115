"""The buckets of the later rounds of one flop."""
