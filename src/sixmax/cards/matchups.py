"""Class against class before the flop, over all boards: exact counts, card removal included.

A game whose decisions all fall before the flop needs no more of the cards than these tables.
"""

import functools
from math import comb
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, parallel, prange
from sixmax.cards.deck import classes, hole_cards, n_cards, n_holes
from sixmax.cards.isomorphism import Boards, boards
from sixmax.cards.strength_ladder import add_beaten, climb, new_ladder, rungs

_PARTS = 32


class Matchups(NamedTuple):
    """Over disjoint pairs of holes, one of each class, and boards; a pair of classes has at most
    144 x 1,712,304 of them, which an int32 holds.

    wins: int32[C, C]   where the row's hole has the better hand
    deals: int64[C, C]  all of them; deals - wins - wins.T are split pots
    """

    wins: np.ndarray
    deals: np.ndarray

    @property
    def lead(self) -> np.ndarray:
        """The probability that the row's class wins less that it loses: float64[C, C]."""
        return (self.wins - self.wins.T) / np.maximum(self.deals, 1)


@functools.lru_cache(maxsize=4)
def matchups(ranks: int = 13, board_cards: int = 5) -> Matchups:
    """The matchups of C = ``ranks``² classes on boards of ``board_cards`` cards, 3 to 5.

    The full deck takes 7 s on one core for five cards: cheaper than keeping them. Shared: do not
    write to its arrays.
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
    holds = np.zeros((n_holes(ranks), n_cards(ranks)), np.float32)
    np.put_along_axis(holds, cards.astype(np.int64), 1.0, axis=1)
    return holds @ holds.T == 0


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
