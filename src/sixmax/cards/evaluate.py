"""Values of poker hands: of one hand of 5 to 7 cards, and of all holes on one board.

A value is ``category << 26 | groups << 13 | kickers``: a higher value wins, equal values tie.
Groups and kickers are rank masks: the ranks of quads, trips or pairs (the highest rank of a
straight), and the cards beside them that count. A straight is five neighbouring ranks of the deck;
the wheel (A-2-3-4-5) exists in the full deck alone, where the ace is rank 12.
"""

import numpy as np

from sixmax.base.jit import njit
from sixmax.cards.deck import LANE, LANE_BITS, hole_id, pack

_CATEGORY_SHIFT = 26
_GROUP_SHIFT = 13
# The categories, from high card = 0 on.
_PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL_HOUSE, _QUADS, _STRAIGHT_FLUSH = (
    category << _CATEGORY_SHIFT for category in range(1, 9)
)
BLOCKED = -1

_MASKS = np.arange(LANE + 1)
_SIZE = np.bitwise_count(_MASKS)  # of a rank mask, uint8
_TOP = np.where(_MASKS > 0, 2 ** np.floor(np.log2(np.maximum(_MASKS, 1))), 0).astype(np.int16)


@njit
def _top(mask: int) -> int:
    return int(_TOP[mask])


@njit
def _keep(mask: int, size: int) -> int:
    """The ``size`` highest ranks of ``mask``, or all if there are no more."""
    while _SIZE[mask] > size:
        mask &= mask - 1
    return mask


@njit
def _straight(mask: int) -> int:
    """The highest rank, as a bit, of the best straight among ranks ``mask``; 0 for none."""
    low_ace = mask << 1 | mask >> 12  # bit r + 1 is rank r; bit 0 an ace below the deuce
    starts = low_ace & low_ace >> 1 & low_ace >> 2 & low_ace >> 3 & low_ace >> 4
    return _top(starts) << 3


@njit
def _suited(mask: int) -> int:
    """The value of ranks ``mask``, five or more, of one suit."""
    straight = _straight(mask)
    if straight:
        return _STRAIGHT_FLUSH | straight << _GROUP_SHIFT
    return _FLUSH | _keep(mask, 5)


@njit
def _unsuited(ones: int, twos: int, threes: int, fours: int) -> int:
    """The value of a hand without a flush, from the ranks held at least 1, 2, 3, 4 times."""
    if fours:
        return _QUADS | fours << _GROUP_SHIFT | _top(ones & ~fours)
    trips = _top(threes)
    pairs = twos & ~trips
    if trips and pairs:
        return _FULL_HOUSE | trips << _GROUP_SHIFT | _top(pairs)
    straight = _straight(ones)
    if straight:
        return _STRAIGHT | straight << _GROUP_SHIFT
    if trips:
        return _TRIPS | trips << _GROUP_SHIFT | _keep(ones & ~trips, 2)
    if not pairs:
        return _keep(ones, 5)
    pair = _top(pairs)
    if pair == pairs:
        return _PAIR | pair << _GROUP_SHIFT | _keep(ones & ~pair, 3)
    both = pair | _top(pairs & ~pair)
    return _TWO_PAIR | both << _GROUP_SHIFT | _top(ones & ~both)


@njit
def evaluate_packed(packed: int) -> int:
    """The value of a packed set of 5 to 7 cards (unchecked)."""
    c, d = packed & LANE, packed >> LANE_BITS & LANE
    h, s = packed >> 2 * LANE_BITS & LANE, packed >> 3 * LANE_BITS
    # At most one suit has five of seven cards, and then no rank is held often enough for a full
    # house or quads: a flush, if there is one, decides.
    if _SIZE[c] >= 5:
        return _suited(c)
    if _SIZE[d] >= 5:
        return _suited(d)
    if _SIZE[h] >= 5:
        return _suited(h)
    if _SIZE[s] >= 5:
        return _suited(s)
    cd, hs, c_or_d, h_or_s = c & d, h & s, c | d, h | s
    twos = cd | hs | (c_or_d & h_or_s)
    threes = (cd & h_or_s) | (hs & c_or_d)
    return _unsuited(c_or_d | h_or_s, twos, threes, cd & hs)


@njit
def evaluate(cards: np.ndarray) -> int:
    """The value of distinct ``cards`` int8[5 to 7] (unchecked): higher wins, equal ties."""
    return evaluate_packed(pack(cards))


@njit
def _fill_unsuited(board: int, ranks: int, out: np.ndarray) -> None:
    """Write each hole's value without regard to flushes."""
    c, d = board & LANE, board >> LANE_BITS & LANE
    h, s = board >> 2 * LANE_BITS & LANE, board >> 3 * LANE_BITS
    b1 = c | d | h | s
    b2 = (c & d) | (h & s) | ((c | d) & (h | s))
    b3 = (c & d & (h | s)) | (h & s & (c | d))
    b4 = c & d & h & s
    row = np.empty(4 * ranks, np.int32)
    for high in range(ranks):
        i = 1 << high
        i1, i2, i3, i4 = b1 | i, b2 | (b1 & i), b3 | (b2 & i), b4 | (b3 & i)
        for low in range(high + 1):
            j = 1 << low
            value = _unsuited(i1 | j, i2 | (i1 & j), i3 | (i2 & j), i4 | (i3 & j))
            row[4 * low : 4 * low + 4] = value
        for hi in range(4 * high, 4 * high + 4):
            first = hi * (hi - 1) // 2
            for lo in range(hi):
                out[first + lo] = row[lo]


@njit
def _fill_suited(on_board: int, suit: int, ranks: int, out: np.ndarray) -> None:
    """Write the flushes of one suit, of which the board has the three or more ranks given."""
    size = _SIZE[on_board]
    if size == 5:
        out[:] = _suited(on_board)
    for high in range(ranks):
        i = 1 << high
        if on_board & i:
            continue
        hi = 4 * high + suit
        if size >= 4:
            value = _suited(on_board | i)
            for other in range(4 * ranks):
                if other & 3 != suit:
                    out[hole_id(hi, other)] = value
        for low in range(high):
            j = 1 << low
            if not on_board & j:
                out[hole_id(hi, 4 * low + suit)] = _suited(on_board | i | j)


@njit
def rank_holes(board: np.ndarray, ranks: int, out: np.ndarray) -> None:
    """Write the value of every hole on ``board`` int8[3 to 5] into ``out`` int32[H].

    Holes that the board blocks get BLOCKED. Without a flush a value depends on the hole's two ranks
    alone: at most 91 evaluations serve the 1,081 hands of a river.
    """
    packed = pack(board)
    _fill_unsuited(packed, ranks, out)
    for suit in range(4):
        on_board = packed >> LANE_BITS * suit & LANE
        if _SIZE[on_board] >= 3:
            _fill_suited(on_board, suit, ranks, out)
    for card in board:
        for other in range(4 * ranks):
            if other != card:
                out[hole_id(card, other)] = BLOCKED
