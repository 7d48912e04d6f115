"""One part of a subgame on one board: reach goes down, terminals are valued, values go up.

A walk gets the subgame as one player sees it, its orders, and working memory.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import uncounted
from sixmax.base.vectors import TILE
from sixmax.search.solvers.ranges.boards import FollowingBoards
from sixmax.search.solvers.ranges.half_rows import pack, unpack
from sixmax.search.solvers.ranges.hands import Hands
from sixmax.search.solvers.ranges.rows import (
    HandRows,
    add_by_bucket,
    add_product,
    copy,
    first_row,
    matched_by_bucket,
    multiply,
    raise_to,
    sum_values,
    weigh_regrets,
    weigh_strategy,
)
from sixmax.search.solvers.ranges.terminals import value_ends
from sixmax.search.solvers.ranges.tiles import add_up, learn, match
from sixmax.search.solvers.ranges.tree_parts import DECISIONS, ENDS, Public

LEARN, PLAY, BEST = range(3)  # for the player: update regrets, play the table, respond best to it


class View(NamedTuple):
    """The data of a subgame that walks share, as the player sees it whose values come back."""

    public: Public
    boards: FollowingBoards
    rows: HandRows
    mine: Hands
    theirs: Hands
    prior: np.ndarray  # float32[n]: weights by which hands of mine share a bucket
    reach: np.ndarray  # and those of theirs at the root


class WalkGame(NamedTuple):
    """A subgame as walks take it; ``range`` float32[n] of each player weighs its hands.

    By ``prior`` float32[n] hands of one bucket count in its regrets and sums. In safe solving the
    range of the opponent is its choice, and no weight of what it could win.
    """

    public: Public
    boards: FollowingBoards
    rows: HandRows
    hands: tuple[Hands, Hands]
    range: tuple[np.ndarray, np.ndarray]
    prior: tuple[np.ndarray, np.ndarray]


class Here(NamedTuple):
    """A part on a board, and its place in a Room."""

    part: int
    board: int
    thread: int
    level: int


class Pass(NamedTuple):
    """The orders of one walk.

    ``keep`` float64[6] are, in LEARN, the factors of positive and of negative regrets after this
    step and of ``total`` before it, the weight of the step, and a probability that is added to the
    reach of every hand in ``total``; and the number of the iteration.
    """

    me: int  # the player whose values come back
    mode: int  # LEARN, PLAY or BEST
    table: np.ndarray  # float32[entries]: strategies are its positive parts, normalised
    total: np.ndarray  # float32[entries]: in LEARN, strategies summed by reach
    # float32[entries]: in LEARN, the regrets where ``table`` has them with those of the last step
    # once more (a predictive method); float32[0] where it has them alone.
    regret: np.ndarray
    # int16[., entries]: the same tables of half width, one after the other; else int16[0, 0].
    half: np.ndarray
    keep: np.ndarray
    walked: np.ndarray  # int64[rounds]: boards to walk of those that follow a board
    draw: np.uint64  # draws them
    frozen: np.ndarray  # int32[k, 2]: node and hand of a frozen decision, all of round 0
    fixed: np.ndarray  # float32[k, width]: their strategies
    # In LEARN, values at some decisions are summed over the iterations, and the opponent's reach
    # that they are against, both weighed as strategies are:
    number: np.ndarray  # int64[nodes]: of such a decision among those of its round; else -1
    # int64[rounds, 3]: where the rows of each player begin, as HandRows.base; such decisions
    value_rows: np.ndarray
    values: np.ndarray  # float32[entries]: a row by hand for both players, on every board
    reaches: np.ndarray  # float32[entries]: likewise
    watched: int = -1  # a decision of round 0, whose values are left in the room; or -1


@uncounted
def carry_down(view, work, room, here):
    """Strategies and reach from the roots of a part down to its ends and the parts below."""
    part, board, t, level = here
    public, r = view.public, view.public.round[part]
    place, rows = view.boards.first[r] + board, view.rows
    reach, own, strategy = room.reach[t, level], room.own[t, level], room.strategy[t, level]
    whole = room.whole[t]
    for i in range(public.first[part, DECISIONS], public.first[part + 1, DECISIONS]):
        _, child, row, actions, player, column, source, source_1, node = public.decisions[i]
        source = source if player == 0 else source_1
        at = row, actions, source, child
        if player != work.me:
            first = first_row(rows, view.theirs, r, place, player, column)
            bucket = view.theirs.bucket[view.theirs.begin[place] : view.theirs.begin[place + 1]]
            _strategies(work, (first, rows.buckets[r], bucket, node), whole, strategy, reach, at)
        elif work.mode != BEST:
            first = first_row(rows, view.mine, r, place, player, column)
            bucket = view.mine.bucket[view.mine.begin[place] : view.mine.begin[place + 1]]
            _strategies(work, (first, rows.buckets[r], bucket, node), whole, strategy, own, at)


@uncounted
def _strategies(work, decision, whole, strategy, reach, at):
    """Regret matching at a decision for every hand, and the actor's reach after each action.

    ``decision`` on a board: its first entry, the entries of a row, the buckets of hands, the node.
    There are 0 entries where each hand has one of its own. ``at``: the decision's row of
    ``strategy``, its actions, its source, its child. Where reach is not wanted it does no harm.
    """
    (first, size, bucket, node), (row, actions, source, child) = decision, at
    shares, table, n = strategy[row : row + actions], work.table, np.int64(bucket.size)
    if work.half.size:
        table = whole[0]
        unpack(work.half[0], first, n, actions, table)
        first = np.int64(0)
    if size:
        matched_by_bucket(table, first, size, bucket, shares)
    else:
        for h in range(0, n, TILE):
            match(strategy, reach, table, (h, first, n, actions, row, source, child))
    _freeze(work, node, shares)
    if size or len(work.frozen):
        for a in range(actions):
            multiply(reach[source], shares[a], reach[child + a, : bucket.size])


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
        slot, child, row, actions, player, column, source_0, source_1, node = public.decisions[i]
        out, below, shares = value[slot, :n], value[child : child + actions], strategy[row:]
        source = source_0 if player == 0 else source_1
        if player != work.me:
            for h in range(0, n, TILE):
                add_up(value, (h, actions, slot, child))
        elif work.mode == LEARN and not size:
            first = first_row(view.rows, view.mine, r, place, work.me, column)
            decision = first, n, actions, slot, child, row, source
            if work.half.size:
                _learn_packed(work, room.whole[t], (value, strategy, own), decision)
            else:
                tables = work.table, work.total, work.regret
                _learn(tables, (value, strategy, own), decision, work.keep)
        elif work.mode == BEST:
            copy(below[0], out)
            for a in range(1, actions):
                raise_to(out, below[a])
        else:
            multiply(below[0], shares[0], out)
            for a in range(1, actions):
                add_product(out, below[a], shares[a])
            if work.mode == LEARN:
                first = first_row(view.rows, view.mine, r, place, work.me, column)
                rows = (first, size, bucket), (room.prior[t, level], room.added)
                _learn_by_bucket(work, rows, below, out, shares, own[source])
        if node == work.watched:
            copy(out, room.watched[:n])
        number = work.number[node]
        if work.mode == LEARN and number >= 0:
            theirs = source_1 if work.me == 0 else source_0
            reach = room.reach[t, level, theirs]
            sum_values(work, (work.value_rows[r], place, number), view, out, reach)


@uncounted
def _learn_packed(work, whole, rows, decision):
    """:func:`_learn` where the tables have half width."""
    first, n, actions, slot, child, row, source = decision
    for k in range(len(work.half)):
        unpack(work.half[k], first, n, actions, whole[k])
    regret = whole[2] if len(work.half) > 2 else whole[2, :0]
    decision = np.int64(0), n, actions, slot, child, row, source
    _learn((whole[0], whole[1], regret), rows, decision, work.keep)
    for k in range(len(work.half)):
        draw = np.uint32((np.int64(work.keep[5]) * 4 + k) * 0x85EBCA77)
        pack(whole[k], work.half[k], first, n, actions, draw)


@uncounted
def _learn(tables, rows, decision, keep):
    """The values of a decision of mine, where each hand has rows of its own; they learn.

    ``tables`` as the first three of :class:`Pass`.
    """
    (first, n, actions, slot, child, row, source), (table, total, regret) = decision, tables
    factors = (
        np.float32(keep[0]), np.float32(keep[1]), np.float32(keep[2]), np.float32(keep[3]),
        np.float32(keep[4]),
    )  # fmt: skip
    for h in range(0, n, TILE):
        at = h, first, n, actions, slot, child, row, source
        if regret.size:
            learn(rows, (regret, table, total), at, factors)
        else:
            learn(rows, (table, total), at, factors)


@uncounted
def _learn_by_bucket(work, decision, value, mean, shares, own):
    """The same in a round with buckets, whose hands count by their weights ``prior``.

    All hands of a bucket play alike, so that its regret is the sum of theirs. Those of a step
    gather in ``added``, because the hands of other boards are to play as these did. Values and
    strategies have served by now: their rows are overwritten.
    """
    (first, size, bucket), (prior, added) = decision
    for a in range(len(value)):
        here = slice(first + a * size, first + (a + 1) * size)
        weigh_regrets(value[a], mean, prior, work.keep)
        add_by_bucket(value[a], bucket, added[here])
        weigh_strategy(shares[a], own, prior[: bucket.size], work.keep)
        add_by_bucket(shares[a], bucket, work.total[here])


@uncounted
def value_terminals(view, work, room, here):
    """Value the terminals of a part on a board."""
    part, board, t, level = here
    public, place = view.public, view.boards.first[view.public.round[part]] + board
    first = public.first[part, ENDS + work.me]
    last = public.first[part, ENDS + 1] if work.me == 0 else public.first[part + 1, ENDS]
    if first < last:
        ends = public.ends[first:last], public.stake[first:last]
        sums = room.lanes[t], room.sums[t], room.won[t], room.alive[t], room.scale[t]
        players = view.mine, view.theirs
        value_ends(ends, players, place, room.reach[t, level], room.value[t, level], sums)
