"""Buckets without clustering, for games small enough to keep them all.

The tables are those of :class:`sixmax.abstraction.buckets.Buckets` with wider numbers, so the same
dealer reads them.
"""

import numpy as np

from sixmax.abstraction.buckets import Buckets, spread
from sixmax.base.jit import njit
from sixmax.cards.deck import BOARD_CARDS, ROUNDS, classes, n_holes
from sixmax.cards.evaluate import rank_holes
from sixmax.cards.isomorphism import boards, offsets

BLOCKED = -1


def lossless(ranks: int, rounds: int) -> Buckets:
    """Buckets of the first ``rounds`` rounds that tell all situations apart, in Buckets' tables.

    For the full deck 169 before the flop, 1,286,792 on it (Waugh 2013). Bucket ``offset + orbit``
    of :mod:`sixmax.cards.isomorphism`, int32[boards, H], -1 where blocked; before the flop the
    classes. Later rounds have empty tables; strengths are unknown (NaN). Memory is 4 bytes a hand
    and board: 9 MB on the flop, 87 on the turn, 713 on the river.
    """
    counts = np.zeros(len(ROUNDS), np.int32)
    counts[0] = ranks * ranks
    tables = [classes(ranks)[None, :]]
    for r, name in enumerate(ROUNDS[1:rounds], start=1):
        table, offset = boards(ranks, BOARD_CARDS[name]), offsets(ranks, BOARD_CARDS[name])
        bucket = np.empty((len(table.count), n_holes(ranks)), np.int32)
        spread(table, offset, np.arange(offset[-1], dtype=np.int32), BLOCKED, bucket)
        tables.append(bucket)
        counts[r] = offset[-1]
    tables += [np.empty((0, n_holes(ranks)), np.int32)] * (len(ROUNDS) - rounds)
    return Buckets(*tables, counts, np.full((len(ROUNDS), 1), np.nan, np.float32))


def made_hands(ranks: int) -> Buckets:
    """Buckets for a showdown on the flop, by the value of the hand: no card can come.

    Two holes share a bucket if they have the same value on flops of the same ranks, of which both
    or neither have one suit. The suits that they keep from the opponent are lost; the 1,286,792
    situations of the full deck come to 80,288.
    """
    whole, table = lossless(ranks, 2), boards(ranks, BOARD_CARDS["flop"])
    value = np.empty(whole.flop.shape, np.int64)
    _rank_kernel(table.cards, ranks, value)
    rank, suit = table.cards >> 2, table.cards & 3
    kind = np.sort(rank, axis=1).astype(np.int64) @ [1, ranks, ranks * ranks]
    kind = 2 * kind + (suit == suit[:, :1]).all(axis=1)
    key = np.where(value < 0, -1, kind[:, None] << 32 | value)
    keys, bucket = np.unique(key, return_inverse=True)
    assert keys[0] == -1, "every flop blocks some holes"
    counts = whole.counts.copy()
    counts[1] = len(keys) - 1
    return whole._replace(flop=bucket.reshape(key.shape).astype(np.int32) - 1, counts=counts)


@njit
def _rank_kernel(cards: np.ndarray, ranks: int, value: np.ndarray) -> None:
    row = np.empty(value.shape[1], np.int32)
    for board in range(len(cards)):
        rank_holes(cards[board], ranks, row)
        value[board] = row
