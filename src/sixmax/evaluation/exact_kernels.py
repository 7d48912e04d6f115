"""Terminal values of all hands on many boards at once, against an opponent's range."""

from sixmax.jit import njit, parallel, prange


@parallel
def live_kernel(reach, value, pair, out):
    """The range that each hole leaves: ``out[board, hole]``, the sum of ``reach`` over the holes
    that share no card with it or with the board.

    ``reach``, ``out`` float64[boards, H]; ``value`` int32[boards, H], negative where the board
    blocks the hole, and there ``out`` is 0; ``pair`` int8[H, 2], the cards of each hole.
    """
    for board in prange(len(reach)):
        _live(reach[board], value[board], pair, out[board])


@njit
def _live(reach, value, pair, out):
    cards = pair[-1, 1] + 1
    total, held = 0.0, [0.0] * cards
    for hole in range(len(value)):
        if value[hole] >= 0:
            total += reach[hole]
            held[pair[hole, 0]] += reach[hole]
            held[pair[hole, 1]] += reach[hole]
    for hole in range(len(value)):
        out[hole] = 0.0
        if value[hole] >= 0:  # + its own: taken off once for each card
            out[hole] = total - held[pair[hole, 0]] - held[pair[hole, 1]] + reach[hole]


@parallel
def lead_kernel(reach, value, order, size, pair, out):
    """The range that each hole beats less the range that beats it, as :func:`live_kernel`.

    ``order`` int16[boards, H]: the first ``size`` holes are those not blocked, by ascending value.
    """
    for board in prange(len(reach)):
        _lead(reach[board], value[board], order[board], size, pair, out[board])


@njit
def _lead(reach, value, order, size, pair, out):
    """Up and down the ladder of values: what lies below counts, what lies above counts against."""
    cards = pair[-1, 1] + 1
    out[:] = 0.0
    for way in (1, -1):
        total, held = 0.0, [0.0] * cards
        start = 0
        while start < size:
            stop = start
            at = start if way > 0 else size - 1 - start
            worth = value[order[at]]
            while stop < size and value[order[at]] == worth:
                hole = order[at]
                out[hole] += way * (total - held[pair[hole, 0]] - held[pair[hole, 1]])
                stop += 1
                at += way
                if at < 0:
                    break
            for i in range(start, stop):
                hole = order[i if way > 0 else size - 1 - i]
                total += reach[hole]
                held[pair[hole, 0]] += reach[hole]
                held[pair[hole, 1]] += reach[hole]
            start = stop
