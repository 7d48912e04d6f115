"""Regret matching and learning for eight hands at once, by functions for kernels.

Rows of working memory have whole tiles of TILE hands, and the last is read and written whole. Rows
of tables follow each other, so that of the last tile the hands alone are written; TILE numbers more
lie after the last row.
"""

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from sixmax.base.jit import numba
from sixmax.base.vectors import NOTHING, TILE, VECTOR, all_of, are_rows, spread, void
from sixmax.search.solvers.ranges.rows import TINY


@intrinsic
def match(typing, shares, reach, table, at):
    """In a kernel: regret matching for TILE hands from ``h`` on, and reach after each action.

    ``at`` is (h, first, size, actions, row, source, child), seven int64. The regrets of action a
    are ``table[first + a * size + h]`` and what follows; its shares go to ``shares[row + a]``, and
    ``reach[source]`` times them to ``reach[child + a]``.
    """
    if not (are_rows(shares, True) and are_rows(reach, True) and are_rows(table, axes=1)):
        return None

    def body(builder, shares, reach, table, at):
        h, first, size, actions, row, source, child = at
        place, one = builder.add(first, h), all_of(1.0)

        def positive(a):
            regret = table.load(h.type(0), builder.add(place, builder.mul(a, size)))
            return builder.select(builder.fcmp_ordered(">", regret, NOTHING), regret, NOTHING)

        last = builder.sub(actions, actions.type(1))
        total = cgutils.alloca_once(builder, VECTOR)
        builder.store(positive(last), total)
        with cgutils.for_range(builder, last) as loop:
            builder.store(builder.fadd(builder.load(total), positive(loop.index)), total)
        every = builder.load(total)
        met = builder.fcmp_ordered(">", every, all_of(float(TINY)))
        # One division a hand, which takes as long as ten sums.
        inverse = builder.fdiv(one, builder.select(met, every, one))
        even = builder.fdiv(ir.FloatType()(1.0), builder.sitofp(actions, ir.FloatType()))
        even, before = spread(builder, even), reach.load(source, h)
        with cgutils.for_range(builder, actions) as loop:
            share = builder.select(met, builder.fmul(positive(loop.index), inverse), even)
            shares.store(share, builder.add(row, loop.index), h)
            reach.store(builder.fmul(before, share), builder.add(child, loop.index), h)

    return void(types.void(shares, reach, table, types.UniTuple(types.int64, 7)), body)


@intrinsic
def add_up(typing, value, at):
    """In a kernel: the values of TILE hands at a decision of the opponent, those of its actions.

    ``at`` is (h, actions, slot, child), four int64: ``value[slot]`` from ``value[child + a]``.
    """
    if not are_rows(value, True):
        return None

    def body(builder, value, at):
        h, actions, slot, child = at
        total = cgutils.alloca_once(builder, VECTOR)
        builder.store(value.load(child, h), total)
        with cgutils.for_range(builder, builder.sub(actions, actions.type(1))) as loop:
            below = value.load(builder.add(builder.add(child, loop.index), h.type(1)), h)
            builder.store(builder.fadd(builder.load(total), below), total)
        value.store(builder.load(total), slot, h)

    return void(types.void(value, types.UniTuple(types.int64, 4)), body)


@intrinsic
def learn(typing, rows, tables, at, keep):
    """In a kernel: the values of TILE hands at a decision, their regrets and sums of strategies.

    ``rows`` are value, shares and own, ``tables`` regrets and sums. ``at`` is (h, first, size,
    actions, slot, child, row, source), eight int64: the mean of ``value[child + a]`` by
    ``shares[row + a]`` goes to ``value[slot]``, the action's regrets and sums are ``[first + a *
    size + h]`` and what follows, and ``own[source]`` is the player's reach. ``keep`` are five
    float32: the factors of positive and of negative regrets after the step and of sums before it,
    the weight of the step, and what is added to reach in sums. With a table between the two, the
    regrets that are expected next go there: those of the step once more.
    """
    known = all(isinstance(some, types.UniTuple) for some in (rows, tables))
    if not (known and are_rows(rows.dtype, True) and are_rows(tables.dtype, True, 1)):
        return None

    def body(builder, rows, tables, at, keep):
        value, shares, own = rows
        h, first, size, actions, slot, child, row, source = at
        left, place = builder.sub(size, h), builder.add(first, h)
        positive, negative, shrink, weight, more = (spread(builder, factor) for factor in keep)

        def actions_of(code):
            with cgutils.for_range(builder, actions) as loop:
                a = loop.index
                code(a, value.load(builder.add(child, a), h), shares.load(builder.add(row, a), h))

        mean = cgutils.alloca_once(builder, VECTOR)
        builder.store(NOTHING, mean)
        actions_of(lambda a, chips, share: builder.store(
            builder.fadd(builder.load(mean), builder.fmul(chips, share)), mean
        ))  # fmt: skip
        middle = builder.load(mean)
        value.store(middle, slot, h)
        reach = builder.fmul(weight, builder.fadd(own.load(source, h), more))

        def update(a, chips, share):
            at = a.type(0), builder.add(place, builder.mul(a, size))
            *regrets, total = tables
            gain = builder.fmul(weight, builder.fsub(chips, middle))
            new = builder.fadd(regrets[0].load(*at), gain)
            up = builder.fcmp_ordered(">", new, NOTHING)
            new = builder.fmul(new, builder.select(up, positive, negative))
            regrets[0].store_some(new, *at, left)
            if len(regrets) > 1:
                regrets[1].store_some(builder.fadd(new, gain), *at, left)
            shrunk = builder.fmul(total.load(*at), shrink)
            total.store_some(builder.fadd(shrunk, builder.fmul(reach, share)), *at, left)

        actions_of(update)

    kinds = types.UniTuple(types.int64, 8), types.UniTuple(types.float32, 5)
    return void(types.void(rows, tables, *kinds), body)


if numba.config.DISABLE_JIT:

    def match(shares, reach, table, at):
        """Action by action; what lies after the end of the table counts as nothing."""
        h, first, size, actions, row, source, child = at
        places = first + h + size * np.arange(actions)[:, None] + np.arange(TILE)
        inside = np.minimum(places, len(table) - 1)
        regret = np.where(places < len(table), np.maximum(table[inside], np.float32(0)), 0)
        total, here = regret.sum(axis=0, dtype=np.float32), slice(h, h + TILE)
        met = total > TINY
        inverse = np.float32(1) / np.where(met, total, np.float32(1))
        for a in range(actions):
            shares[row + a, here] = np.where(met, regret[a] * inverse, np.float32(1 / actions))
            reach[child + a, here] = reach[source, here] * shares[row + a, here]

    def add_up(value, at):
        h, actions, slot, child = at
        value[slot, h : h + TILE] = value[child : child + actions, h : h + TILE].sum(axis=0)

    def learn(rows, tables, at, keep):
        (value, shares, own), (regret, *expected, total) = rows, tables
        h, first, size, actions, slot, child, row, source = at
        positive, negative, shrink, weight, more = keep
        here, some = slice(h, h + TILE), slice(h, min(h + TILE, size))
        below, share = value[child : child + actions], shares[row : row + actions]
        value[slot, here] = (below[:, here] * share[:, here]).sum(axis=0)
        for a in range(actions):
            at = slice(first + a * size + some.start, first + a * size + some.stop)
            gain = weight * (below[a, some] - value[slot, some])
            new = regret[at] + gain
            new *= np.where(new > 0, positive, negative)
            regret[at] = new
            for table in expected:
                table[at] = new + gain
            total[at] = total[at] * shrink + weight * (own[source, some] + more) * share[a, some]
