"""Lossless buckets: one for every situation up to suits, for games small enough to keep them all.

169 before the flop, 1,286,792 on it (Waugh 2013). The tables are those of
:class:`sixmax.abstraction.buckets.Buckets` with wider numbers, so the same dealer reads them.
"""

import numpy as np

from sixmax.abstraction.buckets import Buckets
from sixmax.abstraction.features import BOARD_CARDS, ROUNDS
from sixmax.cards.deck import classes, n_holes
from sixmax.cards.isomorphism import Boards, boards, offsets, orbits
from sixmax.jit import njit

BLOCKED = -1


def lossless(ranks: int, rounds: int) -> Buckets:
    """Buckets of the first ``rounds`` rounds that tell all situations apart; other tables are empty.

    The flop's table is int32[1755, H] for the full deck, ``offset + orbit`` of
    :mod:`sixmax.cards.isomorphism`, -1 where blocked; the first round has the preflop classes.
    Strengths are unknown (NaN). Memory is 4 bytes a hand and board: 9 MB on the flop, 87 on the
    turn, 713 on the river.
    """
    counts = np.zeros(len(ROUNDS), np.int32)
    counts[0] = ranks * ranks
    tables = [classes(ranks)[None, :]]
    for r, name in enumerate(ROUNDS[1:], start=1):
        if r >= rounds:
            tables.append(np.empty((0, n_holes(ranks)), np.int32))
            continue
        table, offset = boards(ranks, BOARD_CARDS[name]), offsets(ranks, BOARD_CARDS[name])
        bucket = np.empty((len(table.count), n_holes(ranks)), np.int32)
        _number(table, offset, bucket)
        tables.append(bucket)
        counts[r] = offset[-1]
    return Buckets(*tables, counts, np.full((len(ROUNDS), 1), np.nan, np.float32))


@njit
def _number(boards: Boards, offset: np.ndarray, bucket: np.ndarray) -> None:
    orbit = np.empty(bucket.shape[1], np.int16)
    for board in range(len(boards.count)):
        orbits(boards.cards[board], orbit)
        for hole in range(len(orbit)):
            if orbit[hole] < 0:
                bucket[board, hole] = BLOCKED
            else:
                bucket[board, hole] = offset[board] + orbit[hole]
