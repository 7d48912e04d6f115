"""One part of a subgame on one board: reach goes down, terminals are valued, values go up."""

from sixmax.jit import uncounted
from sixmax.search.solvers.ranges.parts import DECISIONS, ENDS
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
from sixmax.search.solvers.ranges.terminals import value_ends


@uncounted
def carry_down(view, work, part, board, room, t, level):
    """Strategies and reach from the roots of a part down to its ends and the parts below."""
    public, r = view.public, view.public.round[part]
    at = view.boards.first[r] + board
    reach, own, strategy = room.reach[t, level], room.own[t, level], room.strategy[t, level]
    for i in range(public.first[part, DECISIONS], public.first[part + 1, DECISIONS]):
        slot, child, row, actions, player, column, first, second, node = public.decisions[i]
        rows = strategy[row : row + actions]  # of more numbers than hands, so that they lie apart
        source = first if player == 0 else second
        if player != work.me:
            n = _strategies(view, work, view.theirs, r, at, player, column, rows, room.by_bucket[t])
            _freeze(work, node, rows)
            for a in range(actions):
                multiply(reach[source], rows[a], reach[child + a, :n])
        elif work.mode != BEST:
            n = _strategies(view, work, view.mine, r, at, player, column, rows, room.by_bucket[t])
            _freeze(work, node, rows)
            for a in range(actions if work.mode == LEARN else 0):
                multiply(own[source], rows[a], own[child + a, :n])


@uncounted
def _strategies(view, work, hands, r, board, player, column, out, by_bucket):
    """Regret matching at a decision for every hand: ``out[a, hand]``; returns their number."""
    rows, n = view.rows, len(out)
    begin, end = hands.begin[board], hands.begin[board + 1]
    at = first_row(rows, hands, view.boards.first[r], r, board, player, column)
    size = rows.buckets[r]
    if size:
        matched(work.table, at, n, size, by_bucket)
        for a in range(n):
            of_buckets(by_bucket[a], hands.bucket[begin:end], out[a])
    else:
        matched(work.table, at, n, end - begin, out)
    return end - begin


@uncounted
def _freeze(work, node, rows):
    """Put the frozen strategies of a decision in their rows."""
    for k in range(len(work.frozen)):
        if work.frozen[k, 0] == node:
            for a in range(len(rows)):
                rows[a, work.frozen[k, 1]] = work.fixed[k, a]


@uncounted
def carry_up(view, work, part, board, room, t, level):
    """Values from the ends of a part, and the parts below, up to its roots; regrets on the way."""
    public, r = view.public, view.public.round[part]
    at = view.boards.first[r] + board
    n = view.mine.begin[at + 1] - view.mine.begin[at]
    value, own, strategy = room.value[t, level], room.own[t, level], room.strategy[t, level]
    for i in range(public.first[part + 1, DECISIONS] - 1, public.first[part, DECISIONS] - 1, -1):
        slot, child, row, actions, player, column, first, second, node = public.decisions[i]
        out, below, rows = value[slot, :n], value[child : child + actions], strategy[row:]
        source = first if player == 0 else second
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
                add_product(out, below[a], rows[a])
            if work.mode == LEARN:
                if view.rows.buckets[r]:
                    _learn_by_bucket(
                        view, work, r, at, column, below, own[source], room.prior[t, level],
                        room.by_bucket[t], room.sums[t],
                    )  # fmt: skip
                else:
                    _learn(view, work, r, at, column, below, out, own[source], rows)


@uncounted
def _learn(view, work, r, board, column, value, mean, own, strategy):
    """Add the regrets of a decision of mine, and its strategy to the sums."""
    hands, n = view.mine, mean.size
    first = first_row(view.rows, hands, view.boards.first[r], r, board, work.me, column)
    for a in range(len(value)):
        here = slice(first + a * n, first + (a + 1) * n)
        add_regrets(work.table[here], value[a], mean, work.keep)
        add_strategy(work.total[here], strategy[a], own, work.keep)


@uncounted
def _learn_by_bucket(view, work, r, board, column, value, own, prior, shares, sums):
    """The same in a round with buckets, whose hands count by ``prior``.

    All hands of a bucket play alike, so that sums over them are enough: of the value of each
    action, and of reach.
    """
    hands, size = view.mine, view.rows.buckets[r]
    first = first_row(view.rows, hands, view.boards.first[r], r, board, work.me, column)
    bucket = hands.bucket[hands.begin[board] : hands.begin[board + 1]]
    actions = len(value)
    matched(work.table, first, actions, size, shares)
    reach, mean = sums[actions, :size], sums[actions + 1, :size]
    mean[:] = ZERO
    sum_by_bucket(own, prior, bucket, sums[actions + 2 :], reach)
    for a in range(actions):
        sum_by_bucket(value[a], prior, bucket, sums[actions + 2 :], sums[a])
        add_product(mean, sums[a], shares[a])
    for a in range(actions):
        here = slice(first + a * size, first + (a + 1) * size)
        add_regrets(work.table[here], sums[a], mean, work.keep)
        add_strategy(work.total[here], shares[a], reach, work.keep)


@uncounted
def value_terminals(view, work, part, board, room, t, level):
    """Value the terminals of a part on a board."""
    public, r = view.public, view.public.round[part]
    first = public.first[part, ENDS + work.me]
    last = public.first[part, ENDS + 1] if work.me == 0 else public.first[part + 1, ENDS]
    if first == last:
        return
    final = r == len(view.boards.fan) - 1
    value_ends(
        public.ends[first:last], public.stake[first:last], view.mine, view.theirs,
        view.boards.first[r] + board, final, room.reach[t, level], room.value[t, level],
        room.lanes[t], room.won[t], room.alive[t], room.held[t],
    )  # fmt: skip
