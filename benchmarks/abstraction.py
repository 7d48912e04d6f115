"""Features of every situation and their buckets, by round; scikit-learn's k-means beside ours.

Features of flop and turn are computed whole, block by block, the blocks being the turns of the
measurement; river features against clusters on stretches of boards, as many in each turn, spread
over all of them: boards are in order, and neighbours are alike.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from benchmarks.measure import Meter, installed, once, timed
from sixmax.abstraction import features, points, quality
from sixmax.abstraction import features_kernels as kernels
from sixmax.abstraction.buckets import cluster_sample
from sixmax.abstraction.clustering.kmeans import cluster, nearest
from sixmax.abstraction.features_kernels import FULL
from sixmax.abstraction.points import Space, sample_rows
from sixmax.cards.deck import classes, hole_cards, n_holes
from sixmax.cards.isomorphism import boards, offsets, situation_weights
from sixmax.jit import set_threads
from sixmax.rng import generator

BLOCKS = 5
SCORED = 50_000  # situations that the quality report is measured with
COMPARED = 20_000  # points that scikit-learn's k-means sees too
RESTARTS, TEN = 2, 10  # runs of k-means that `default` takes the best of; that the target asks for


class Size(NamedTuple):
    """How much of it: the whole deck as ``default`` clusters it, or a small one for the tests."""

    ranks: int = 13
    bins: int = 50
    clusters: int = 8
    buckets: int = 200
    learned: int = 200_000  # situations that k-means sees
    assigned: int = 1_000_000  # situations given their nearest centroid, at most
    river_share: float = 0.1  # of the boards: win probability against clusters


def measure(meter: Meter, size: Size, threads: int) -> None:
    """Situations a second of features and of buckets, on ``threads`` threads."""
    set_threads(threads)
    meter.begin(f"features, {threads} threads")
    spaces = _features(meter, size, threads)
    meter.begin(f"clustering, {size.buckets} buckets, {threads} threads")
    for space in spaces:
        _cluster(meter, space, size, threads)
    _sklearn(meter, spaces[-1], size, threads)
    _objective(meter, spaces, size)
    meter.begin("quality of buckets")
    for space in spaces:
        _quality(meter, space, size, threads)


def _features(meter: Meter, size: Size, threads: int) -> list[Space]:
    """Measure the features of all rounds; flop, turn and a part of the river as points."""
    ranks, holes = size.ranks, hole_cards(size.ranks)
    flops, turns, rivers = (boards(ranks, k) for k in (3, 4, 5))
    of_flop, of_turn, of_river = (offsets(ranks, k) for k in (3, 4, 5))
    table, unit = features.bin_table(ranks, size.bins), "situations/s"
    wins = np.empty((len(rivers.count), n_holes(ranks)), np.uint16)

    def each(what: str, offset: np.ndarray, spans: list[tuple], kernel: Callable) -> None:
        kernel(0, 1)  # compiles
        meter.watch()
        meter.add(what, unit, [_block(kernel, offset, a, b, threads) for a, b in spans], threads)

    each("river, win probability", of_river, stretches(len(wins)),
         lambda a, b: kernels.river_wins(rivers, ranks, holes, a, b, wins))  # fmt: skip
    turn = features.Histograms(
        np.zeros((of_turn[-1], size.bins), np.uint8), np.zeros(of_turn[-1], np.uint32)
    )
    each("turn, histograms over rivers", of_turn, stretches(len(turns.count)),
         lambda a, b: kernels.turn_histograms(
             turns, rivers, of_turn, ranks, holes, wins, table, a, b, *turn))  # fmt: skip
    kernels.turn_histograms(  # what compiling counted twice
        turns, rivers, of_turn, ranks, holes, wins, table, 0, 1,
        *(_cleared(a, of_turn[1]) for a in turn),
    )  # fmt: skip
    orbit = np.empty((len(turns.count), len(holes)), np.int16)
    kernels.orbit_tables(turns, orbit)
    flop = features.Histograms(
        np.zeros((of_flop[-1], size.bins), np.uint16), np.zeros(of_flop[-1], np.uint32)
    )
    each("flop, histograms over runouts", of_flop, stretches(len(flops.count)),
         lambda a, b: kernels.flop_histograms(
             flops, turns, of_flop, of_turn, orbit, ranks, holes, *turn, a, b, *flop))  # fmt: skip
    kernels.flop_histograms(
        flops, turns, of_flop, of_turn, orbit, ranks, holes, *turn, 0, 1,
        *(_cleared(a, of_flop[1]) for a in flop),
    )  # fmt: skip
    opponents = features.opponent_clusters(
        ranks, features.preflop_histograms(ranks, flop), size.clusters
    )
    ochs = np.empty((of_river[-1], size.clusters), np.uint16)  # no memory until it is written
    win = np.empty(len(ochs), np.uint16)
    of_hole = opponents[classes(ranks)]
    spans = stretches(len(rivers.count), size.river_share)
    each(f"river, against clusters ({sum(b - a for a, b in spans):,} boards)", of_river, spans,
         lambda a, b: kernels.river_clusters(
             rivers, of_river, ranks, holes, of_hole, a, b, ochs, win))  # fmt: skip
    seen = np.concatenate([np.arange(of_river[a], of_river[b]) for a, b in spans])
    return [
        _space("flop", flop.histogram, flop.win, situation_weights(ranks, 3), ranks),
        _space("turn", turn.histogram, turn.win, situation_weights(ranks, 4), ranks),
        _space("river", ochs[seen], win[seen], situation_weights(ranks, 5)[seen], ranks),
    ]


def stretches(n: int, share: float = 1.0) -> list[tuple[int, int]]:
    """BLOCKS stretches of ``range(n)``, evenly spread: ``share`` of it, together."""
    edges = [n * k // BLOCKS for k in range(BLOCKS + 1)]
    return [(a, a + max(1, int(share * (b - a)))) for a, b in pairwise(edges)]


def _cleared(array: np.ndarray, rows: int) -> np.ndarray:
    array[:rows] = 0
    return array


def _block(kernel: Callable, offset: np.ndarray, first: int, last: int, threads: int) -> tuple:
    """Boards ``first`` to ``last``, dealt out to threads in small spans."""
    spans = np.unique(np.linspace(first, last, 20 * threads + 1).astype(int)).tolist()

    def work() -> float:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(lambda span: kernel(*span), pairwise(spans)))
        return float(offset[last] - offset[first])

    return timed(work)


def _space(
    name: str, rows: np.ndarray, win: np.ndarray, weight: np.ndarray, ranks: int
) -> Space:  # fmt: skip
    river = name == "river"
    return Space(
        name, "l2" if river else "emd", rows, win, features.win_scale(ranks, name), weight,
        FULL if river else points.mass(rows),
    )  # fmt: skip


def _cluster(meter: Meter, space: Space, size: Size, threads: int) -> None:
    """One run of k-means, and the nearest centroid of every situation of some stretches."""
    found = []

    def learn(seed: int) -> None:
        found[:] = [cluster_sample(space, size.buckets, size.learned, 1, 50, seed)]

    seen = min(size.learned, len(space.rows))
    learn(0)
    meter.watch()
    meter.add(f"{space.round_name}, k-means, one run on {seen:,}", "points/s",
              [once(lambda s=s: learn(s), seen) for s in (1, 2, 3)], threads)  # fmt: skip
    spans = stretches(len(space.rows), min(1.0, size.assigned / len(space.rows)))

    def assign() -> float:
        for a, b in spans:
            nearest(points.points(space, slice(a, b)), found[0].centroid, space.metric)
        return sum(b - a for a, b in spans)

    meter.rate(f"{space.round_name}, nearest centroid", "situations/s", assign, turns=3,
               threads=threads)  # fmt: skip


def _objective(meter: Meter, spaces: list[Space], size: Size) -> None:
    """How far the best of RESTARTS runs stays above the best of TEN, on a sample of each round."""
    gaps = []
    for space in spaces:
        rows = sample_rows(len(space.rows), COMPARED, generator(2, "bench"))
        seen, weight = points.points(space, rows), space.weight[rows].astype(np.int64)
        k = min(size.buckets, len(rows) // 10)
        runs = [cluster(seen, weight, k, space.metric, s, 1, 50, quiet=True).objective
                for s in range(TEN)]  # fmt: skip
        pairs = [min(runs[i : i + RESTARTS]) for i in range(0, TEN, RESTARTS)]
        gaps.append(100 * (np.median(pairs) / min(runs) - 1))
    meter.values["objective_above_best_percent"] = float(max(gaps))
    said = ", ".join(
        f"{space.round_name} {gap:.2f} %" for space, gap in zip(spaces, gaps, strict=True)
    )
    meter.note(
        f"objective of the best of {RESTARTS} runs above that of the best of {TEN} "
        f"({COMPARED:,} situations, median of {TEN // RESTARTS}): {said}"
    )


def _sklearn(meter: Meter, river: Space, size: Size, threads: int) -> None:
    """k-means of the same points by scikit-learn: the same metric, threads and seeding, and both to
    a standstill or 50 iterations."""
    what = f"k-means of {min(COMPARED, len(river.rows)):,} river points"
    if not installed("scikit-learn"):
        meter.skip(f"{what}, scikit-learn", "scikit-learn is not installed")
        return
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    rows = sample_rows(len(river.rows), COMPARED, generator(1, "bench"))
    seen, weight = river.rows[rows], river.weight[rows].astype(np.int64)
    k, exact = min(size.buckets, len(rows) // 10), seen.astype(np.float64)
    ours, theirs = [], []  # of each run: objective, iterations

    def own(seed: int) -> None:
        found = cluster(seen, weight, k, "l2", seed, 1, 50, quiet=True)
        ours.append((found.objective, found.iterations))

    def other(seed: int) -> None:
        model = KMeans(k, n_init=1, max_iter=50, tol=0.0, random_state=seed)
        model.fit(exact, sample_weight=weight)
        theirs.append((model.inertia_ / weight.sum(), model.n_iter_))

    with threadpool_limits(threads):
        for name, work in (("ours", own), ("scikit-learn", other)):
            work(0)
            meter.watch()
            turns = [once(lambda s=s, w=work: w(s), len(rows)) for s in (1, 2, 3)]
            meter.add(f"{what}, {name}", "points/s", turns, threads)
    (objective, steps), (other_objective, other_steps) = (
        np.median(runs[1:], axis=0) for runs in (ours, theirs)
    )
    meter.note(
        f"objective of k-means: {100 * (objective / other_objective - 1):+.2f} % of scikit-learn's "
        f"(medians of 3 seeds); iterations {steps:.0f}, scikit-learn's {other_steps:.0f}"
    )


def _quality(meter: Meter, space: Space, size: Size, threads: int) -> None:
    """Situations that the quality report scores a second; its second clustering is kept small."""
    seen = min(SCORED, len(space.rows))
    few = {"sample": min(10 * size.buckets, seen), "restarts": 1, "max_iterations": 1}
    centroid = cluster_sample(space, size.buckets, seed=1, **few).centroid
    store = {"centroid": points.as_features(space, centroid)}
    store |= dict.fromkeys(("size", "deals"), np.ones(size.buckets, np.int64))

    def score() -> float:
        quality.measure(space, store, seen, few, 1)
        return seen

    meter.rate(f"{space.round_name}, scored", "situations/s", score, turns=3, threads=threads)
