"""One part of a subgame on one board: reach goes down, terminals are valued, values go up.

A walk gets the subgame as one player sees it, its orders, and working memory.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import threads_in_use, uncounted
from sixmax.search.solvers.ranges.boards import FollowingBoards
from sixmax.search.solvers.ranges.hands import Hands
from sixmax.search.solvers.ranges.lanes import ALL, LANES, TILE, match
from sixmax.search.solvers.ranges.rows import (
    ZERO,
    HandRows,
    add,
    add_product,
    add_regrets,
    add_strategy,
    ask,
    copy,
    first_row,
    matched,
    multiply,
    of_buckets,
    raise_to,
    sum_by_bucket,
)
from sixmax.search.solvers.ranges.terminals import value_ends
from sixmax.search.solvers.ranges.tree_parts import (
    ACTIONS,
    CHILD,
    DECISIONS,
    ENDS,
    PARTS,
    ROOTS,
    ROW,
    Public,
)

BLOCKS = 16  # of the boards after the first; threads share them
LEARN, PLAY, BEST = range(3)  # for the player: update regrets, play the table, respond best to it


class View(NamedTuple):
    """The data of a subgame that walks share, as the player sees it whose values come back."""

    public: Public
    boards: FollowingBoards
    rows: HandRows
    mine: Hands
    theirs: Hands
    prior: np.ndarray  # float32[n]: weights of mine at the root
    reach: np.ndarray  # and of theirs


class WalkGame(NamedTuple):
    """A subgame as walks take it; ``range`` float32[n] of each player weighs its hands."""

    public: Public
    boards: FollowingBoards
    rows: HandRows
    hands: tuple[Hands, Hands]
    range: tuple[np.ndarray, np.ndarray]


class Here(NamedTuple):
    """A part on a board, and its place in a Room."""

    part: int
    board: int
    thread: int
    level: int


class Pass(NamedTuple):
    """The orders of one walk.

    ``keep`` float64[4] are, in LEARN, the factors of positive and of negative regrets after this
    step and of ``total`` before it, and the weight of the step.
    """

    me: int  # the player whose values come back
    mode: int  # LEARN, PLAY or BEST
    table: np.ndarray  # float32[entries]: strategies are its positive parts, normalised
    total: np.ndarray  # float32[entries]: in LEARN, strategies summed by reach
    keep: np.ndarray
    walked: np.ndarray  # int64[rounds]: boards to walk of those that follow a board
    draw: np.uint64  # draws them
    frozen: np.ndarray  # int32[k, 2]: node and hand of a frozen decision, all of round 0
    fixed: np.ndarray  # float32[k, width]: their strategies
    watched: int = -1  # a decision of round 0, whose values are left in the room; or -1


class Room(NamedTuple):
    """Working memory, float32 by thread and level: the parts on the path to the current one."""

    reach: np.ndarray  # [threads, levels, slots, n]
    own: np.ndarray  # the same
    value: np.ndarray  # the same
    strategy: np.ndarray  # [threads, levels, rows, n]
    prior: np.ndarray  # [threads, levels, n]: weights of my hands
    lanes: np.ndarray  # [threads, n + 1, LANES]
    won: np.ndarray  # the same
    alive: np.ndarray  # the same
    held: np.ndarray  # [threads, 53, LANES]
    scale: np.ndarray  # [threads, 3, LANES]: chips of a fold, of a tie, and a win's gain over it
    by_bucket: np.ndarray  # [threads, actions, buckets]
    sums: np.ndarray  # the same, and rows of reach, of the mean, and of four partial sums
    values: np.ndarray  # [BLOCKS, slots, n]: of the first part, from the boards of a block
    frames: np.ndarray  # int64[threads, levels, 4]: part, board, part that follows, its boards done
    added: np.ndarray  # [rows.shared]: regrets of rows that boards share, of this iteration
    watched: np.ndarray  # [n]: values of my hands at the decision that is watched


def make_room(game: WalkGame) -> Room:
    """Working memory of the threads in use."""
    public, hands, rows, threads = game.public, game.hands, game.rows, threads_in_use()
    n, size = max(len(h.first) for h in hands), int(rows.buckets.max())
    n += -n % TILE  # the last tile of a row is written whole
    parts, actions = len(public.round), public.decisions[:, ACTIONS]
    roots = int(np.diff(public.first[:, ROOTS]).max())
    slots = max(roots, int((public.decisions[:, CHILD] + actions).max(initial=1)))
    slots += 1  # the last is written for no end
    below = int((public.decisions[:, ROW] + actions).max(initial=1))
    most, level = int(actions.max(initial=1)), np.zeros(parts, np.int64)
    for part in range(parts):
        level[public.first[part, PARTS] : public.first[part + 1, PARTS]] = level[part] + 1
    levels, blocks = int(level.max()) + 1, BLOCKS if parts > 1 else 0
    by_slot = (np.zeros((threads, levels, slots, n), np.float32) for _ in range(3))
    lanes = (np.zeros((threads, n + 1, LANES), np.float32) for _ in range(3))
    return Room(
        *by_slot,
        np.zeros((threads, levels, below, n), np.float32),
        np.zeros((threads, levels, n), np.float32),
        *lanes,
        np.zeros((threads, ALL + 1, LANES), np.float32),
        np.zeros((threads, 3, LANES), np.float32),
        np.zeros((threads, most, size), np.float32),
        np.zeros((threads, most + 6, size), np.float32),
        np.zeros((blocks, slots, n), np.float32),
        np.zeros((threads, levels, 4), np.int64),
        np.zeros(rows.shared, np.float32),
        np.zeros(n, np.float32),
    )


@uncounted
def carry_down(view, work, room, here):
    """Strategies and reach from the roots of a part down to its ends and the parts below."""
    part, board, t, level = here
    public, r = view.public, view.public.round[part]
    place, rows, by_bucket = view.boards.first[r] + board, view.rows, room.by_bucket[t]
    reach, own, strategy = room.reach[t, level], room.own[t, level], room.strategy[t, level]
    for i in range(public.first[part, DECISIONS], public.first[part + 1, DECISIONS]):
        _, child, row, actions, player, column, source, source_1, node = public.decisions[i]
        source = source if player == 0 else source_1
        at = row, actions, source, child
        if player != work.me:
            first = first_row(rows, view.theirs, r, place, player, column)
            bucket = view.theirs.bucket[view.theirs.begin[place] : view.theirs.begin[place + 1]]
            _strategies(work, (first, rows.buckets[r], bucket, node), strategy, reach, at, by_bucket)
        elif work.mode != BEST:
            first = first_row(rows, view.mine, r, place, player, column)
            bucket = view.mine.bucket[view.mine.begin[place] : view.mine.begin[place + 1]]
            _strategies(work, (first, rows.buckets[r], bucket, node), strategy, own, at, by_bucket)
            if work.mode == LEARN and rows.buckets[r] == 0:
                ask(work.total, first, actions * bucket.size)  # it is needed on the way up


@uncounted
def _strategies(work, decision, strategy, reach, at, by_bucket):
    """Regret matching at a decision for every hand, and the reach of the actor after each action.

    ``decision`` on a board: its first entry, the entries of a row, the buckets of hands, the node.
    There are 0 entries where each hand has one of its own. ``at``: the decision's row of
    ``strategy``, its actions, its source, its child. Where reach is not wanted it does no harm.
    """
    (first, size, bucket, node), (row, actions, source, child) = decision, at
    shares = strategy[row : row + actions]
    if size:
        matched(work.table, first, actions, size, by_bucket)
        for a in range(actions):
            of_buckets(by_bucket[a], bucket, shares[a])
    else:
        n, row, actions = np.int64(bucket.size), np.int64(row), np.int64(actions)
        for h in range(0, n, TILE):
            place = np.int64(h), first, n, actions, row, np.int64(source), np.int64(child)
            match(strategy, reach, work.table, place)
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
            multiply(below[0], shares[0], out)
            for a in range(1, actions):
                add_product(out, below[a], shares[a])
            if work.mode == LEARN:
                first = first_row(view.rows, view.mine, r, place, work.me, column)
                keep = work.keep[0], work.keep[1], work.keep[2], work.keep[3]
                if size:
                    table = work.table
                    if r > 0:
                        keep, table = (1.0, 1.0, 1.0, work.keep[3]), room.added
                    decision = first, size, bucket, keep
                    _learn_by_bucket(work, decision, below, own[source], (room, table), here)
                else:
                    _learn(work, (first, keep, work.table), below, out, shares, own[source])
        if node == work.watched:
            copy(out, room.watched[:n])


@uncounted
def _learn(work, decision, value, mean, shares, own):
    """Add the regrets and strategies of a decision of mine to its rows, from ``first`` on."""
    (first, keep, table), n = decision, mean.size
    for a in range(len(value)):
        here = slice(first + a * n, first + (a + 1) * n)
        add_regrets(table[here], value[a], mean, keep)
        add_strategy(work.total[here], shares[a], own, keep)


@uncounted
def _learn_by_bucket(work, decision, value, own, room, here):
    """The same in a round with buckets, whose hands count by their weights in ``room``.

    All hands of a bucket play alike, so that sums over them are enough: of the value of each
    action, and of reach.
    """
    (first, size, bucket, keep), actions, (room, table) = decision, len(value), room
    prior, shares = room.prior[here.thread, here.level], room.by_bucket[here.thread]
    sums = room.sums[here.thread]
    matched(work.table, first, actions, size, shares)
    reach, mean, partial = sums[actions], sums[actions + 1, :size], sums[actions + 2 : actions + 6]
    mean[:] = ZERO
    sum_by_bucket(own, prior, bucket, partial, reach[:size])
    for a in range(actions):
        sum_by_bucket(value[a], prior, bucket, partial, sums[a, :size])
        add_product(mean, sums[a], shares[a])
    _learn(work, (first, keep, table), sums[:actions], mean, shares, reach)


@uncounted
def value_terminals(view, work, room, here):
    """Value the terminals of a part on a board."""
    part, board, t, level = here
    public, place = view.public, view.boards.first[view.public.round[part]] + board
    first = public.first[part, ENDS + work.me]
    last = public.first[part, ENDS + 1] if work.me == 0 else public.first[part + 1, ENDS]
    if first < last:
        ends = public.ends[first:last], public.stake[first:last]
        sums = room.lanes[t], room.won[t], room.alive[t], room.held[t], room.scale[t]
        players = view.mine, view.theirs
        value_ends(ends, players, place, room.reach[t, level], room.value[t, level], sums)
