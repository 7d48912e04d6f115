"""A deck of 24 cards, 20 bins, 4 clusters of opponents and 12 buckets, for these tests."""

import numpy as np

from sixmax.abstraction import buckets
from sixmax.cards.deck import classes, n_holes
from sixmax.cards.isomorphism import boards

RANKS, BINS, CLUSTERS, BUCKETS = 6, 20, 4, 12


def cluster(folder, out, name, count=BUCKETS, seed=1, ranks=RANKS):
    buckets.make(name, folder, out, ranks, count, 4000, 2, 50, seed)


def numbered(ranks, counts):
    """Buckets that spell out the cell that was read: a different number nearly everywhere."""
    holes, tables = n_holes(ranks), [classes(ranks)[None]]
    for k, count in zip((3, 4, 5), counts, strict=True):
        cells = np.arange(len(boards(ranks, k).count) * holes) * 7919
        tables.append((cells % count).astype(buckets.table_dtype(count)).reshape(-1, holes))
    numbers = np.array([ranks**2, *counts], np.int32)
    return buckets.Buckets(*tables, numbers, np.zeros((4, 1), np.float32))
