"""Boards and situations up to a renaming of suits, with dense numbers in both directions.

A board is *canonical* when the rank masks of suits 0..3 descend. The canonical boards of a round
are numbered in the order of their packed masks. A *situation* is a hole and a board up to suits: on
a canonical board, an orbit of holes under the suit permutations that fix the board. Its number is
``offset[board] + orbit``, the orbits of a board in the order of their smallest holes. Waugh ("A
fast and optimal hand isomorphism algorithm", 2013) counts the same situations.
"""

import functools
from itertools import permutations
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.base.rng import mix
from sixmax.cards import deck
from sixmax.cards.deck import LANE, LANE_BITS, card_bit, hole_id, pack

BLOCKED, _UNSEEN = -1, -2
_PERMUTATIONS = np.array(list(permutations(range(4))), np.int8)


class Boards(NamedTuple):
    """The canonical boards of one round."""

    cards: np.ndarray  # int8[B, k]: ascending in each row
    count: np.ndarray  # int32[B]: boards, suits told apart, that this one stands for
    packed: np.ndarray  # int64[B]: the same cards packed, ascending
    slots: np.ndarray  # int32[power of two]: hash table from packed to id; -1 is empty


@njit
def sort_suits(packed: int, suit_perm_out: np.ndarray) -> int:
    """Pack the cards anew with suits renamed so that their masks descend; equal ones keep order.

    Writes the new suit of old suit s to ``suit_perm_out`` int8[4].
    """
    a = (packed & LANE) << 2 | 3
    b = (packed >> LANE_BITS & LANE) << 2 | 2
    c = (packed >> 2 * LANE_BITS & LANE) << 2 | 1
    d = (packed >> 3 * LANE_BITS) << 2
    a, b = max(a, b), min(a, b)
    c, d = max(c, d), min(c, d)
    a, c = max(a, c), min(a, c)
    b, d = max(b, d), min(b, d)
    b, c = max(b, c), min(b, c)
    suit_perm_out[3 - (a & 3)] = 0
    suit_perm_out[3 - (b & 3)] = 1
    suit_perm_out[3 - (c & 3)] = 2
    suit_perm_out[3 - (d & 3)] = 3
    return a >> 2 | b >> 2 << LANE_BITS | c >> 2 << 2 * LANE_BITS | d >> 2 << 3 * LANE_BITS


@njit
def _slot(packed: int, size: int) -> int:
    return np.int64(mix(np.uint64(packed)) & np.uint64(size - 1))


@njit
def _canonical_packed(n: int, k: int) -> np.ndarray:
    """Every canonical board of k of n cards, packed: int64[B], in no order."""
    perm = np.empty(4, np.int8)
    result = np.empty(0, np.int64)
    for fill in (False, True):
        chosen = np.arange(k)
        size, more = 0, True
        while more:
            packed = pack(chosen)
            if sort_suits(packed, perm) == packed:
                if fill:
                    result[size] = packed
                size += 1
            more = deck.next_combination(chosen, n)
        if not fill:
            result = np.empty(size, np.int64)
    return result


@njit
def _describe(packed: np.ndarray, n: int, cards: np.ndarray, count: np.ndarray) -> None:
    """Unpack each board, and count the distinct boards among its 24 renamings of suits."""
    for board in range(len(packed)):
        k = 0
        for card in range(n):
            if packed[board] & card_bit(card):
                cards[board, k] = card
                k += 1
        count[board] = 24 // len(_symmetries(packed[board]))


@njit
def _hash(packed: np.ndarray, slots: np.ndarray) -> None:
    slots[:] = -1
    for board in range(len(packed)):
        slot = _slot(packed[board], len(slots))
        while slots[slot] >= 0:
            slot = (slot + 1) & (len(slots) - 1)
        slots[slot] = board


@functools.lru_cache(maxsize=16)
def boards(ranks: int, k: int) -> Boards:
    """The canonical boards of ``k`` cards (0, 3, 4 or 5). Shared: do not write to its arrays.

    Full deck: 1, 1755, 16432, 134459. Raises UserError for another ``k``.
    """
    deck.check_ranks(ranks)
    if k not in deck.BOARD_CARDS.values():
        raise UserError(f"board of {k} cards: wanted 0, 3, 4 or 5")
    packed = np.sort(_canonical_packed(deck.n_cards(ranks), k))
    cards = np.empty((len(packed), k), np.int8)
    count = np.empty(len(packed), np.int32)
    _describe(packed, deck.n_cards(ranks), cards, count)
    slots = np.empty(1 << (2 * len(packed)).bit_length(), np.int32)
    _hash(packed, slots)
    return Boards(cards, count, packed, slots)


@njit
def find_board(slots: np.ndarray, packed_boards: np.ndarray, packed: int) -> int:
    """The id of a canonical board, packed, from ``boards.slots`` and ``boards.packed``; else -1."""
    slot = _slot(packed, len(slots))
    board = slots[slot]
    while board >= 0 and packed_boards[board] != packed:
        slot = (slot + 1) & (len(slots) - 1)
        board = slots[slot]
    return int(board)


@njit
def canonical_board(boards: Boards, board_cards: np.ndarray, suit_perm_out: np.ndarray) -> int:
    """The id of the canonical form of ``board_cards`` int8[k]; -1 if no board of this round.

    Writes the new suit of old suit s to ``suit_perm_out`` int8[4]. A hot loop takes the arrays out
    of ``boards`` and calls :func:`sort_suits` and :func:`find_board`: numba counts references each
    time a tuple is handed on.
    """
    packed = sort_suits(pack(board_cards), suit_perm_out)
    return find_board(boards.slots, boards.packed, packed)


@njit
def permute_card(card: int, perm: np.ndarray) -> int:
    """The card with its suit renamed by ``perm`` int8[4]."""
    return int(card) & ~3 | int(perm[int(card) & 3])


@njit
def permute_hole(a: int, b: int, perm: np.ndarray) -> int:
    """The hole id of cards ``a`` and ``b`` with their suits renamed by ``perm`` int8[4]."""
    return hole_id(permute_card(a, perm), permute_card(b, perm))


@njit
def _symmetries(packed: int) -> np.ndarray:
    """The suit permutations that fix a packed set of cards: int8[1..24, 4]."""
    fixing = np.empty((24, 4), np.int8)
    size = 0
    for perm in _PERMUTATIONS:
        fixed = True
        for suit in range(4):
            image = int(perm[suit])
            difference = packed >> LANE_BITS * suit ^ packed >> LANE_BITS * image
            fixed &= difference & LANE == 0
        if fixed:
            fixing[size] = perm
            size += 1
    return fixing[:size]


@njit
def orbits(board_cards: np.ndarray, out: np.ndarray) -> int:
    """Write the orbit of each hole on ``board_cards`` int8[k] into ``out`` int16[H].

    BLOCKED where the board has a card of the hole. Orbits are numbered in the order of their
    smallest holes. The board may be canonical or not. Returns the number of orbits.
    """
    packed = pack(board_cards)
    symmetries = _symmetries(packed)
    out[:] = _UNSEEN
    number, hole, hi = 0, 0, 1
    while hole < len(out):
        hi_blocked = packed & card_bit(hi) != 0
        for lo in range(hi):
            if hi_blocked or packed & card_bit(lo):
                out[hole] = BLOCKED
            elif out[hole] == _UNSEEN:
                for perm in symmetries:
                    out[permute_hole(lo, hi, perm)] = number
                number += 1
            hole += 1
        hi += 1
    return number


@njit
def _offsets_kernel(cards: np.ndarray, holes: int) -> np.ndarray:
    offset = np.zeros(len(cards) + 1, np.int64)
    orbit = np.empty(holes, np.int16)
    for board in range(len(cards)):
        offset[board + 1] = offset[board] + orbits(cards[board], orbit)
    return offset


@functools.lru_cache(maxsize=16)
def offsets(ranks: int, k: int) -> np.ndarray:
    """The first situation of each canonical board of ``k`` cards, and the end: int64[B + 1].

    Full deck: 169, 1286792, 13960050, 123156254 (Waugh 2013). Shared: do not write to it.
    """
    return _offsets_kernel(boards(ranks, k).cards, deck.n_holes(ranks))


@njit
def _weights_kernel(boards: Boards, offset: np.ndarray, holes: int) -> np.ndarray:
    weight = np.zeros(offset[-1], np.int16)
    orbit = np.empty(holes, np.int16)
    for board in range(len(boards.count)):
        orbits(boards.cards[board], orbit)
        for hole in range(holes):
            if orbit[hole] != BLOCKED:
                weight[offset[board] + orbit[hole]] += boards.count[board]
    return weight


def situation_weights(ranks: int, k: int) -> np.ndarray:
    """The number of raw deals (hole and board, suits told apart) of each situation.

    int16[situations], 1 to 24; sums to C(n, 2) * C(n - 2, k). 246 MB for k = 5, full deck.
    """
    return _weights_kernel(boards(ranks, k), offsets(ranks, k), deck.n_holes(ranks))
