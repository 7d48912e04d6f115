"""Situations by their numbers, from boards and orbits of ``sixmax.cards.isomorphism``."""

import numpy as np

from sixmax.cards.deck import as_cards, hole_cards, n_holes
from sixmax.cards.isomorphism import boards, canonical_board, offsets, orbits, permute_hole


def situation_index(hole, board="", ranks=13):
    """The number of the situation of two hole cards on a board of 0, 3, 4 or 5 cards."""
    hole, board = as_cards(hole, ranks), as_cards(board, ranks)
    table, perm = boards(ranks, len(board)), np.empty(4, np.int8)
    board_id = canonical_board(table, board, perm)
    orbit = np.empty(n_holes(ranks), np.int16)
    orbits(table.cards[board_id], orbit)
    return int(offsets(ranks, len(board))[board_id] + orbit[permute_hole(*hole, perm)])


def situation(index, k, ranks=13):
    """The smallest hole, and the canonical board of ``k`` cards, of the situation ``index``."""
    table, offset = boards(ranks, k), offsets(ranks, k)
    board_id = int(np.searchsorted(offset, index, side="right")) - 1
    orbit = np.empty(n_holes(ranks), np.int16)
    orbits(table.cards[board_id], orbit)
    hole = int(np.argmax(orbit == index - offset[board_id]))
    return hole_cards(ranks)[hole], table.cards[board_id].copy()
