"""Hand against hand where all chips are in: exact, over all boards that may follow."""

import functools
from math import comb

import numpy as np

from sixmax.base.jit import in_parts, njit, read_only
from sixmax.cards.deck import holds, hole_cards, n_cards, n_holes
from sixmax.cards.evaluate import rank_holes
from sixmax.search.solvers.ranges.boards import FINAL, that_follow


@functools.lru_cache(maxsize=4)
def lead(board: tuple[int, ...], ranks: int = 13) -> np.ndarray:
    """The probability that a hand wins less that it loses: float32[n, n], read-only.

    The n hands are those that ``board`` of three or four cards leaves, by ascending hole_id. 0
    where two share a card. The full deck's takes .4 s of a core on a flop; kept for the next
    search on the board.
    """
    dealt = that_follow(board, ranks)[-1]
    later = dealt[:, len(board) :]
    once = np.ascontiguousarray(dealt[(np.diff(later, axis=1) > 0).all(axis=1)])
    free = np.flatnonzero(~holds(np.array(board, np.int8), ranks))
    value = np.empty((len(once), len(free)), np.int32)
    _rank_kernel(once, ranks, free, np.empty(n_holes(ranks), np.int32), value)
    wins = np.zeros((len(free), len(free)), np.int32)
    in_parts(len(free), _wins_kernel, value, wins)
    touch = touching(hole_cards(ranks)[free])
    boards = comb(n_cards(ranks) - 4 - len(board), FINAL - len(board))
    return read_only(np.where(touch, 0, wins / boards).astype(np.float32))


def touching(cards: np.ndarray) -> np.ndarray:
    """Whether two of the hands ``cards`` int[n, 2] share a card: bool[n, n]."""
    return (cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))


@njit
def _rank_kernel(dealt, ranks, free, rank, value):
    """The ranks of the holes ``free`` on each board: int32[boards, n], -1 for blocked ones."""
    for b in range(len(dealt)):
        rank_holes(dealt[b], ranks, rank)
        for i in range(free.size):
            value[b, i] = rank[free[i]]


@njit
def _wins_kernel(value, wins, start, stop):
    """Add the boards on which hands ``start`` to ``stop`` win less those on which they lose."""
    for i in range(start, stop):
        for b in range(len(value)):
            mine = value[b, i]
            if mine < 0:
                continue
            theirs, out = value[b], wins[i]
            for j in range(out.size):
                other = theirs[j]
                won = np.int32(mine > other) - np.int32(mine < other)
                out[j] += won if other >= 0 else np.int32(0)
