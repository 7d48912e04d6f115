"""Features of every situation, enumerated: nothing is sampled (Johanson et al. 2013).

* river: win probability against a uniformly random hand, exact, and against 8 clusters of
  opponents' hands (opponent cluster hand strength, OCHS);
* turn and flop: the histogram of the river win probability over all remaining boards (46 rivers,
  1,081 runouts), so that a hand that will be made or missed differs from a mediocre one;
* preflop: the same over all 2,118,760 runouts, by class; it makes the clusters of opponents.

Rows are situations in the order of :mod:`sixmax.cards.isomorphism` (preflop: classes in the order
of :func:`sixmax.cards.deck.classes`). One pass over all rivers gives every histogram: a turn sums
its rivers, a flop its turns, a class its flops.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np

from sixmax.abstraction import features_kernels as kernels
from sixmax.abstraction.clustering.emd import cumulative
from sixmax.abstraction.clustering.kmeans import cluster
from sixmax.abstraction.config import distinct_classes
from sixmax.base import options
from sixmax.base.code_digest import made_by
from sixmax.base.errors import UserError
from sixmax.base.progress import Progress
from sixmax.cards.deck import BOARD_CARDS, ROUNDS, check_ranks, classes, n_holes
from sixmax.cards.isomorphism import boards, offsets
from sixmax.store import write

# ASSUME a board is a set of cards: the order of flop, turn and river is forgotten, which the
# paper's counts of turn and river situations (55,190,538 and 2,428,287,420) keep. It cannot
# change a feature, and makes every situation affordable.
Round = Annotated[str, options.argument("ROUND", choices=ROUNDS)]
_BLOCKS = 200  # of boards; a thread takes one at a time
# The clusters of opponents are the same for all runs, whatever their seeds.
_OPPONENT_SEED, _OPPONENT_RESTARTS = 0, 50


class Histograms(NamedTuple):
    """Features of a round before the river."""

    histogram: np.ndarray  # counts of runouts [situation, bin]: uint8 turn, uint16 flop, uint32
    win: np.ndarray  # uint32[situation]: twice the wins plus the ties, summed over runouts


class RiverFeatures(NamedTuple):
    """Features of the river."""

    ochs: np.ndarray  # uint16[situation, cluster]: win probability against a cluster, of 65535
    win: np.ndarray  # uint16[situation]: twice the wins plus the ties, of 2 * opponents(ranks)


def opponents(ranks: int) -> int:
    """Hands that an opponent may hold on a river: C(n - 7, 2), 990 for the full deck."""
    return comb(4 * ranks - 7, 2)


def runouts(ranks: int, round_name: str) -> int:
    """Ways to complete the board of a situation: 2,118,760 / 1,081 / 46 / 1 for the full deck."""
    k = BOARD_CARDS[round_name]
    return comb(4 * ranks - 2 - k, 5 - k)


def win_scale(ranks: int, round_name: str) -> int:
    """``win / win_scale`` is the probability to win (ties count half) against a random hand."""
    return 2 * opponents(ranks) * runouts(ranks, round_name)


def bin_table(ranks: int, bins: int) -> np.ndarray:
    """The bin uint8[2 * opponents + 1] of each number of wins; a certain win is in the last."""
    top = 2 * opponents(ranks)
    return np.minimum(np.arange(top + 1) * bins // top, bins - 1).astype(np.uint8)


@options.stage
def make(
    ranks: options.Ranks,
    bins: Annotated[int, options.Option("Bins of a histogram.", least=1, default=50)],
    clusters: Annotated[int, options.Option("Clusters of opponents' hands.", least=1, default=8)],
    folder: Annotated[Path, options.Option("The folder to write.", "--out")],
    threads: options.Threads = 1,
) -> None:  # fmt: skip
    """Compute the features of every canonical hand.

    Writes preflop.zarr, flop.zarr, turn.zarr and river.zarr. Before the river: histograms of the
    win probability on the river over all boards to come. On the river: the win probability against
    a random hand and against clusters of opponents' hands. The full deck, 123 M river rows of 8
    columns and 14 M turn rows of 50 bins, takes about a minute on two cores, 3 GB of memory and
    0.8 GB of disk.

    \b
    sixmax stage features --ranks 6 --out /tmp/features        a small deck, in seconds

    Raises UserError where a value is out of bounds or ``folder`` cannot be written.
    """
    attributes = made_by("abstraction.features", ranks=ranks, bins=bins, clusters=clusters)
    _check(ranks, bins, clusters)
    options.refuse_unwritable(*(folder / f"{name}.zarr" for name in ROUNDS))
    turn = turn_histograms(ranks, bins, river_wins(ranks, threads), threads)
    write(folder / "turn.zarr", "features-turn", turn._asdict(), **attributes)
    flop = flop_histograms(ranks, turn, threads)
    del turn
    write(folder / "flop.zarr", "features-flop", flop._asdict(), **attributes)
    preflop = preflop_histograms(ranks, flop)
    del flop
    cluster_of_class = opponent_clusters(ranks, preflop, clusters)
    preflop_arrays = {**preflop._asdict(), "cluster": cluster_of_class}
    write(folder / "preflop.zarr", "features-preflop", preflop_arrays, **attributes)
    river = river_features(ranks, cluster_of_class, clusters, threads)
    write(folder / "river.zarr", "features-river", river._asdict(), **attributes)


def _check(ranks: int, bins: int, clusters: int) -> None:
    check_ranks(ranks)
    if not 2 <= bins <= 255:
        raise UserError(f"histograms of {bins} bins: wanted 2 to 255 (the paper's peers use 50)")
    if not 1 <= clusters <= (most := distinct_classes(ranks)):
        raise UserError(
            f"{clusters} opponent clusters: wanted 1 to {most}, the classes of hands that differ "
            f"in strength in a deck of {ranks} ranks"
        )


def river_wins(ranks: int, threads: int = 1) -> np.ndarray:
    """uint16[B, H]: twice the hands beaten plus those tied with; 65535 if blocked (357 MB)."""
    rivers = boards(ranks, 5)
    wins = np.empty((len(rivers.count), n_holes(ranks)), np.uint16)
    given = kernels.deck(ranks), rivers, wins
    _by_blocks(len(wins), threads, "river win probability", kernels.river_wins, *given)
    return wins


def turn_histograms(ranks: int, bins: int, wins: np.ndarray, threads: int = 1) -> Histograms:
    """Histograms uint8[situation, bins] over rivers, from ``wins`` of :func:`river_wins`."""
    rivers = kernels.RiverWins(boards(ranks, 5), wins, bin_table(ranks, bins))
    of = _round_hands(ranks, 4)
    n = of.offset[-1]
    sums = Histograms(np.zeros((n, bins), np.uint8), np.zeros(n, np.uint32))
    given = kernels.deck(ranks), of, rivers, sums
    _by_blocks(len(of.boards.count), threads, "turn histograms", kernels.turn_histograms, *given)
    return sums


def flop_histograms(ranks: int, turn: Histograms, threads: int = 1) -> Histograms:
    """Histograms uint16[situation, bins] over runouts, from those of the turn."""
    of, turns = _round_hands(ranks, 3), _round_hands(ranks, 4)
    deck = kernels.deck(ranks)
    orbit = np.empty((len(turns.boards.count), len(deck.holes)), np.int16)
    kernels.orbit_tables(turns.boards, orbit)
    after, n = kernels.TurnSums(*turns, orbit, *turn), of.offset[-1]
    sums = Histograms(np.zeros((n, turn.histogram.shape[1]), np.uint16), np.zeros(n, np.uint32))
    given = deck, of, after, sums
    _by_blocks(len(of.boards.count), threads, "flop histograms", kernels.flop_histograms, *given)
    return sums


def preflop_histograms(ranks: int, flop: Histograms) -> Histograms:
    """Histograms uint32[class, bins] over all runouts, from those of the flop."""
    hole_class = classes(ranks)
    out = np.zeros((ranks * ranks, flop.histogram.shape[1]), np.int64)
    win = np.zeros(len(out), np.int64)
    kernels.preflop_sums(_round_hands(ranks, 3), hole_class, flop, Histograms(out, win))
    # A runout of five cards was met once for each of its C(5, 3) flops and each hole of the class.
    times = comb(5, 3) * np.bincount(hole_class, minlength=len(out))
    out, win = out // times[:, None], win // times
    return Histograms(out.astype(np.uint32), win.astype(np.uint32))


def opponent_clusters(ranks: int, preflop: Histograms, clusters: int) -> np.ndarray:
    """The cluster uint8[class] of each class, 0 the weakest: k-means by earth mover's distance.

    Johanson et al. 2013 (section "OCHS") cluster the 169 classes so, into 8. Weighted by holes.
    """
    holes = np.bincount(classes(ranks), minlength=ranks * ranks)
    points = cumulative(preflop.histogram)
    seed = _OPPONENT_SEED, _OPPONENT_RESTARTS
    label = cluster(points, holes, clusters, "emd", *seed, quiet=True).label
    strength = np.bincount(label, holes * preflop.win.astype(np.float64), minlength=clusters)
    strength /= np.bincount(label, holes, minlength=clusters)
    return np.argsort(np.argsort(strength, kind="stable"))[label].astype(np.uint8)


def river_features(
    ranks: int, cluster_of_class: np.ndarray, clusters: int, threads: int = 1
) -> RiverFeatures:
    """Win probability of every river situation against each cluster, and against any hand.

    ``cluster_of_class`` uint8[class] is that of :func:`opponent_clusters`.
    """
    of, cluster_of_hole = _round_hands(ranks, 5), cluster_of_class[classes(ranks)]
    n = of.offset[-1]
    features = RiverFeatures(np.empty((n, clusters), np.uint16), np.empty(n, np.uint16))
    given = kernels.deck(ranks), of, cluster_of_hole, features
    name = "river against clusters"
    _by_blocks(len(of.boards.count), threads, name, kernels.river_clusters, *given)
    return features


def _round_hands(ranks: int, k: int) -> kernels.RoundHands:
    return kernels.RoundHands(boards(ranks, k), offsets(ranks, k))


def _by_blocks(
    total: int, threads: int, label: str, kernel: Callable[..., None], *given: Any
) -> None:
    """Call ``kernel(*given, (first, last))`` for ranges of boards that cover [0, total)."""
    edges = np.unique(np.linspace(0, total, _BLOCKS + 1).astype(int)).tolist()
    spans = list(pairwise(edges))
    with Progress(total, label, "boards") as progress, ThreadPoolExecutor(threads) as pool:
        done = pool.map(lambda span: kernel(*given, span), spans)
        for (first, last), _ in zip(spans, done, strict=True):
            progress.add(last - first)
