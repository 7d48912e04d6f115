"""One part of a subgame on one board: reach goes down, terminals are valued, values go up."""

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
from sixmax.search.solvers.ranges.terminals import value_ends
from sixmax.search.solvers.ranges.tree_parts import DECISIONS, ENDS


@uncounted
def carry_down(view, work, part, board, room, t, level):
    """Strategies and reach from the roots of a part down to its ends and the parts below."""
    public, r = view.public, view.public.round[part]
    place = view.boards.first[r] + board
    reach, own, strategy = room.reach[t, level], room.own[t, level], room.strategy[t, level]
    for i in range(public.first[part, DECISIONS], public.first[part + 1, DECISIONS]):
        _, child, row, actions, player, column, source, source_1, node = public.decisions[i]
        shares = strategy[row : row + actions]
        source = source if player == 0 else source_1
        if player != work.me:
            n = _strategies(
                view, work, view.theirs, r, place, player, column, shares, room.by_bucket[t]
            )
            _freeze(work, node, shares)
            for a in range(actions):
                multiply(reach[source], shares[a], reach[child + a, :n])
        elif work.mode != BEST:
            n = _strategies(
                view, work, view.mine, r, place, player, column, shares, room.by_bucket[t]
            )
            _freeze(work, node, shares)
            for a in range(actions if work.mode == LEARN else 0):
                multiply(own[source], shares[a], own[child + a, :n])


@uncounted
def _strategies(view, work, hands, r, place, player, column, shares, by_bucket):
    """Regret matching at a decision for every hand: ``shares[a, hand]``; returns their number."""
    begin, end = hands.begin[place], hands.begin[place + 1]
    first, size = first_row(view.rows, hands, r, place, player, column), view.rows.buckets[r]
    if size:
        matched(work.table, first, len(shares), size, by_bucket)
        for a in range(len(shares)):
            of_buckets(by_bucket[a], hands.bucket[begin:end], shares[a])
    else:
        matched(work.table, first, len(shares), end - begin, shares)
    return end - begin


@uncounted
def _freeze(work, node, shares):
    """Put the frozen strategies of a decision in their rows."""
    for k in range(len(work.frozen)):
        if work.frozen[k, 0] == node:
            for a in range(len(shares)):
                shares[a, work.frozen[k, 1]] = work.fixed[k, a]


@uncounted
def carry_up(view, work, part, board, room, t, level):
    """Values from the ends of a part, and the parts below, up to its roots; regrets on the way."""
    public, r = view.public, view.public.round[part]
    place = view.boards.first[r] + board
    n = view.mine.begin[place + 1] - view.mine.begin[place]
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
            if work.mode == LEARN and view.rows.buckets[r]:
                _learn_by_bucket(
                    view, work, r, place, column, below, own[source], room.prior[t, level],
                    room.by_bucket[t], room.sums[t],
                )  # fmt: skip
            elif work.mode == LEARN:
                first = first_row(view.rows, view.mine, r, place, work.me, column)
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
def _learn_by_bucket(view, work, r, place, column, value, own, prior, shares, sums):
    """The same in a round with buckets, whose hands count by ``prior``.

    All hands of a bucket play alike, so that sums over them are enough: of the value of each
    action, and of reach.
    """
    hands, size, actions = view.mine, view.rows.buckets[r], len(value)
    first = first_row(view.rows, hands, r, place, work.me, column)
    bucket = hands.bucket[hands.begin[place] : hands.begin[place + 1]]
    matched(work.table, first, actions, size, shares)
    reach, mean, partial = sums[actions], sums[actions + 1, :size], sums[actions + 2 : actions + 6]
    mean[:] = ZERO
    sum_by_bucket(own, prior, bucket, partial, reach[:size])
    for a in range(actions):
        sum_by_bucket(value[a], prior, bucket, partial, sums[a, :size])
        add_product(mean, sums[a], shares[a])
    _learn(work, first, sums[:actions], mean, shares, reach)


@uncounted
def value_terminals(view, work, part, board, room, t, level):
    """Value the terminals of a part on a board."""
    public, place = view.public, view.boards.first[view.public.round[part]] + board
    first = public.first[part, ENDS + work.me]
    last = public.first[part, ENDS + 1] if work.me == 0 else public.first[part + 1, ENDS]
    if first < last:
        value_ends(
            public.ends[first:last], public.stake[first:last], view.mine, view.theirs, place,
            room.reach[t, level], room.value[t, level], room.lanes[t], room.won[t], room.alive[t],
            room.held[t],
        )  # fmt: skip
