"""Kernels of k-means: distances, nearest centroids, medians and means, all in integers.

Points and centroids are rows of uint16. ``squared`` chooses the metric: squared Euclidean
distance, or the sum of absolute differences.
"""

from typing import NamedTuple

import numpy as np

from sixmax.abstraction.clustering.emd import l1
from sixmax.base.jit import njit, parallel, prange

FAR = np.int64(1) << 62  # farther than any distance
_FEW = 8  # times fewer points than values: a median is found by sorting, not by counting


@njit
def _squared(x, y):
    total = np.int64(0)
    for i in range(x.shape[0]):
        gap = np.int64(x[i]) - np.int64(y[i])
        total += gap * gap
    return total


@njit
def _away(x, y, squared):
    return _squared(x, y) if squared else l1(x, y)


class Seeding(NamedTuple):
    """Points, and the seeds chosen of them so far."""

    points: np.ndarray  # uint16[n, columns]
    weight: np.ndarray  # int64[n]
    squared: bool
    chosen: np.ndarray  # int64[k]: the seeds
    gap: np.ndarray  # int64[n]: the distance to the nearest seed
    head: np.ndarray  # int64[k]: the first point of each seed, -1 for none
    following: np.ndarray  # int64[n]: the next point of the same seed, -1 after the last
    radius: np.ndarray  # int64[k]: no less than the gaps of the points of a seed


class Centroids(NamedTuple):
    """Centroids by ascending sum."""

    row: np.ndarray  # uint16[k, columns]
    key: np.ndarray  # int64[k]: the sums of the rows
    label: np.ndarray  # int64[k]


@njit
def first_seed(seeding, first):
    """Make point ``first`` seed 0, of all points."""
    points, _, squared, chosen, gap, head, following, radius = seeding
    chosen[0] = first
    head[:], radius[:] = -1, 0
    for i in range(len(points)):
        gap[i] = _away(points[i], points[first], squared)
        following[i] = i + 1 if i + 1 < len(points) else -1
        radius[0] = max(radius[0], gap[i])
    head[0] = 0


@njit
def _try_seed(seeding, row, count, keep):
    """The fall of the objective if point ``row`` becomes seed ``count``; ``keep`` makes it one.

    It takes no point from a seed that lies twice as far from it (squared: four times) as from the
    point: the triangle inequality.
    """
    points, weight, squared, chosen, gap, head, following, radius = seeding
    least, total = np.int64(4 if squared else 2), np.int64(0)
    for seed in range(count):
        between = _away(points[row], points[chosen[seed]], squared)
        if between >= least * radius[seed]:
            continue
        widest, last, i = np.int64(0), np.int64(-1), head[seed]
        while i >= 0:
            after, away = following[i], gap[i]
            if between < least * gap[i]:
                away = _away(points[i], points[row], squared)
            if away < gap[i]:
                total += (gap[i] - away) * weight[i]
            if keep and away < gap[i]:
                gap[i], following[i], head[count] = away, head[count], i
                radius[count] = max(radius[count], away)
                if last < 0:
                    head[seed] = after
                else:
                    following[last] = after
            else:
                widest, last = max(widest, gap[i]), i
            i = after
        radius[seed] = widest
    return total


@njit
def next_seed(seeding, rows, count):
    """Make the best of the points ``rows`` seed ``count``: the first of the least objective."""
    best, most = rows[0], np.int64(-1)
    for row in rows:
        saved = _try_seed(seeding, row, count, False)
        if saved > most:
            best, most = row, saved
    _try_seed(seeding, best, count, True)
    seeding.chosen[count] = best


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
def nearest(points, centroids, squared, label, distance):
    """Write the nearest centroid of each of ``points`` to ``label``, and its distance.

    points: uint16[n, columns]; label: int32[n]; distance: int64[n]
    """
    centroid, key, order = centroids
    for i in prange(points.shape[0]):
        row, distance[i] = _nearest_one(points[i], centroid, key, squared)
        label[i] = order[row]


@parallel
def distance_to(points, centroid, label, squared, distance):
    """Write how far each of ``points`` uint16[n, columns] is from the centroid of its label.

    centroid: uint16[k, columns]; label: int32[n]; distance: int64[n]
    """
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
def _median_of_few(points, weight, members, column):
    """The same by sorting: a thousand times as fast for some points of 65,536 values."""
    value, total = np.empty(len(members), np.int64), np.int64(0)
    for j in range(len(members)):
        value[j] = points[members[j], column]
        total += weight[members[j]]
    seen, last = np.int64(0), np.int64(0)
    for j in np.argsort(value):
        if 2 * seen >= total:
            break
        seen += weight[members[j]]
        last = value[j]
    return last


@njit
def _mean(points, weight, members, column):
    total, mass = np.int64(0), np.int64(0)
    for i in members:
        total += weight[i] * np.int64(points[i, column])
        mass += weight[i]
    return (total + mass // 2) // mass


@parallel
def centres(points, weight, order, start, values, out):
    """Write the weighted median of each label's points to ``out``; the mean, if ``values`` is 0.

    points: uint16[n, columns], below ``values``; weight: int64[n]; order: int64[n], the points by
    label; start: int64[k + 1], where each label begins there; out: uint16[k, columns], left as it
    is where a label has no points
    """
    for bucket in prange(out.shape[0]):
        members = order[start[bucket] : start[bucket + 1]]
        if len(members) > 0:
            median, few = values > 0, len(members) * _FEW < values
            count = np.empty(1 if few else values, dtype=np.int64)
            for column in range(out.shape[1]):
                if median and few:
                    out[bucket, column] = _median_of_few(points, weight, members, column)
                elif median:
                    out[bucket, column] = _median(points, weight, members, column, count)
                else:
                    out[bucket, column] = _mean(points, weight, members, column)
