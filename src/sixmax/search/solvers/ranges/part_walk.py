"""One part of a subgame on one board: reach goes down, terminals are valued, values go up."""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import uncounted
from sixmax.search.solvers.ranges.room import BEST, LEARN
from sixmax.search.solvers.ranges.rows import (
    ZERO,
    add,
    add_product,
    add_regrets,
    add_strategy,
    copy,
    first_row,
    matched,
    multiply,
    of_buckets,
    raise_to,
    sum_by_bucket,
)
from sixmax.search.solvers.ranges.terminals import Ends, SweepRoom, value_ends
from sixmax.search.solvers.ranges.tree_parts import DECISIONS, ENDS


class PlacedRows(NamedTuple):
    """The rows of a decision on a board: the first entry, entries a row, the hands' buckets.

    ``size`` is 0 where each hand has an entry of its own.
    """

    first: int
    size: int
    bucket: np.ndarray


@uncounted
def carry_down(view, work, room, here):
    """Strategies and reach from the roots of a part down to its ends and the parts below."""
    part, board, t, level = here
    public, r = view.public, view.public.round[part]
    place, rows, by_bucket = view.boards.first[r] + board, view.rows, room.by_bucket[t]
    reach, own, strategy = room.reach[t, level], room.own[t, level], room.strategy[t, level]
    for i in range(public.first[part, DECISIONS], public.first[part + 1, DECISIONS]):
        _, child, row, actions, player, column, source, source_1, node = public.decisions[i]
        shares = strategy[row : row + actions]
        source = source if player == 0 else source_1
        if player != work.me:
            first = first_row(rows, view.theirs, r, place, player, column)
            bucket = view.theirs.bucket[view.theirs.begin[place] : view.theirs.begin[place + 1]]
            _strategies(work.table, PlacedRows(first, rows.buckets[r], bucket), shares, by_bucket)
            _freeze(work, node, shares)
            for a in range(actions):
                multiply(reach[source], shares[a], reach[child + a, : bucket.size])
        elif work.mode != BEST:
            first = first_row(rows, view.mine, r, place, player, column)
            bucket = view.mine.bucket[view.mine.begin[place] : view.mine.begin[place + 1]]
            _strategies(work.table, PlacedRows(first, rows.buckets[r], bucket), shares, by_bucket)
            _freeze(work, node, shares)
            for a in range(actions if work.mode == LEARN else 0):
                multiply(own[source], shares[a], own[child + a, : bucket.size])


@uncounted
def _strategies(table, decision, shares, by_bucket):
    """Regret matching at a decision for every hand: ``shares[a, hand]``."""
    first, size, bucket = decision
    if size:
        matched(table, first, len(shares), size, by_bucket)
        for a in range(len(shares)):
            of_buckets(by_bucket[a], bucket, shares[a])
    else:
        matched(table, first, len(shares), bucket.size, shares)


@uncounted
def _freeze(work, node, shares):
    """Put the frozen strategies of a decision in their rows."""
    for k in range(len(work.frozen)):
        if work.frozen[k, 0] == node:
            for a in range(len(shares)):
                shares[a, work.frozen[k, 1]] = work.fixed[k, a]


@uncounted
def carry_up(view, work, room, here):
    """Values from the ends of a part, and the parts below, up to its roots; regrets on the way."""
    part, board, t, level = here
    public, r = view.public, view.public.round[part]
    place, size = view.boards.first[r] + board, view.rows.buckets[r]
    bucket = view.mine.bucket[view.mine.begin[place] : view.mine.begin[place + 1]]
    n = bucket.size
    value, own, strategy = room.value[t, level], room.own[t, level], room.strategy[t, level]
    for i in range(public.first[part + 1, DECISIONS] - 1, public.first[part, DECISIONS] - 1, -1):
        slot, child, row, actions, player, column, source, source_1, node = public.decisions[i]
        out, below, shares = value[slot, :n], value[child : child + actions], strategy[row:]
        source = source if player == 0 else source_1
        if player != work.me:
            copy(below[0], out)
            for a in range(1, actions):
                add(out, below[a])
        elif work.mode == BEST:
            copy(below[0], out)
            for a in range(1, actions):
                raise_to(out, below[a])
        else:
            out[:] = ZERO
            for a in range(actions):
                add_product(out, below[a], shares[a])
            if work.mode == LEARN:
                first = first_row(view.rows, view.mine, r, place, work.me, column)
                if size:
                    decision = PlacedRows(first, size, bucket)
                    _learn_by_bucket(work, decision, below, own[source], room, here)
                else:
                    _learn(work, first, below, out, shares, own[source])
        if node == work.watched:
            copy(out, room.watched[:n])


@uncounted
def _learn(work, first, value, mean, shares, own):
    """Add the regrets and strategies of a decision of mine to its rows, from ``first`` on."""
    n = mean.size
    for a in range(len(value)):
        here = slice(first + a * n, first + (a + 1) * n)
        add_regrets(work.table[here], value[a], mean, work.keep)
        add_strategy(work.total[here], shares[a], own, work.keep)


@uncounted
def _learn_by_bucket(work, decision, value, own, room, here):
    """The same in a round with buckets, whose hands count by their weights in ``room``.

    All hands of a bucket play alike, so that sums over them are enough: of the value of each
    action, and of reach.
    """
    (first, size, bucket), actions = decision, len(value)
    prior, shares = room.prior[here.thread, here.level], room.by_bucket[here.thread]
    sums = room.sums[here.thread]
    matched(work.table, first, actions, size, shares)
    reach, mean, partial = sums[actions], sums[actions + 1, :size], sums[actions + 2 : actions + 6]
    mean[:] = ZERO
    sum_by_bucket(own, prior, bucket, partial, reach[:size])
    for a in range(actions):
        sum_by_bucket(value[a], prior, bucket, partial, sums[a, :size])
        add_product(mean, sums[a], shares[a])
    _learn(work, first, sums[:actions], mean, shares, reach)


@uncounted
def value_terminals(view, work, room, here):
    """Value the terminals of a part on a board."""
    part, board, t, level = here
    public, place = view.public, view.boards.first[view.public.round[part]] + board
    first = public.first[part, ENDS + work.me]
    last = public.first[part, ENDS + 1] if work.me == 0 else public.first[part + 1, ENDS]
    if first < last:
        ends = Ends(public.ends[first:last], public.stake[first:last])
        sums = SweepRoom(room.lanes[t], room.won[t], room.alive[t], room.held[t])
        players = view.mine, view.theirs
        value_ends(ends, players, place, room.reach[t, level], room.value[t, level], sums)
