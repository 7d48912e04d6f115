"""A deck of 24 cards, 20 bins, 4 clusters of opponents and 12 buckets, for these tests."""

from sixmax.abstraction import buckets

RANKS, BINS, CLUSTERS, BUCKETS = 6, 20, 4, 12


def cluster(folder, out, name, count=BUCKETS, seed=1, ranks=RANKS):
    buckets.make(name, folder, out, ranks, count, 4000, 2, 50, seed)
