"""k-means of weighted points, in integers: the same buckets on any machine with any threads.

Points and centroids are rows of uint16. Two metrics:

* ``"emd"``: sum of absolute differences; on cumulative histograms that is the earth mover's
  distance times the mass. The centroid is the weighted median of each column, which minimises
  the objective (a mean does not; docs/results/abstraction.md measures both).
* ``"l2"``: squared Euclidean distance; the centroid is the mean, rounded to 1/65535.

Seeds are drawn by greedy k-means++ (Arthur and Vassilvitskii 2007: in proportion to a point's
share of the objective; several candidates a step, the best is kept; a candidate is compared with
the points alone that the triangle inequality leaves it), then Lloyd's algorithm runs to a
standstill. scikit-learn has no earth mover's distance, and with it the last bits of an L2
result may depend on the number of threads; the tests hold this module to scikit-learn's objective.

The nearest centroid is exact. Centroids are sorted by the sum of their columns, and the search
walks outwards from the point's own sum s until the sums alone rule out all the others:
|s(x) - s(c)| <= L1(x, c), and (s(x) - s(c))^2 <= columns * L2(x, c). Of 200 centroids ten
to thirty are looked at.
"""

from typing import NamedTuple

import numpy as np

from sixmax.abstraction.clustering import kmeans_kernels as kernels
from sixmax.base.progress import say
from sixmax.base.rng import generator

# ASSUME the centre of histograms is the median of each column, not the mean of Ganzfried and
# Sandholm 2014. The buckets are about as good, and Lloyd's algorithm never goes uphill.
METRICS = ("emd", "l2")
CENTRES = ("median", "mean")
_SEEDING_POINTS = 250  # a bucket: enough to seed from; Lloyd sees all points


class Clustering(NamedTuple):
    """Centroids, and the points that they were made from by nearest centroid."""

    centroid: np.ndarray  # uint16[k, columns], ascending by the sum of columns
    label: np.ndarray  # int32[n]
    distance: np.ndarray  # int64[n], to the own centroid; squared if the metric is "l2"
    objective: float  # weighted mean distance
    iterations: int
    reseeded: int  # empty buckets that were given a new centroid on the way


def cluster(
    points: np.ndarray, weight: np.ndarray, k: int, metric: str, seed: int, restarts: int = 1,
    max_iterations: int = 100, centre: str | None = None, quiet: bool = False,
) -> Clustering:  # fmt: skip
    """The best of ``restarts`` runs of k-means.

    ``points`` uint16[n, columns], ``weight`` int64[n] > 0, ``metric`` one of METRICS; ``centre``
    overrides the metric's own. Raises ValueError where there are fewer than k distinct points.
    """
    if metric not in METRICS:
        raise ValueError(f"found metric {metric!r}, wanted one of {METRICS}")
    if points.dtype != np.uint16 or points.ndim != 2:
        raise ValueError(f"found points {points.dtype}{points.shape}, wanted uint16[n, columns]")
    if weight.shape != points.shape[:1] or (weight <= 0).any():
        raise ValueError("wanted one weight > 0 for each point")
    points, weight = np.ascontiguousarray(points), weight.astype(np.int64)
    if centre not in (None, *CENTRES):
        raise ValueError(f"found centre {centre!r}, wanted one of {CENTRES}")
    median = (centre or ("median" if metric == "emd" else "mean")) == "median"
    best = None
    for restart in range(restarts):
        centroid = seeds(points, weight, k, metric, generator(seed, "kmeans", restart))
        result = _lloyd(points, weight, centroid, metric, median, max_iterations)
        if not quiet:
            say(
                f"k-means run {restart + 1} of {restarts}: mean distance "
                f"{result.objective:.6g} after {result.iterations} iterations"
            )
        if best is None or result.objective < best.objective:
            best = result
    return best


def seeds(
    points: np.ndarray, weight: np.ndarray, k: int, metric: str, rng: np.random.Generator
) -> np.ndarray:
    """``k`` distinct points uint16[k, columns] by greedy k-means++ on a sample of the points.

    ``points`` uint16[n, columns], ``weight`` int64[n] > 0, ``metric`` one of METRICS. Raises
    ValueError where there are fewer than k distinct points.
    """
    take = min(len(points), _SEEDING_POINTS * k)
    rows = np.sort(rng.choice(len(points), take, replace=False))
    chosen = _seeds(points[rows], weight[rows], k, metric, rng)
    if chosen is None and take < len(points):
        chosen = _seeds(points, weight, k, metric, rng)
    if chosen is None:
        raise ValueError(f"{k} buckets were asked of fewer distinct points")
    return chosen


def _seeds(points, weight, k, metric, rng) -> np.ndarray | None:
    trials, squared = 2 + int(np.log(k)), metric == "l2"
    chosen, head, radius = np.empty((3, k), np.int64)
    gap, following = np.empty((2, len(points)), np.int64)
    seeding = kernels.Seeding(points, weight, squared, chosen, gap, head, following, radius)
    first = np.searchsorted(np.cumsum(weight), rng.random() * weight.sum(), side="right")
    kernels.first_seed(seeding, int(first))
    for count in range(1, k):
        odds = np.cumsum(gap.astype(np.float64) * weight)
        if odds[-1] <= 0:
            return None
        candidates = np.searchsorted(odds, rng.random(trials) * odds[-1], side="right")
        candidates = np.minimum(candidates, len(points) - 1)
        kernels.next_seed(seeding, candidates, count)
    return points[chosen]


def _lloyd(points, weight, centroid, metric, median, max_iterations) -> Clustering:
    k, before, reseeded = len(centroid), None, 0
    for iteration in range(1, max_iterations + 1):
        centroid = sorted_by_sum(centroid)
        label, distance = nearest(points, centroid, metric)
        empty = np.flatnonzero(np.bincount(label, minlength=k) == 0)
        if len(empty):
            centroid = _reseed(points, weight, centroid, distance, empty)
            reseeded += len(empty)
            before = None
        elif iteration == max_iterations or (before is not None and (label == before).all()):
            break
        else:
            centroid, before = centres(points, weight, label, k, median), label
    else:  # the last iteration gave empty buckets a centroid: say who is nearest now
        centroid = sorted_by_sum(centroid)
        label, distance = nearest(points, centroid, metric)
    objective = (distance.astype(np.float64) * weight).sum() / weight.sum()
    return Clustering(centroid, label, distance, float(objective), iteration, reseeded)


def _reseed(points, weight, centroid, distance, empty) -> np.ndarray:
    """Move the centroids of ``empty`` buckets to the points that add most to the objective."""
    cost = distance.astype(np.float64) * weight
    centroid = centroid.copy()
    for bucket in empty:
        far = int(np.argmax(cost))
        centroid[bucket] = points[far]
        cost[(points == points[far]).all(axis=1)] = 0
    return centroid


def sorted_by_sum(centroid: np.ndarray) -> np.ndarray:
    """``centroid`` uint16[k, columns] in ascending order of the sum of columns, a copy."""
    return np.ascontiguousarray(centroid[_order(centroid)])


def _order(centroid: np.ndarray) -> np.ndarray:
    """By the sum of columns, then column by column: an order that the content alone decides."""
    return np.lexsort((*centroid.T[::-1], centroid.sum(axis=1, dtype=np.int64)))


def nearest(points: np.ndarray, centroid: np.ndarray, metric: str) -> tuple[np.ndarray, np.ndarray]:
    """The nearest centroid of each point int32[n] and its distance int64[n].

    ``points`` is uint16[n, columns], ``centroid`` uint16[k, columns] in any order. Of equally near
    ones it is the first in the order of :func:`sorted_by_sum`, so numbering buckets anew moves no
    point. Raises ValueError for a metric that is not of METRICS, and for points or centroids that
    are not uint16.
    """
    if metric not in METRICS or points.dtype != np.uint16 or centroid.dtype != np.uint16:
        raise ValueError(f"wanted uint16 points and centroids and a metric of {METRICS}")
    order = _order(centroid)
    rows = np.ascontiguousarray(centroid[order])
    label = np.empty(len(points), dtype=np.int32)
    distance = np.empty(len(points), dtype=np.int64)
    centroids = kernels.Centroids(rows, rows.sum(axis=1, dtype=np.int64), order)
    kernels.nearest(np.ascontiguousarray(points), centroids, metric == "l2", label, distance)
    return label, distance


def distance_to(
    points: np.ndarray, centroid: np.ndarray, label: np.ndarray, metric: str
) -> np.ndarray:
    """The distance int64[n] of each point to the centroid of its label; squared by "l2".

    ``points`` uint16[n, columns], ``centroid`` uint16[k, columns], ``label`` int32[n].
    """
    distance = np.empty(len(points), dtype=np.int64)
    kernels.distance_to(points, centroid, label, metric == "l2", distance)
    return distance


def centres(
    points: np.ndarray, weight: np.ndarray, label: np.ndarray, k: int, median: bool
) -> np.ndarray:
    """The weighted median or mean uint16[k, columns] of the points of each label; 0 if none.

    ``points`` uint16[n, columns], ``weight`` int64[n], ``label`` int32[n] < k.
    """
    order = np.argsort(label.astype(np.uint16 if k < 65536 else np.int64), kind="stable")
    start = np.concatenate(([0], np.cumsum(np.bincount(label, minlength=k))))
    out = np.zeros((k, points.shape[1]), dtype=np.uint16)
    values = int(points.max()) + 1 if median else 0
    kernels.centres(points, weight, order, start, values, out)
    return out
