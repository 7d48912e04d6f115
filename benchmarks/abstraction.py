"""Features of every situation and their buckets, by round; scikit-learn's k-means beside."""

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from benchmarks.measure import Meter, spread, timed
from sixmax.abstraction import features, quality
from sixmax.abstraction.buckets import cluster_sample
from sixmax.abstraction.clustering.emd import mass
from sixmax.abstraction.clustering.kmeans import cluster, nearest
from sixmax.abstraction.features_kernels import FULL
from sixmax.abstraction.points import Space, sample_rows
from sixmax.base.jit import set_threads
from sixmax.base.rng import generator
from sixmax.cards.isomorphism import offsets, situation_weights

SCORED = 50_000  # situations that the quality report is measured with
COMPARED = 20_000  # points that scikit-learn's k-means sees too
RESTARTS, TEN = 2, 10  # runs of k-means that `default` takes the best of; that the target asks for
ABOVE = "% above the best of 10 runs"


class Size(NamedTuple):
    """The amount of work: the whole deck as ``default`` clusters it, or a small one."""

    ranks: int = 13
    bins: int = 50
    clusters: int = 8
    buckets: int = 200
    learned: int = 200_000  # situations that k-means sees
    assigned: int = 1_000_000  # and that are given their nearest centroid


SMALL = Size(6, 10, 4, 5, 500, 500)


def measure(meter: Meter, small: bool, threads: int) -> None:
    """Situations a second of features and of buckets, on ``threads`` threads."""
    size = SMALL if small else Size()
    set_threads(threads)
    spaces = _features(meter, size, threads)
    meter.begin(f"clustering, {size.buckets} buckets, {threads} threads")
    for space in spaces:
        _cluster(meter, space, size, threads)
    _sklearn(meter, spaces[-1], size, threads)
    meter.begin("quality of buckets")
    for space in spaces:
        _quality(meter, space, size, threads)


def _features(meter: Meter, size: Size, threads: int) -> list[Space]:
    """All kinds of features; flop, turn and river as points."""
    meter.begin(f"features, {threads} threads")
    ranks = size.ranks

    def turn(kind: str, n: int, work: Callable) -> Any:
        return meter.rate(kind, "situations/s", n, work, turns=3, threads=threads)

    rows = {name: int(offsets(ranks, k)[-1]) for name, k in features.BOARD_CARDS.items() if k}
    wins = turn("river, win probability", rows["river"],
                lambda: features.river_wins(ranks, threads))  # fmt: skip
    turns = turn("turn, histograms over rivers", rows["turn"],
                 lambda: features.turn_histograms(ranks, size.bins, wins, threads))  # fmt: skip
    flops = turn("flop, histograms over runouts", rows["flop"],
                 lambda: features.flop_histograms(ranks, turns, threads))  # fmt: skip
    preflop = features.preflop_histograms(ranks, flops)
    of_class = features.opponent_clusters(ranks, preflop, size.clusters)
    against = features.river_features
    rivers = turn("river, against clusters", rows["river"],
                  lambda: against(ranks, of_class, size.clusters, threads))  # fmt: skip
    return [
        _space("flop", flops.histogram, flops.win, ranks),
        _space("turn", turns.histogram, turns.win, ranks),
        _space("river", rivers.ochs, rivers.win, ranks),
    ]


def _space(name: str, rows: np.ndarray, win: np.ndarray, ranks: int) -> Space:
    river, certain = name == "river", features.win_scale(ranks, name)
    weight = situation_weights(ranks, features.BOARD_CARDS[name])
    metric, total = ("l2", FULL) if river else ("emd", mass(rows))
    return Space(name, metric, rows, win, certain, weight, total)


def _cluster(meter: Meter, space: Space, size: Size, threads: int) -> None:
    """One run of k-means, and the nearest centroid of a sample of situations."""
    seen, name = min(size.learned, len(space.rows)), space.round_name
    facts = {ABOVE: _above_best(space, size)}

    def learn(seed: int) -> np.ndarray:
        return cluster_sample(space, size.buckets, size.learned, 1, 50, seed).centroid

    centroid = learn(0)
    meter.watch()
    meter.add(f"{name}, k-means, one run on {seen:,}", "points/s",
              [timed(lambda s=s: learn(s), seen) for s in (1, 2, 3)], threads=threads,
              facts=facts)  # fmt: skip
    rows = sample_rows(len(space.rows), size.assigned, generator(3, "bench"))
    meter.rate(f"{name}, nearest centroid", "situations/s", len(rows),
               lambda: nearest(space.points(rows), centroid, space.metric), turns=3,
               threads=threads)  # fmt: skip


def _above_best(space: Space, size: Size) -> list[float]:
    """The excess, in %, of the best of RESTARTS runs over the best of TEN, on a sample."""
    seen, weight = _sample(space, 2)
    k = min(size.buckets, len(seen) // 10)
    runs = [cluster(seen, weight, k, space.metric, s, 1, 50, quiet=True).objective
            for s in range(TEN)]  # fmt: skip
    pairs = [min(runs[i : i + RESTARTS]) for i in range(0, TEN, RESTARTS)]
    return spread((100 * (np.array(pairs) / min(runs) - 1)).tolist())


def _sample(space: Space, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """COMPARED points, or all there are, and their weights."""
    rows = sample_rows(len(space.rows), COMPARED, generator(seed, "bench"))
    return space.points(rows), space.weight[rows].astype(np.int64)


def _sklearn(meter: Meter, river: Space, size: Size, threads: int) -> None:
    """k-means of the same points by scikit-learn: the same metric, threads and kind of seeding,
    and both to a standstill or 50 iterations."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    seen, weight = _sample(river, 1)
    k, exact = min(size.buckets, len(seen) // 10), seen.astype(np.float64)

    def ours(seed: int) -> tuple[float, int]:
        result = cluster(seen, weight, k, "l2", seed, 1, 50, quiet=True)
        return result.objective, result.iterations

    def theirs(seed: int) -> tuple[float, int]:
        model = KMeans(k, n_init=1, max_iter=50, tol=0.0, random_state=seed)
        model.fit(exact, sample_weight=weight)
        return model.inertia_ / weight.sum(), model.n_iter_

    with threadpool_limits(threads):
        for name, work in (("ours", ours), ("scikit-learn", theirs)):
            work(0)
            meter.watch()
            runs: list = []
            one = [partial(lambda w, r, s: r.append(w(s)), work, runs, seed) for seed in (1, 2, 3)]
            turns = [timed(turn, len(seen)) for turn in one]
            facts = dict(zip(("objective", "iterations"), np.median(runs, axis=0), strict=True))
            label = f"k-means of {len(seen):,} river points, {name}"
            meter.add(label, "points/s", turns, threads=threads, facts=facts)


def _quality(meter: Meter, space: Space, size: Size, threads: int) -> None:
    """Situations that the quality report scores a second; its second clustering is kept small."""
    seen = min(SCORED, len(space.rows))
    few = {"sample": min(10 * size.buckets, seen), "restarts": 1, "max_iterations": 1}
    centroid = cluster_sample(space, size.buckets, seed=1, **few).centroid
    store = {"centroid": space.as_features(centroid)}
    store |= dict.fromkeys(("size", "deals"), np.ones(size.buckets, np.int64))
    work = partial(quality.measure, space, store, seen, few, 1)
    label = f"{space.round_name}, scored"
    meter.rate(label, "situations/s", seen, work, turns=3, threads=threads)
