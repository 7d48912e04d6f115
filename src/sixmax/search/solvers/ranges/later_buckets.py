"""The buckets of later rounds, for every hole on every board that may follow."""

import numpy as np

from sixmax.abstraction.board_lookup import board_tables, buckets_on_board
from sixmax.abstraction.buckets import Buckets
from sixmax.abstraction.flop.kernels import river_bucket, turn_bucket
from sixmax.abstraction.flop.store import FlopBuckets
from sixmax.base.jit import njit
from sixmax.cards.deck import card_bit, hole_cards, pack
from sixmax.search.solvers.ranges.boards import that_follow


def later_buckets(
    board: np.ndarray, buckets: Buckets, ranks: int, later: FlopBuckets | None = None
) -> tuple[np.ndarray | None, ...]:
    """The argument ``buckets`` of :func:`sixmax.search.solvers.ranges.game.endgame`, by round.

    int32[boards, H]; None for the current round 0, in which each hand is its own bucket. ``board``
    is int8[3 to 5]. ``later`` are the buckets of this flop; None takes the blueprint's ``buckets``.
    A hole that shares a card with a board has bucket 0 there and is never dealt.
    """
    by_round: list[np.ndarray | None] = [None]
    for dealt in that_follow(board, ranks)[1:]:
        out = np.zeros((len(dealt), ranks * 4 * (ranks * 4 - 1) // 2), np.int32)
        if later is None:
            _blueprint_kernel(dealt, board_tables(buckets, ranks), hole_cards(ranks), out)
        else:
            _flop_kernel(dealt, later, hole_cards(ranks), out)
        by_round.append(out)
    return tuple(by_round)


@njit
def _blueprint_kernel(dealt, tables, hole, out):
    for b in range(len(dealt)):
        buckets_on_board(tables, dealt[b], hole, out[b])
        for h in range(len(hole)):
            out[b, h] = max(out[b, h], 0)


@njit
def _flop_kernel(dealt, later, hole, out):
    for b in range(len(dealt)):
        taken = pack(dealt[b])
        for h in range(len(hole)):
            if taken & (card_bit(hole[h, 0]) | card_bit(hole[h, 1])):
                continue
            if dealt.shape[1] == 4:
                out[b, h] = turn_bucket(later, dealt[b, 3], h)
            else:
                out[b, h] = river_bucket(later, dealt[b, 3], dealt[b, 4], h)
