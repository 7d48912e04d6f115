"""Earth mover's distance between distributions over buckets, and k-means by it.

A turn hand becomes a distribution over the river's buckets: as many equal atoms as there are
rivers. The ground distance is that between the buckets' centroids, so hands are near each other
where the hands that they become are near ("potential-aware": Ganzfried and Sandholm, "Potential-
aware imperfect-recall abstraction with earth mover's distance", AAAI 2014). The exact distance is
a linear programme; as they do, mass is moved greedily instead: every atom takes from the nearest
bucket of the mean, then from its second nearest, and so on. That is a feasible transport, so
never below the exact distance; on flops of the full deck it is 1 to 4 % above.

All arithmetic that decides is in integers: the same buckets on any machine with any threads.
Only means with a centre of gravity near enough are looked at: the distance between two centres is
a lower bound of every transport.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, parallel, prange, uncounted

_LOOK = 4  # steps until a greedy transport looks again whether it can still be the cheapest
UNITS = 64  # of mass that an atom is split into, so that means of hands are close to exact


class CostMatrix(NamedTuple):
    """Distances between buckets."""

    distance: np.ndarray  # int32[k, k]: near[a, i] is distance to order[a, i], ascending
    order: np.ndarray  # int16[k, k]
    near: np.ndarray  # int32[k, k]
    centroid: np.ndarray  # float64[k, features]


class BucketMasses(NamedTuple):
    """Distributions over buckets, each of the same mass: ``units`` in all."""

    bucket: np.ndarray  # int16[n, atoms]: different ones, the first ``size`` count
    mass: np.ndarray  # int32[n, atoms], in units
    size: np.ndarray  # int32[n]
    centre: np.ndarray  # float64[n, features]: centre of gravity
    weight: np.ndarray  # int64[n]
    units: int


class TransportClustering(NamedTuple):
    """The result of :func:`cluster`."""

    label: np.ndarray  # int32[n]
    objective: float  # mean ground distance that a unit is moved
    iterations: int  # until then


def cost_matrix(centroid: np.ndarray) -> CostMatrix:
    """Euclidean distances between the rows of ``centroid`` int[k, features], rounded up."""
    points = centroid.astype(np.float64)
    square = ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)
    distance = np.ceil(np.sqrt(square)).astype(np.int32)
    order = np.argsort(distance, axis=1, kind="stable")
    near = np.take_along_axis(distance, order, axis=1)
    return CostMatrix(distance, order.astype(np.int16), near, points)


def hands(atoms: np.ndarray, weight: np.ndarray, over: CostMatrix) -> BucketMasses:
    """Distributions from ``atoms`` uint16[n, atoms], buckets in ascending order in each row.

    Atoms of a row are equal in mass. ``weight`` int64[n] is the weight of each row.
    """
    n, width = atoms.shape
    bucket, mass = np.zeros((n, width), np.int16), np.zeros((n, width), np.int32)
    size, centre = np.zeros(n, np.int32), np.zeros((n, over.centroid.shape[1]))
    _count_kernel(atoms, over.centroid, bucket, mass, size, centre)
    return BucketMasses(bucket, mass, size, centre, weight.astype(np.int64), width * UNITS)


def some(of: BucketMasses, rows: np.ndarray) -> BucketMasses:
    """The hands of these ``rows`` int64[chosen]."""
    return BucketMasses(*(column[rows] for column in of[:-1]), of.units)


def means(of: BucketMasses, label: np.ndarray, k: int, buckets: int) -> np.ndarray:
    """The weighted mean distribution int32[k, buckets] of each label; 0 where it has no hand.

    ``label`` int32[n] < k is that of each hand.
    """
    total = np.zeros((k, buckets), np.int64)
    _add_kernel(of, label, total)
    cumulated = np.cumsum(total, axis=1)
    whole = np.maximum(cumulated[:, -1:], 1)
    rounded = (cumulated * of.units + whole // 2) // whole
    return np.diff(rounded, axis=1, prepend=0).astype(np.int32)


def distances(
    of: BucketMasses, label: np.ndarray, mean: np.ndarray, over: CostMatrix
) -> np.ndarray:
    """The greedy distance int64[n] of each hand to the mean of its label.

    ``label`` int32[n] < k, ``mean`` int32[k, buckets] as of :func:`means`.
    """
    out = np.empty(len(label), np.int64)
    _distance_kernel(of, label, mean, over, out)
    return out


def nearest(
    of: BucketMasses, guess: np.ndarray, mean: np.ndarray, over: CostMatrix
) -> tuple[np.ndarray, np.ndarray]:
    """The mean nearest to each hand by the greedy distance: label int32[n], distance int64[n].

    ``mean`` is int32[k, buckets]; ``guess`` int32[n] is looked at first. Of equally near means it
    is the first.
    """
    label, distance = guess.astype(np.int32), np.empty(len(guess), np.int64)
    centre = np.ascontiguousarray((mean.astype(np.float64) @ over.centroid / of.units).T)
    centre[:, mean.sum(axis=1) == 0] = np.inf  # of no hands: never the nearest
    _nearest_kernel(of, mean, centre, over, label, distance)
    return label, distance


def equal_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """One of each kind of equal rows int64[kinds], and the kind int64[n] of each row.

    ``rows`` is int[n, columns]. The kinds are in an order that the content alone decides, and the
    row of each is its first.
    """
    whole = np.ascontiguousarray(rows)
    whole = whole.view(np.dtype((np.void, whole.dtype.itemsize * whole.shape[1])))[:, 0]
    _, first, kind = np.unique(whole, return_index=True, return_inverse=True)
    return first, kind


def cluster(
    of: BucketMasses, label: np.ndarray, k: int, over: CostMatrix, iterations: int
) -> TransportClustering:
    """Lloyd's algorithm from the partition ``label`` int32[n] < k; the best iteration is kept.

    Equal hands go together: after a flop a third of them differ. A bucket that loses all its
    hands is given the hand that adds most to the objective.
    """
    atoms = (of.mass // UNITS).astype(np.int16)
    first, same = equal_rows(np.concatenate([of.bucket, atoms], axis=1))
    few = some(of, first)._replace(weight=np.bincount(same, of.weight).astype(np.int64))
    mean, label, best = means(of, label, k, len(over.distance)), label[first], None
    for iteration in range(1, iterations + 1):
        before = label
        label, distance = nearest(few, before, mean, over)
        cost = distance.astype(np.float64) * few.weight
        empty = np.flatnonzero(np.bincount(label, minlength=k) == 0)
        if len(empty):
            far = np.argsort(-cost, kind="stable")[: len(empty)]
            label[far], cost[far] = empty[: len(far)], 0
        objective = float(cost.sum()) / (of.units * float(of.weight.sum()))
        if best is None or objective < best.objective:
            best = TransportClustering(label, objective, iteration)
        if iteration > 1 and (label == before).all():
            break
        mean = means(few, label, k, len(over.distance))
    return best._replace(label=best.label[same])


@njit
def _count_kernel(atoms, centroid, bucket, mass, size, centre):
    for i in range(atoms.shape[0]):
        last = -1
        for atom in atoms[i]:
            if int(atom) != last:
                last = int(atom)
                bucket[i, size[i]] = last
                size[i] += 1
            mass[i, size[i] - 1] += UNITS
            for f in range(centre.shape[1]):
                centre[i, f] += centroid[last, f]
        for f in range(centre.shape[1]):
            centre[i, f] /= atoms.shape[1]


@njit
def _add_kernel(of, label, total):
    for i in range(len(label)):
        for j in range(of.size[i]):
            total[label[i], of.bucket[i, j]] += of.weight[i] * of.mass[i, j]


class Moving(NamedTuple):
    """Room for :func:`greedy`."""

    left: np.ndarray  # int32[buckets]
    need: np.ndarray  # int32[atoms]
    todo: np.ndarray  # int16[atoms]


@njit
def _room(buckets, atoms):
    return Moving(np.empty(buckets, np.int32), np.empty(atoms, np.int32), np.empty(atoms, np.int16))


@uncounted
def greedy(bucket, mass, mean, over, most, room):
    """The cost of moving ``mass`` [atoms] at ``bucket`` to ``mean`` [buckets], greedily.

    Given up, with a number above ``most``, as soon as it is certain to cost more.
    """
    order, near, left, need, todo = over.order, over.near, room.left, room.need, room.todo
    for b in range(len(mean)):  # not by a slice, which would count references
        left[b] = mean[b]
    active = len(bucket)
    for i in range(active):
        need[i] = mass[i]
        todo[i] = i
    cost, step = np.int64(0), 0
    while active > 0:
        kept = 0
        for j in range(active):
            i = todo[j]
            to = order[bucket[i], step]
            if left[to] > 0:
                moved = min(need[i], left[to])
                cost += moved * np.int64(near[bucket[i], step])
                left[to] -= moved
                need[i] -= moved
            todo[kept] = i
            kept += need[i] > 0
        active = kept
        step += 1
        if step % _LOOK == 0:
            coming = np.int64(0)
            for j in range(active):
                coming += need[todo[j]] * np.int64(near[bucket[todo[j]], step])
            if cost + coming > most:
                return cost + coming
    return cost


@parallel
def _distance_kernel(of, label, mean, over, out):
    bucket, mass, size, centre, weight, units = of
    for i in prange(len(label)):
        room, n, most = _room(mean.shape[1], bucket.shape[1]), size[i], np.int64(1) << 62
        out[i] = greedy(bucket[i, :n], mass[i, :n], mean[label[i]], over, most, room)


@parallel
def _nearest_kernel(of, mean, centre, over, label, distance):
    """``centre`` float64[features, means]: a feature of all means at a time, as vectors.

    ``label`` has the means to look at first.
    """
    bucket, mass, size, hand_centre, weight, units = of
    for i in prange(len(label)):
        room, square = _room(mean.shape[1], bucket.shape[1]), np.zeros(len(mean))
        guess = np.int64(label[i])
        for f in range(centre.shape[0]):
            own = hand_centre[i, f]
            for c in range(len(mean)):
                square[c] += (centre[f, c] - own) * (centre[f, c] - own)
        closest = np.argmin(square)
        n, best, nearest_mean = size[i], np.int64(1) << 62, np.int64(len(mean))
        most = float(best)  # of a centre's square: nearer than the means of no hands are
        for turn in range(len(mean) + 2):
            c = guess if turn == 0 else closest if turn == 1 else turn - 2
            again = (turn > 0 and c == guess) or (turn > 1 and c == closest)
            if square[c] <= most and not again:
                cost = greedy(bucket[i, :n], mass[i, :n], mean[c], over, best, room)
                if cost < best or (cost == best and c < nearest_mean):
                    best, nearest_mean = cost, np.int64(c)
                    most = ((best + 1) / units) ** 2
        label[i], distance[i] = nearest_mean, best
