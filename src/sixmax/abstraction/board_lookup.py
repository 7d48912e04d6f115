"""Buckets on a real board: rename its suits, find the canonical board, read the holes.

A table of buckets has a row for each canonical board (:mod:`sixmax.cards.isomorphism`) and a column
for each hole. A real board has its row there once its suits are renamed; a hole on it is read with
its suits renamed alike.
"""

from typing import NamedTuple

import numpy as np

from sixmax.abstraction.buckets import Buckets
from sixmax.base.jit import njit, read_only, uncounted
from sixmax.cards.deck import card_bit, pack
from sixmax.cards.isomorphism import boards, find_board, permute_hole, sort_suits

BLOCKED = -1  # the bucket of a hole that shares a card with the board


class BoardTables(NamedTuple):
    """Buckets by [board, hole], and the canonical boards: ``packed`` and ``slots`` of Boards."""

    preflop: np.ndarray  # uint8[1, H]
    flop: np.ndarray  # uint8 or uint16[board, H], as are the next two
    turn: np.ndarray
    river: np.ndarray
    flops: np.ndarray  # int64[board], as are the next two
    turns: np.ndarray
    rivers: np.ndarray
    flop_slots: np.ndarray  # int32[power of two], as are the next two
    turn_slots: np.ndarray
    river_slots: np.ndarray


def board_tables(buckets: Buckets, ranks: int) -> BoardTables:
    """The tables of a look-up in ``buckets``, for a deck of ``ranks`` ranks."""
    known = [boards(ranks, k) for k in (3, 4, 5)]
    packed, slots = [b.packed for b in known], [b.slots for b in known]
    return BoardTables(*map(read_only, (*buckets[:4], *packed, *slots)))


@uncounted
def find_row(slots, packed, board, perm):
    """The row of ``board`` int8[3, 4 or 5] among the canonical boards of its round.

    Writes the new suit of old suit s to ``perm`` int8[4]. Takes the arrays one by one: a loop over
    deals would count references each time a tuple is handed on.
    """
    return find_board(slots, packed, sort_suits(pack(board), perm))


@uncounted
def read_row(table, row, hole, perm, out):
    """Write to ``out`` the buckets of holes in a row, suits renamed by ``perm``.

    ``hole`` int8[2 holes] has the two cards of each hole one after the other.
    """
    for i in range(out.size):
        out[i] = table[row, permute_hole(hole[2 * i], hole[2 * i + 1], perm)]


@njit
def buckets_on_board(tables, board, cards, out):
    """Write the bucket of every hole on ``board`` to ``out`` int32[H], or BLOCKED.

    The board has 0, 3, 4 or 5 cards; ``cards`` int8[H, 2] are the cards of each hole.
    """
    perm = np.arange(4).astype(np.int8)
    # No variable can hold tables of one byte and of two.
    if board.size == 0:
        _read_free(tables.preflop, 0, board, cards, perm, out)
    elif board.size == 3:
        row = find_row(tables.flop_slots, tables.flops, board, perm)
        _read_free(tables.flop, row, board, cards, perm, out)
    elif board.size == 4:
        row = find_row(tables.turn_slots, tables.turns, board, perm)
        _read_free(tables.turn, row, board, cards, perm, out)
    else:
        row = find_row(tables.river_slots, tables.rivers, board, perm)
        _read_free(tables.river, row, board, cards, perm, out)


@uncounted
def _read_free(table, row, board, cards, perm, out):
    taken = pack(board)
    for h in range(out.size):
        low, high = cards[h, 0], cards[h, 1]
        if taken & (card_bit(low) | card_bit(high)):
            out[h] = BLOCKED
        else:
            out[h] = table[row, permute_hole(low, high, perm)]
