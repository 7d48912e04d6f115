"""Kernels of :mod:`~sixmax.abstraction.flop.cluster`: number hands, look up their buckets."""

import numpy as np

from sixmax.base.jit import njit
from sixmax.cards.deck import hole_id, pack
from sixmax.cards.isomorphism import find_board, permute_card, permute_hole, sort_suits

BLOCKED = 65535  # where a card would be held twice


@njit
def find_boards(flop, dealt, slots, packed, board, perm):
    """The canonical board int32[row] and suits int8[row, 4] of ``flop`` and each row's cards.

    ``dealt`` is int8[row, 1 or 2]; ``slots`` and ``packed`` are those of the round's Boards. -1
    where the flop holds a card.
    """
    cards, taken = np.empty(3 + dealt.shape[1], np.int8), pack(flop)
    cards[:3] = flop
    for row in range(len(dealt)):
        board[row] = -1
        if not taken & pack(dealt[row]):
            cards[3:] = dealt[row]
            board[row] = find_board(slots, packed, sort_suits(pack(cards), perm[row]))


@njit
def number_hands(board, perm, offset, orbit, hole_cards, out):
    """The situation int32[row, H] of each hole on the board of each row; -1 if blocked.

    ``board`` int32[row] (-1: none) counts in ``offset`` and ``orbit`` int16[board, H].
    """
    for row in range(len(board)):
        for hole in range(len(hole_cards)):
            out[row, hole] = -1
            if board[row] >= 0:
                image = permute_hole(hole_cards[hole, 0], hole_cards[hole, 1], perm[row])
                situation = orbit[board[row], image]
                if situation >= 0:
                    out[row, hole] = offset[board[row]] + situation


@njit
def river_atoms(turn, hole, deck, river, atoms):
    """The river buckets that follow each hand: ``atoms`` uint16[n, rivers], ascending.

    ``turn`` and ``hole`` [n] are the hands, ``river`` uint16[H, H] the buckets of all rivers.
    """
    for i in range(len(turn)):
        size = 0
        for card in range(deck):
            if card != turn[i]:
                bucket = river[hole_id(turn[i], card), hole[i]]
                if bucket != BLOCKED:
                    atoms[i, size] = bucket
                    size += 1
        atoms[i].sort()


@njit
def turn_bucket(buckets, turn, hole):
    """The bucket of the hole with that id when ``turn`` is dealt; BLOCKED if a card is taken."""
    return int(buckets.turn[permute_card(turn, buckets.suits), buckets.hole[hole]])


@njit
def river_bucket(buckets, turn, river, hole):
    """The bucket on the river, whichever of its two cards came first; BLOCKED as above."""
    suits = buckets.suits
    pair = hole_id(permute_card(turn, suits), permute_card(river, suits))
    return int(buckets.river[pair, buckets.hole[hole]])
