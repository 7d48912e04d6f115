"""Slow and obvious twins of the kernels of ``sixmax.search``."""

import numpy as np
from scipy.optimize import linprog

from oracles import abstraction, cards


def transport(a, b, distance):
    """The exact earth mover's distance between distributions a and b: a linear programme."""
    rows, columns = len(a), len(b)
    leaves = np.kron(np.eye(rows), np.ones(columns))
    arrives = np.kron(np.ones(rows), np.eye(columns))
    found = linprog(
        np.asarray(distance, float).ravel(),
        A_eq=np.concatenate([leaves, arrives])[:-1],
        b_eq=np.concatenate([a, b])[:-1],
        method="highs",
    )
    assert found.status == 0
    return found.fun


def greedy_transport(a, b, distance):
    """Every heap of a takes from the nearest of b, then every heap from its second nearest, …"""
    a, b, cost = list(a), list(b), 0
    for step in range(len(b)):
        for i in range(len(a)):
            j = sorted(range(len(b)), key=lambda j: (distance[i][j], j))[step]
            moved = min(a[i], b[j])
            a[i], b[j], cost = a[i] - moved, b[j] - moved, cost + moved * distance[i][j]
    return cost


def river_bucket(hole, board, ranks, cluster_of_hole, clusters, centroid):
    """The nearest centroid to the hand's win probabilities against the clusters; the first."""
    row = abstraction.river_ochs(hole, board, ranks, cluster_of_hole, clusters)
    return abstraction.nearest(row, centroid, "l2")[0]


def river_buckets(hole, flop, turn, ranks, bucket):
    """Counts of the buckets that a turn hand comes to; ``bucket(turn, river, hole id)``."""
    seen = {*map(int, hole), *map(int, flop), int(turn)}
    rest = [c for c in range(4 * ranks) if c not in seen]
    number = cards.holes(ranks).index(tuple(sorted(int(c) for c in hole)))
    return np.bincount([bucket(turn, river, number) for river in rest])
