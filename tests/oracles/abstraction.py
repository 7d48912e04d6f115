"""Slow and obvious twins of the kernels of ``sixmax.abstraction``."""

from functools import cache
from itertools import combinations

import numpy as np

from oracles import cards


@cache
def _value(seven, ranks):
    return cards.best_hand(seven, ranks)


def value(hole, board, ranks):
    return _value(tuple(sorted(int(c) for c in (*hole, *board))), ranks)


def river_results(hole, board, ranks):
    """{hole id of an opponent: 2 for a win against it, 1 for a tie, 0 for a loss}."""
    seen = {int(c) for c in (*hole, *board)}
    mine = value(hole, board, ranks)
    results = {}
    for i, other in enumerate(cards.holes(ranks)):
        if not seen & set(other):
            theirs = value(other, board, ranks)
            results[i] = 2 * (mine > theirs) + (mine == theirs)
    return results


def river_ochs(hole, board, ranks, cluster_of_hole, clusters):
    """Win probability against each cluster of opponents, in 65535ths, halves rounded up."""
    results = river_results(hole, board, ranks)
    answer = []
    for k in range(clusters):
        inside = [r for i, r in results.items() if cluster_of_hole[i] == k]
        inside = inside or list(results.values())
        answer.append(int(65535 * sum(inside) / (2 * len(inside)) + 0.5))
    return answer


def histogram(hole, board, ranks, bins):
    """(counts of final boards by bin of win probability, sum of doubled wins) of a situation."""
    seen = {int(c) for c in (*hole, *board)}
    rest = [c for c in range(4 * ranks) if c not in seen]
    counts, total = [0] * bins, 0
    for more in combinations(rest, 5 - len(board)):
        results = river_results(hole, (*board, *more), ranks).values()
        counts[bin_of(sum(results), 2 * len(results), bins)] += 1
        total += sum(results)
    return counts, total


def bin_of(win, certain, bins):
    """Bins of equal width over [0, 1]; a certain win belongs to the last."""
    return min(win * bins // certain, bins - 1)


def emd(a, b):
    """Carry earth from the first heap that has too much to the first that has too little."""
    a, b = [x / sum(a) for x in a], [x / sum(b) for x in b]
    work, i, j = 0.0, 0, 0
    while i < len(a) and j < len(b):
        moved = min(a[i], b[j])
        work += moved * abs(i - j)
        a[i] -= moved
        b[j] -= moved
        if a[i] <= b[j]:
            i += 1
        else:
            j += 1
    return work


def distance(x, y, metric):
    gaps = [abs(int(p) - int(q)) for p, q in zip(x, y, strict=True)]
    return sum(g * g for g in gaps) if metric == "l2" else sum(gaps)


def nearest(point, centroids, metric):
    """(number, distance); of equals the one with the smallest sum, then the smallest columns."""

    def place(i):
        row = [int(c) for c in centroids[i]]
        return distance(point, row, metric), sum(row), row, i

    best = min(place(i) for i in range(len(centroids)))
    return best[-1], best[0]


def median(values, weights):
    """The lower median of the values, each as often as its weight says."""
    copies = sorted(v for v, w in zip(values, weights, strict=True) for _ in range(w))
    return copies[(len(copies) - 1) // 2]


def mean(values, weights):
    """The weighted mean, rounded to the nearest integer, halves up."""
    return int(sum(v * w for v, w in zip(values, weights, strict=True)) / sum(weights) + 0.5)


def board_buckets(table, canonical, board, ranks):
    """The bucket of every hole on ``board``, -1 where blocked: suits are renamed so that their
    ranks descend, and the board is looked for among the ``canonical`` ones, rows of ``table``."""
    held = [sum(1 << int(c) // 4 for c in board if c % 4 == suit) for suit in range(4)]
    order = sorted(range(4), key=lambda suit: -held[suit])
    perm, holes = [order.index(suit) for suit in range(4)], cards.holes(ranks)
    row = table[[tuple(c) for c in canonical].index(cards.rename(board, perm))]
    return [
        -1 if {int(c) for c in board} & set(hole) else row[holes.index(cards.rename(hole, perm))]
        for hole in holes
    ]


def seeds(points, weight, k, metric, rng):
    """Greedy k-means++: of some points drawn, the one that leaves least; the rows chosen."""
    drawn = np.searchsorted(np.cumsum(weight), rng.random() * weight.sum(), side="right")
    chosen = [int(drawn)]
    gap = [distance(x, points[chosen[0]], metric) for x in points]
    while len(chosen) < k:
        odds = np.cumsum([float(g) * w for g, w in zip(gap, weight, strict=True)])
        best = None
        for place in rng.random(2 + int(np.log(k))) * odds[-1]:
            row = min(int(np.searchsorted(odds, place, side="right")), len(points) - 1)
            after = [
                min(g, distance(x, points[row], metric)) for g, x in zip(gap, points, strict=True)
            ]
            left = sum(g * int(w) for g, w in zip(after, weight, strict=True))
            if best is None or left < best[0]:
                best = left, row, after
        chosen.append(best[1])
        gap = best[2]
    return chosen
