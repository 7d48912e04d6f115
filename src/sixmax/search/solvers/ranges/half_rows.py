"""Rows of a table in 16 bits: half of the memory, for a digit of the numbers.

A row is whole numbers and, behind them, the power of two that they count: its exponent. A kernel
writes the rows of a decision out in 32 bits, works on them, and packs them again. The largest
number of a row keeps 14 bits or 15. What is smaller than a unit is rounded up or down by chance,
as often as its size says: sums grow by less than a unit late in a solve, and the nearest number
would be the old one for ever. A row that has not changed is packed into the same bits.
"""

import math

import numpy as np

from sixmax.base.jit import formula, njit, uncounted
from sixmax.search.solvers.ranges.game import RangeGame
from sixmax.search.solvers.ranges.rows import first_row

MOST = np.int64(32767)
_BITS, _BIAS = 23, 127  # of the fraction of a float32, and what its exponent has more
_LEAST = -100  # the smallest exponent; smaller numbers are zero


@uncounted
def unpack(half, first, n, rows, out):
    """Write ``rows`` rows of ``n`` numbers, which begin at ``half[first]``, to ``out``: float32."""
    for a in range(rows):
        at = first + a * (n + 1)
        unit = np.float32(math.ldexp(1.0, np.int64(half[at + n])))
        row, to = half[at : at + n], out[a * n : (a + 1) * n]
        for h in range(n):
            to[h] = unit * np.float32(row[h])


@uncounted
def pack(rows, half, first, n, number, draw):
    """Write ``number`` rows of ``n`` numbers of ``rows`` float32 to ``half`` from ``first`` on.

    ``draw`` uint32 and the place of a number round it.
    """
    for a in range(number):
        row, at = rows[a * n : (a + 1) * n], first + a * (n + 1)
        bits, largest = row.view(np.int32), np.int32(0)
        for h in range(n):  # the bits of positive floats are in their order
            largest = max(largest, np.int32(bits[h] & np.int32(0x7FFFFFFF)))
        exponent = max(np.int64(largest >> _BITS) - _BIAS - 14, _LEAST)
        to, count = half[at : at + n], np.float32(math.ldexp(1.0, -exponent))
        start = np.uint32(np.uint32(at) * np.uint32(0x9E3779B1)) ^ draw
        for h in range(n):
            up = np.float32(_mixed(np.uint32(start + h))) * np.float32(2.0**-8)
            new = np.int32(np.floor(row[h] * count + up))
            to[h] = max(min(new, np.int32(MOST)), np.int32(-MOST))
        half[at + n] = exponent


@formula
def _mixed(number):
    """Eight bits that look drawn, of a uint32: folded and multiplied twice."""
    number = np.uint32((number ^ number >> np.uint32(16)) * np.uint32(0x85EBCA6B))
    number = np.uint32((number ^ number >> np.uint32(13)) * np.uint32(0xC2B2AE35))
    return np.int32(number >> np.uint32(24))


@njit
def write_out(game, half, out):
    """Write every number of the table ``half`` int16[entries] to its place in ``out`` float32."""
    rows, places = game.rows, game.boards.first
    for r in range(len(rows.buckets)):
        for player in range(2):
            hands = game.hands[player]
            for place in range(places[r], places[r + 1]):
                n = hands.begin[place + 1] - hands.begin[place]
                first = first_row(rows, hands, r, place, player, 0)
                for column in range(rows.columns[r, player]):
                    at = first + column * (n + 1)
                    unpack(half, at, n, 1, out[at : at + n])


def halved(game: RangeGame) -> RangeGame:
    """``game`` with tables of 16 bits: each row has its exponent behind it.

    Raises ValueError for rows by bucket.
    """
    rows, first = game.rows, game.boards.first
    if rows.buckets.any():
        raise ValueError("rows by bucket: wanted 32 bits, for all boards add to them")
    before = np.array([[held.begin[b] + b for held in game.hands] for b in first])
    sizes = np.diff(before, axis=0) * rows.columns
    begin = (np.cumsum(sizes.ravel()) - sizes.ravel()).reshape(sizes.shape)
    base = begin - before[:-1] * rows.columns
    return game._replace(rows=rows._replace(base=base, entries=int(sizes.sum()), behind=1))
