"""Tables with a row of hands (or buckets) for each action, and arithmetic on rows."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, unchecked, uncounted
from sixmax.betting.tree import Tree
from sixmax.search.solvers.ranges.hands import Hands

ZERO, ONE = np.float32(0.0), np.float32(1.0)
TINY, HUGE = np.float32(1e-36), np.float32(0.9e36)  # sums below have no inverse in float32


class HandRows(NamedTuple):
    """The layout of a table of float32, one array for all rounds.

    A decision has a row for each action. In a round without buckets each board has a block of rows,
    with an entry for each hand of the player; in one with buckets all boards share one block, with
    an entry for each bucket. Without buckets the rows of a player begin after ``base``, as if the
    hands of all earlier rounds had rows there too.
    """

    base: np.ndarray  # int64[rounds, 2]: where the rows of a player begin
    columns: np.ndarray  # int64[rounds, 2]: its actions
    buckets: np.ndarray  # int64[rounds]: 0 in a round without
    shared: int  # entries of rows by bucket, the first of the table
    later: bool  # whether boards share some of them: a round after the first has buckets
    entries: int  # of the table
    behind: int = 0  # entries behind each row without buckets: 1 of half width, for the exponent


@uncounted
def first_row(rows, hands, r, place, player, column):
    """The address of the first row of a decision; its rows follow each other."""
    base, size = rows.base[r, player], rows.buckets[r]
    if size:
        return base + column * size
    begin, end = hands.begin[place], hands.begin[place + 1]
    before = (begin + rows.behind * place) * rows.columns[r, player]
    return base + before + column * (end - begin + rows.behind)


@uncounted
def _add_value(total, value, keep):
    """The sum of values at a node after a step."""
    shrink, weight = np.float32(keep[2]), np.float32(keep[3])
    for h in range(total.size):
        total[h] = total[h] * shrink + weight * value[h]


@uncounted
def sum_values(work, at, view, value, reach):
    """Add my values and the opponent's reach at a decision to their sums in a Pass.

    ``at``: the row of ``value_rows`` of the round, the place of the board, the decision's number.
    """
    (rows, place, number), n = at, value.size
    first = rows[work.me] + view.mine.begin[place] * rows[2] + number * n
    _add_value(work.values[first : first + n], value, work.keep)
    begin, end = view.theirs.begin[place], view.theirs.begin[place + 1]
    first = rows[1 - work.me] + begin * rows[2] + number * (end - begin)
    _add_value(work.reaches[first : first + end - begin], reach, work.keep)


class Summed(NamedTuple):
    """Sums of values and of the opponent's reach, as a Pass has them."""

    number: np.ndarray
    rows: np.ndarray
    values: np.ndarray
    reaches: np.ndarray


def summed(tree: Tree, first: np.ndarray, hands: Sequence[Hands], nodes: Sequence[int]) -> Summed:
    """Empty sums at the decisions ``nodes``; ``first`` as in FollowingBoards."""
    number = np.full(len(tree.node), -1)
    rows, size = np.zeros((len(first) - 1, 3), np.int64), 0
    for x in nodes:
        r = tree.round(x)
        number[x], rows[r, 2] = rows[r, 2], rows[r, 2] + 1
    for r, player in np.ndindex(len(rows), 2):
        begin, end = hands[player].begin[first[r : r + 2]]
        rows[r, player] = size - begin * rows[r, 2]
        size += int(end - begin) * int(rows[r, 2])
    return Summed(number, rows, *np.zeros((2, size), np.float32))


@njit
def shrink_shared(rows, player, total, keep):
    """Shrink the sums of a player's rows that hands share, before they learn."""
    for r in range(len(rows.buckets)):
        size = rows.buckets[r] * rows.columns[r, player]
        if size and keep[2] != 1.0:
            scale(total[rows.base[r, player] : rows.base[r, player] + size], np.float32(keep[2]))


@njit
def discount_shared(rows, player, regret, table, added, keep):
    """Add to the regrets of a player's rows that hands share those of all; discount.

    ``regret`` and ``table`` as in :class:`Pass`.
    """
    positive, negative = np.float32(keep[0]), np.float32(keep[1])
    for r in range(len(rows.buckets)):
        first = rows.base[r, player]
        for i in range(first, first + rows.buckets[r] * rows.columns[r, player]):
            new = (regret[i] if regret.size else table[i]) + added[i]
            new *= positive if new > ZERO else negative
            table[i] = new
            if regret.size:
                regret[i], table[i] = new, new + added[i]
            added[i] = ZERO


@uncounted
def scale(row, factor):
    for h in range(row.size):
        row[h] *= factor


@unchecked
def matched_by_bucket(table, at, size, bucket, out):
    """Regret matching by the rows of buckets, ``size`` each: ``out[a]`` are shares by hand."""
    n = len(out)
    even = np.float32(1.0 / n)
    total, last = out[n - 1], table[at + (n - 1) * size : at + n * size]
    for h in range(bucket.size):
        total[h] = max(last[bucket[h]], ZERO)
    for a in range(n - 1):
        row, to = table[at + a * size : at + (a + 1) * size], out[a]
        for h in range(bucket.size):
            to[h] = max(row[bucket[h]], ZERO)
            total[h] += to[h]
    for h in range(bucket.size):
        total[h] = ONE / max(total[h], TINY)  # one division a hand takes as long as ten sums
    for a in range(n - 1):
        to = out[a]
        for h in range(bucket.size):
            share = to[h] * total[h]
            to[h] = share if total[h] < HUGE else even
    for h in range(bucket.size):
        share = max(last[bucket[h]], ZERO) * total[h]
        total[h] = share if total[h] < HUGE else even


@uncounted
def weigh_regrets(value, mean, prior, keep):
    """Turn the values of an action into its regrets, weighed by the hands."""
    weight = np.float32(keep[3])
    for h in range(mean.size):
        value[h] = weight * prior[h] * (value[h] - mean[h])


@uncounted
def weigh_strategy(strategy, own, prior, keep):
    """Weigh the probabilities of an action by the hands and their reach and more."""
    weight, more = np.float32(keep[3]), np.float32(keep[4])
    for h in range(prior.size):
        strategy[h] = weight * prior[h] * (own[h] + more) * strategy[h]


@uncounted
def add_by_bucket(row, bucket, out):
    """Add the row of hands to ``out``, each to its bucket.

    An addition waits for the last to the same bucket, and neighbours in strength often share one:
    so quarters of the hands go side by side.
    """
    n = bucket.size // 4
    for h in range(n):
        i, j, k = h + n, h + 2 * n, h + 3 * n
        out[bucket[h]] += row[h]
        out[bucket[i]] += row[i]
        out[bucket[j]] += row[j]
        out[bucket[k]] += row[k]
    for h in range(4 * n, bucket.size):
        out[bucket[h]] += row[h]


@uncounted
def take(row, hands, place, dealt, out):
    """The row of a board's hands from that before its last card; where not ``dealt``, the same."""
    begin, n = hands.begin[place], hands.begin[place + 1] - hands.begin[place]
    if dealt:
        up = hands.up[begin : begin + n]
        for h in range(n):
            out[h] = row[np.uint16(up[h])]
    else:
        copy(row, out[:n])


@uncounted
def give(row, hands, place, dealt, weight, out):
    """Add ``weight`` times the row of a board's hands to that before its last card.

    Where not ``dealt`` that is the same board, and the weight is 1.
    """
    begin, n = hands.begin[place], hands.begin[place + 1] - hands.begin[place]
    if dealt:
        up = hands.up[begin : begin + n]
        for h in range(n):
            out[np.uint16(up[h])] += weight * row[h]
    else:
        add(out[:n], row)


@uncounted
def add_renamed(row, hands, place, spare):
    """Add to the row of a board's hands the same by every permutation of suits that keeps it.

    ``spare`` is a row of working memory.
    """
    first, last = hands.images[place], hands.images[place + 1]
    n = hands.begin[place + 1] - hands.begin[place]
    if first < last:
        copy(row[:n], spare[:n])
    while first < last:
        image = hands.image[first : first + n]
        for h in range(n):
            row[h] += spare[np.uint16(image[h])]
        first += n


@uncounted
def copy(row, out):
    for h in range(out.size):
        out[h] = row[h]


@uncounted
def multiply(left, right, out):
    for h in range(out.size):
        out[h] = left[h] * right[h]


@uncounted
def add(out, value):
    for h in range(out.size):
        out[h] += value[h]


@uncounted
def add_product(out, value, strategy):
    for h in range(out.size):
        out[h] += value[h] * strategy[h]


@uncounted
def raise_to(out, value):
    for h in range(out.size):
        out[h] = max(out[h], value[h])
