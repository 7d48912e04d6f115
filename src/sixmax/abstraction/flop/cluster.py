"""The hands of one flop, clustered: river by strength, turn by distribution on the river.

River hands are clustered by their win probability against each cluster of opponents' hands (OCHS,
as in the blueprint's river buckets), turn hands by the earth mover's distance between their
distributions over those river buckets (:mod:`sixmax.abstraction.clustering.transport`): the
potential-aware abstraction that the supplement names ("Further details of the abstraction
algorithm").
"""

from typing import NamedTuple

import numpy as np

from sixmax.abstraction import features_kernels
from sixmax.abstraction.clustering import transport
from sixmax.abstraction.clustering.emd import cumulative
from sixmax.abstraction.clustering.kmeans import cluster, nearest
from sixmax.abstraction.features import runouts, win_scale
from sixmax.abstraction.features_kernels import RoundHands, deck
from sixmax.abstraction.flop import kernels
from sixmax.abstraction.flop.kernels import BLOCKED
from sixmax.abstraction.points import sample_rows, win_histograms
from sixmax.base.rng import generator
from sixmax.cards.deck import classes, hole_cards, n_cards
from sixmax.cards.isomorphism import Boards, boards

# ASSUME strength is measured against clusters of opponents' hands, and a bucket forgets which card
# was the turn: the paper names the method for the turn alone.
_LEARNED = {"river": 40_000, "turn": 15_000}  # situations that k-means learns from
_ITERATIONS = {"river": 30, "turn": 10}  # of k-means by strength
_TRANSPORT_ITERATIONS = 8  # that follow on the turn


class Situations(NamedTuple):
    """The hands of one round after a flop, up to suits."""

    boards: Boards  # canonical ones, those that the flop can become
    offset: np.ndarray  # int64[boards + 1]: the first situation of each
    number: np.ndarray  # int32[row, H]: situation by card(s) dealt and hole; -1 if blocked
    weight: np.ndarray  # int64[situations]: cells of ``number``


def situations(flop: np.ndarray, ranks: int, k: int) -> Situations:
    """The hands on ``flop`` int8[3] with one more card (k = 4), or two in any order (k = 5)."""
    table, holes = boards(ranks, k), hole_cards(ranks)
    dealt = np.arange(n_cards(ranks), dtype=np.int8)[:, None] if k == 4 else holes
    board, perm = np.empty(len(dealt), np.int32), np.zeros((len(dealt), 4), np.int8)
    kernels.find_boards(flop, dealt, table.slots, table.packed, board, perm)
    canonical, local = np.unique(board[board >= 0], return_inverse=True)
    board[board >= 0] = local
    own = Boards(*(column[canonical] for column in table[:3]), table.slots[:0])
    orbit = np.empty((len(canonical), len(holes)), np.int16)
    features_kernels.orbit_tables(own, orbit)
    offset = np.concatenate([[0], np.cumsum(orbit.max(axis=1) + 1, dtype=np.int64)])
    number = np.empty((len(dealt), len(holes)), np.int32)
    kernels.number_hands(board, perm, offset, orbit, holes, number)
    return Situations(own, offset, number, np.bincount(number[number >= 0]))


class FlopRiver(NamedTuple):
    """The river of a flop, clustered."""

    of: Situations
    ochs: np.ndarray  # uint16[situations, clusters]: win probability against a cluster, of 65535
    win: np.ndarray  # float64[situations]: against any hand
    centroid: np.ndarray  # uint16[k, clusters]: ascending by ``strength``
    label: np.ndarray  # int32[situations]
    strength: np.ndarray  # float64[k]: mean win probability


class Turn(NamedTuple):
    """The turn of a flop, clustered."""

    of: Situations
    hands: transport.BucketMasses
    over: transport.CostMatrix
    win: np.ndarray  # float64[situations]
    start: np.ndarray  # int32[situations]: the partition by strength alone that k-means began with
    clustering: transport.TransportClustering
    strength: np.ndarray  # float64[k], ascending

    @property
    def label(self) -> np.ndarray:
        """int32[situations]"""
        return self.clustering.label


def river(
    flop: np.ndarray, ranks: int, cluster_of_class: np.ndarray, buckets: int, seed: int
) -> FlopRiver:
    """Cluster all rivers of ``flop`` int8[3] into ``buckets``, fewer where fewer hands differ.

    ``cluster_of_class`` uint8[classes] are the opponents' hands in clusters.
    """
    of = situations(flop, ranks, 5)
    ochs = np.empty((of.offset[-1], int(cluster_of_class.max()) + 1), np.uint16)
    win, cluster_of_hole = np.empty(len(ochs), np.uint16), cluster_of_class[classes(ranks)]
    hands, every = RoundHands(of.boards, of.offset), (0, len(of.boards.count))
    features_kernels.river_clusters(deck(ranks), hands, cluster_of_hole, (ochs, win), every)
    return _river(of, ochs, win / win_scale(ranks, "river"), buckets, seed)


def again(
    flop: np.ndarray, ranks: int, first: FlopRiver, buckets: int, seed: int
) -> tuple[FlopRiver, "Turn"]:
    """The same hands of ``flop`` int8[3] clustered from another seed.

    Beside ``first`` it shows how far chance decides the buckets.
    """
    second = _river(first.of, first.ochs, first.win, buckets, seed)
    return second, turn(flop, ranks, second, spread(second.of, second.label), buckets, seed)


def _river(
    of: Situations, ochs: np.ndarray, chance: np.ndarray, buckets: int, seed: int
) -> FlopRiver:
    label, centroid = _clustered(ochs, of.weight, buckets, "river", "l2", seed)
    order, label, strength = _by_strength(label, chance, of.weight, len(centroid))
    return FlopRiver(of, ochs, chance, centroid[order], label, strength)


def _clustered(
    points: np.ndarray, weight: np.ndarray, buckets: int, name: str, metric: str, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Labels and centroids of all ``points`` by k-means on a sample, fewer where fewer differ."""
    rows = sample_rows(len(points), _LEARNED[name], generator(seed, name))
    k = min(buckets, len(np.unique(points[rows], axis=0)))
    own, most = int(generator(seed, name).integers(1 << 62)), _ITERATIONS[name]
    learned = cluster(points[rows], weight[rows], k, metric, own, max_iterations=most, quiet=True)
    return nearest(points, learned.centroid, metric)[0], learned.centroid


def turn(
    flop: np.ndarray, ranks: int, after: FlopRiver, table: np.ndarray, buckets: int, seed: int
) -> Turn:
    """Cluster the turn hands of ``flop`` int8[3] by the river buckets that they become.

    ``table`` uint16[H, H] is :func:`spread` of the river's buckets.
    """
    of = situations(flop, ranks, 4)
    _, first = np.unique(of.number.ravel(), return_index=True)
    first = first[len(first) - of.offset[-1] :]  # without -1
    card, hole = first // of.number.shape[1], first % of.number.shape[1]
    atoms = np.empty((len(first), runouts(ranks, "turn")), np.uint16)
    kernels.river_atoms(card, hole, n_cards(ranks), table, atoms)
    over = transport.cost_matrix(after.centroid)
    hands = transport.hands(atoms, of.weight, over)
    win, row = after.strength[atoms], np.arange(len(atoms)).repeat(atoms.shape[1])
    # By strength alone, as the blueprint's turn.
    points = cumulative(win_histograms(row, win.ravel(), len(atoms)))
    start, _ = _clustered(points, of.weight, buckets, "turn", "emd", seed)
    k = int(start.max()) + 1
    clustering = transport.cluster(hands, start, k, over, _TRANSPORT_ITERATIONS)
    chance = win.mean(axis=1)
    _, label, strength = _by_strength(clustering.label, chance, of.weight, k)
    return Turn(of, hands, over, chance, start, clustering._replace(label=label), strength)


def _by_strength(label, win, weight, k) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The order of ``k`` buckets by mean win probability, labels and means in that order."""
    mass = np.bincount(label, weight, minlength=k)
    strength = np.bincount(label, weight * win, minlength=k) / np.maximum(mass, 1)
    order = np.argsort(strength, kind="stable")
    return order, np.argsort(order).astype(np.int32)[label], strength[order]


def spread(of: Situations, label: np.ndarray) -> np.ndarray:
    """``label`` int32[situations] as a table uint16[row, H]; BLOCKED where ``number`` is -1."""
    out = label.astype(np.uint16)[of.number]
    out[of.number < 0] = BLOCKED
    return out
