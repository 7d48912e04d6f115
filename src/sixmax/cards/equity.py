"""Exact equities: rivers against hands or clusters of hands, class against class.

River equities go up the ladder of strengths (:mod:`sixmax.cards.strength_ladder`). The clusters are
the opponents of OCHS (Johanson, Burch, Valenzano and Bowling, "Evaluating State-Space Abstractions
in Extensive-Form Games", AAMAS 2013). Class against class is what a game needs of the cards whose
decisions all fall before the flop.
"""

import functools
from math import comb
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, parallel, prange
from sixmax.cards.deck import classes, hole_cards, n_cards
from sixmax.cards.evaluate import BLOCKED
from sixmax.cards.isomorphism import Boards, boards
from sixmax.cards.strength_ladder import add_beaten, climb, live, new_ladder, rungs

_PARTS = 32  # of the boards, that threads share


@njit
def sweep(size, s, wins2):
    """Write twice the wins plus the ties of each hole to ``wins2`` int32[H]; BLOCKED stays.

    ``s`` is the Ladder of a river with ``size`` hands. The equity against a uniformly random
    opponent is ``wins2 / (2 * C(n - 7, 2))``, exact with card removal.
    """
    # Arrays are taken out of the tuple first: each access in a loop would count references.
    order, low, high, stops = s.order, s.low, s.high, s.stop
    held = np.zeros(64, np.int32)
    wins2[:] = BLOCKED
    start = 0
    while start < size:
        stop = stops[start]
        for i in range(start, stop):
            wins2[order[i]] = start - held[low[i]] - held[high[i]]
        for i in range(start, stop):
            held[low[i]] += 1
            held[high[i]] += 1
        for i in range(start, stop):
            # + 1: the hole itself is among those met, once, and was taken off for each card
            wins2[order[i]] += stop - held[low[i]] - held[high[i]] + 1
        start = stop


@njit
def sweep_clusters(size, cluster_of_hole, s, wins2, total):
    """The same against the holes of each of K clusters, ``cluster_of_hole`` uint8[H] < K.

    Writes int32[H, K] ``wins2`` and ``total``, the opponents of each cluster that hole and board
    leave: the equity is ``wins2 / (2 * total)``. Both are 0 for blocked holes.
    """
    hands, order = rungs(s, size), s.order[:size]
    lane, clusters = cluster_of_hole[order], wins2.shape[1]
    held, once = np.empty((64, clusters), np.int32), np.ones(clusters, np.int32)
    wins2[:] = 0
    total[:] = 0
    add_beaten(lane, hands, once, wins2, held, order)
    live(lane, hands, once, total, held, order)


class Matchups(NamedTuple):
    """Counts over disjoint pairs of holes, one of each class, and boards."""

    # int32[C, C]: where the row's hole has the better hand (at most 144 x 1,712,304)
    wins: np.ndarray
    deals: np.ndarray  # int64[C, C]: all of them; deals - wins - wins.T are split pots

    @property
    def lead(self) -> np.ndarray:
        """The probability that the row's class wins less that it loses: float64[C, C]."""
        return (self.wins - self.wins.T) / np.maximum(self.deals, 1)


@functools.lru_cache(maxsize=4)
def matchups(ranks: int = 13, board_cards: int = 5) -> Matchups:
    """The matchups of C = ``ranks``² classes on boards of ``board_cards`` cards, 3 to 5.

    7 s on one core for the full deck and five cards. Shared: do not write to its arrays.
    """
    of_hole = classes(ranks)
    part = _matchups_kernel(boards(ranks, board_cards), ranks, of_hole, hole_cards(ranks))
    runouts = comb(n_cards(ranks) - 4, board_cards)
    return Matchups(part.sum(axis=0, dtype=np.int32), pairs(ranks) * runouts)


def pairs(ranks: int) -> np.ndarray:
    """The pairs of holes that share no card, one of each of two classes: int64[C, C]."""
    member = (classes(ranks) == np.arange(ranks * ranks)[:, None]).astype(np.float64)  # [C, H]
    return (member @ disjoint(ranks).astype(np.float64) @ member.T).astype(np.int64)


def disjoint(ranks: int) -> np.ndarray:
    """Whether two holes share no card: bool[H, H]."""
    cards = hole_cards(ranks)
    return (cards[:, None, :, None] != cards[:, None]).all(axis=(2, 3))


@parallel
def _matchups_kernel(boards: Boards, ranks: int, of_hole: np.ndarray, cards: np.ndarray):
    """Wins by part of the boards: int32[parts, C, C]."""
    n = len(boards.count)
    wins = np.zeros((_PARTS, ranks * ranks, ranks * ranks), np.int32)
    for part in prange(_PARTS):
        first, last = n * part // _PARTS, n * (part + 1) // _PARTS
        _count(boards.cards[first:last], boards.count[first:last], ranks, of_hole, cards,
               wins[part])  # fmt: skip
    return wins


@njit
def _count(boards, count, ranks, of_hole, cards, wins):
    """Add ``boards``, each ``count`` times, to ``wins``: the lanes are the classes."""
    s, classes = new_ladder(cards), len(wins)
    held, times = np.empty((4 * ranks, classes), np.int32), np.empty(classes, np.int32)
    for board in range(len(boards)):
        n = climb(boards[board], ranks, s)
        lane = of_hole[s.order[:n]]
        times[:] = count[board]
        add_beaten(lane, rungs(s, n), times, wins, held, lane, False)
