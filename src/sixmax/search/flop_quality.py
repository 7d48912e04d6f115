"""How good the buckets of a flop are: sizes, and distances beside what little effort reaches.

River distances are Euclidean between win probabilities against the clusters of opponents, turn
distances the greedy earth mover's distance between distributions over river buckets, both in win
probability and as means over hands. A number means something only beside its baselines: all hands
in one bucket, hands put at random into buckets of the same sizes, and buckets by strength alone
(river: equal weights by win probability; turn: k-means of histograms of win probability, as the
blueprint's turn is clustered, on the distance that counts here).
"""

from typing import Any

import numpy as np

from sixmax.abstraction.features_kernels import FULL
from sixmax.abstraction.kmeans import centres, distance_to
from sixmax.abstraction.points import sample_rows
from sixmax.abstraction.quality import equal_weights
from sixmax.rng import generator
from sixmax.search import transport
from sixmax.search.flop import River, Turn

_SCORED = 10_000  # turn situations


def report(river: River, turn: Turn, seed: int) -> dict[str, Any]:
    """Both rounds, as JSON values."""
    rng = generator(seed, "quality")
    return {"river": _river(river, rng), "turn": _turn(turn, rng)}


def _river(made: River, rng: np.random.Generator) -> dict[str, Any]:
    weight, k = made.of.weight, len(made.centroid)
    alone = equal_weights(made.win, weight, k)

    def mean(label: np.ndarray, centroid: np.ndarray) -> float:
        square = distance_to(made.ochs, centroid, label, "l2")
        return float(np.average(np.sqrt(square.astype(np.float64)), weights=weight) / FULL)

    def regrouped(label: np.ndarray, groups: int) -> float:
        return mean(label, centres(made.ochs, weight, label, groups, median=False))

    return {
        **_sizes(made.label, weight, k),
        "distance": {
            "within_bucket": mean(made.label, made.centroid),
            "by_strength_alone": regrouped(alone, k),
            "random_buckets": regrouped(rng.permutation(made.label), k),
            "one_bucket": regrouped(np.zeros_like(made.label), 1),
        },
        "explained": _explained(made.win, weight, made.label, k),
    }


def _turn(made: Turn, rng: np.random.Generator) -> dict[str, Any]:
    weight, k = made.of.weight, len(made.strength)
    buckets, units = len(made.over.distance), made.hands.units
    rows = sample_rows(len(weight), _SCORED, rng)
    scored = transport.some(made.hands, rows)

    def regrouped(label: np.ndarray, groups: int) -> float:
        of = transport.means(made.hands, label, groups, buckets)
        distance = transport.distances(scored, label[rows], of, made.over)
        return float(np.average(distance, weights=weight[rows]) / units / FULL)

    return {
        **_sizes(made.found.label, weight, k),
        "iterations": made.found.iterations,
        "distance": {
            "within_bucket": regrouped(made.found.label, k),
            "by_strength_alone": regrouped(made.start, int(made.start.max()) + 1),
            "random_buckets": regrouped(rng.permutation(made.found.label), k),
            "one_bucket": regrouped(np.zeros_like(made.found.label), 1),
        },
        "explained": _explained(made.win, weight, made.found.label, k),
    }


def _sizes(label: np.ndarray, weight: np.ndarray, k: int) -> dict[str, Any]:
    """Hands, suits told apart: of all buckets and of the smallest, the middle and the largest."""
    size = np.bincount(label, weight, minlength=k)
    return {
        "buckets": k,
        "situations": len(label),
        "empty": int((size == 0).sum()),
        "hands": {
            "total": int(size.sum()),
            "min": int(size.min()),
            "median": float(np.median(size)),
            "max": int(size.max()),
        },
    }


def _explained(win: np.ndarray, weight: np.ndarray, label: np.ndarray, k: int) -> float:
    """The share of the variance of win probability that the buckets explain."""
    mass = np.maximum(np.bincount(label, weight, minlength=k), 1)
    middle = np.bincount(label, weight * win, minlength=k) / mass
    within = np.average((win - middle[label]) ** 2, weights=weight)
    return float(
        1 - within / np.average((win - np.average(win, weights=weight)) ** 2, weights=weight)
    )
