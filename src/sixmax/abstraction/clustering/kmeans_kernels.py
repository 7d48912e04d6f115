"""Kernels of k-means: distances, nearest centroids, medians and means, all in integers.

Points and centroids are rows of uint16. ``squared`` chooses the metric: squared Euclidean
distance, or the sum of absolute differences.
"""

import numpy as np

from sixmax.abstraction.clustering.emd import l1
from sixmax.jit import njit, parallel, prange

FAR = np.int64(1) << 62  # farther than any distance


@njit
def _squared(x, y):
    total = np.int64(0)
    for i in range(x.shape[0]):
        gap = np.int64(x[i]) - np.int64(y[i])
        total += gap * gap
    return total


@parallel
def to_candidates(points, candidates, gap, squared, out):
    """out[t, i] = min(gap[i], distance of point i to candidate t)."""
    for i in prange(points.shape[0]):
        for t in range(candidates.shape[0]):
            candidate = points[candidates[t]]
            away = _squared(points[i], candidate) if squared else l1(points[i], candidate)
            out[t, i] = min(gap[i], away)


@njit
def _nearest_one(x, centroid, key, squared):
    """Walk outwards from the point's own sum; see :mod:`sixmax.abstraction.clustering.kmeans`."""
    k, columns = centroid.shape
    own = np.int64(0)
    for i in range(columns):
        own += x[i]
    right = np.searchsorted(key, own)
    left = right - 1
    best, label = FAR, np.int64(k)
    while left >= 0 or right < k:
        below = own - key[left] if left >= 0 else FAR
        above = key[right] - own if right < k else FAR
        if below <= above:
            row, gap = left, below
            left -= 1
        else:
            row, gap = right, above
            right += 1
        if label < k and (gap * gap > best * columns if squared else gap > best):
            break
        away = _squared(x, centroid[row]) if squared else l1(x, centroid[row])
        if away < best or (away == best and row < label):
            best, label = away, row
    return label, best


@parallel
def nearest(points, centroid, key, order, squared, label, distance):
    for i in prange(points.shape[0]):
        row, distance[i] = _nearest_one(points[i], centroid, key, squared)
        label[i] = order[row]


@parallel
def distance_to(points, centroid, label, squared, distance):
    for i in prange(points.shape[0]):
        own = centroid[label[i]]
        distance[i] = _squared(points[i], own) if squared else l1(points[i], own)


@njit
def _median(points, weight, members, column, count):
    """The smallest value with at least half of the weight at or below it."""
    count[:] = 0
    total = np.int64(0)
    for i in members:
        count[points[i, column]] += weight[i]
        total += weight[i]
    seen, value = count[0], 0
    while 2 * seen < total:
        value += 1
        seen += count[value]
    return value


@njit
def _mean(points, weight, members, column):
    total, mass = np.int64(0), np.int64(0)
    for i in members:
        total += weight[i] * np.int64(points[i, column])
        mass += weight[i]
    return (total + mass // 2) // mass


@parallel
def centres(points, weight, order, start, values, median, out):
    for bucket in prange(out.shape[0]):
        members = order[start[bucket] : start[bucket + 1]]
        if len(members) > 0:
            count = np.empty(values if median else 1, dtype=np.int64)
            for column in range(out.shape[1]):
                if median:
                    out[bucket, column] = _median(points, weight, members, column, count)
                else:
                    out[bucket, column] = _mean(points, weight, members, column)
