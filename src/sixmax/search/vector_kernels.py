"""All hands of two players at once through a public tree: one walk of counterfactual regret.

``reach`` is the opponent's range on the way, ``own`` that of the player ``me`` whose values come
back, both by hand. The tree is walked depth first, and each board that follows a round is walked on
its own, so that everything at work stays in the processor's cache.
"""

from typing import NamedTuple

import numpy as np

from sixmax.game.tree import DECISION, FOLDED
from sixmax.jit import njit, parallel, prange, unchecked
from sixmax.rng import mix

LEARN, PLAY, BEST = range(3)  # what ``me`` does: learn, play the table, answer it with the best


class Public(NamedTuple):
    """The tree of a subgame, for two players numbered 0 and 1 in the order of their seats.

    node: int32[nodes, 4], parent: int32[nodes]   the tree's
    player: int8[nodes]                 who acts at a decision, who wins where the other folded
    column: int64[nodes]                first action of a decision among those of its round
    stake: float64[nodes, 2 players, 2] terminals: net chips of a tie, and what a win adds
    cuts: int32[cuts]                   nodes of round 0 with nothing but private work below them
    cut: int32[nodes]                   the number of a cut, -1 elsewhere
    depth: int; width: int              longest path, chance included; most actions at a node
    """

    node: np.ndarray
    parent: np.ndarray
    player: np.ndarray
    column: np.ndarray
    stake: np.ndarray
    cuts: np.ndarray
    cut: np.ndarray
    depth: int
    width: int


class Rows(NamedTuple):
    """Where the numbers of a round are kept, float32, one array for all rounds.

    A decision has one row for each action, one entry for each hand on each board, or for each
    bucket: entry ``base[r] + ((board * columns[r] + column) * size[r]`` and so on.

    base, columns, size: int64[rounds]  columns are action columns
    start: int64[rounds]                where the buckets of a round begin, board after board; -1
                                        where boards and hands are told apart
    bucket: int32[entries]              of each hand
    """

    base: np.ndarray
    columns: np.ndarray
    size: np.ndarray
    start: np.ndarray
    bucket: np.ndarray


class Pass(NamedTuple):
    """What one walk is to do.

    me, what: int              the player whose values come back; LEARN, PLAY or BEST
    table: float32[entries]    the strategies are its positive parts, normalised
    total: float32[entries]    LEARN: strategies, summed by reach
    keep: float64[4]           LEARN: factors of positive and of negative regrets after this step
                               and of ``total`` before it; weight of the step
    prior: float32[n]          LEARN: weight of each hand of mine in its bucket
    boards: int64[rounds]      boards to walk of those that follow one
    seed: uint64               draws them
    """

    me: int
    what: int
    table: np.ndarray
    total: np.ndarray
    keep: np.ndarray
    prior: np.ndarray
    boards: np.ndarray
    seed: np.uint64


class Scratch(NamedTuple):
    """float32 by depth: [depth, width, n], [depth, width, n], [depth, n]; and two rows."""

    strategy: np.ndarray
    value: np.ndarray
    reach: np.ndarray
    sorted: np.ndarray  # float32[n]
    held: np.ndarray  # float64[2, cards]


@njit
def _scratch(public, n):
    shape = (public.depth, public.width, n)
    strategy, value = np.empty(shape, np.float32), np.empty(shape, np.float32)
    reach = np.empty((public.depth, n), np.float32)
    return Scratch(strategy, value, reach, np.empty(n, np.float32), np.empty((2, 64)))


@parallel
def walk_cuts(public, boards, rows, work, reach, own, threads, values):
    """The values of every cut into ``values`` float32[cuts, n]: the work of threads.

    Cuts are dealt out in turn; each is the work of one thread and touches entries of its own, so
    the result does not depend on how many threads there are.
    """
    for t in prange(threads):
        _some_cuts(public, boards, rows, work, reach, own, t, threads, values)


@njit
def _some_cuts(public, boards, rows, work, reach, own, first, step, values):
    n = reach.size
    s = _scratch(public, n)
    theirs, mine = np.empty(n, np.float32), np.empty(n, np.float32)
    for i in range(first, public.cuts.size, step):
        theirs[:], mine[:] = reach, own
        x = public.cuts[i]
        while public.parent[x] >= 0:
            up = public.parent[x]
            a = x - public.node[up, 1]
            _strategies(public, rows, work.table, up, 0, 0, s.strategy[0])
            if public.player[up] == work.me:
                _multiply(mine, s.strategy[0, a], mine)
            else:
                _multiply(theirs, s.strategy[0, a], theirs)
            x = up
        x = public.cuts[i]
        _walk(public, boards, rows, work, x, 0, 0, 0, theirs, mine, values[i], s, values, False)


@njit
def walk_top(public, boards, rows, work, reach, own, values, out):
    """The values of the root into ``out`` float32[n], from those of the cuts."""
    s = _scratch(public, reach.size)
    _walk(public, boards, rows, work, 0, 0, 0, 0, reach, own, out, s, values, True)


@njit
def _walk(public, boards, rows, work, x, r, board, depth, reach, own, out, s, cuts, top):
    """The values of node ``x`` on a board of round ``r``; ``top``: those of cuts are known."""
    head = public.node[x, 0]
    kind = head & 15
    if top and public.cut[x] >= 0:
        out[:] = cuts[public.cut[x]]
        return
    if kind == FOLDED:
        fold_kernel(boards, r, board, reach, public.stake[x, work.me, 0], out, s.held)
        return
    if kind != DECISION and r == boards.fan.size - 1:
        tie, win = public.stake[x, work.me, 0], public.stake[x, work.me, 1]
        show_kernel(boards, board, reach, tie, win, out, s.sorted, s.held)
        return
    if kind != DECISION or head >> 8 & 15 > r:
        out[:] = 0.0
        fan, some = boards.fan[r], work.boards[r]
        weight = np.float32(boards.chance[r] * fan / some)
        start = np.int64(0)
        if some < fan:
            start = np.int64(mix(work.seed + np.uint64(board)) % np.uint64(fan))
        for i in range(some):
            below = board * fan + (start + i * fan // some) % fan
            value = s.value[depth, 0]
            _walk(public, boards, rows, work, x, r + 1, below, depth + 1, reach, own, value, s,
                  cuts, top)  # fmt: skip
            _add(out, value, weight)
        return
    n, mine = head >> 12 & 255, public.player[x] == work.me
    strategy, value, moved = s.strategy[depth], s.value[depth], s.reach[depth]
    if not (mine and work.what == BEST):
        _strategies(public, rows, work.table, x, r, board, strategy)
    for a in range(n):
        child = public.node[x, 1] + a
        if not mine:
            _multiply(reach, strategy[a], moved)
            _walk(public, boards, rows, work, child, r, board, depth + 1, moved, own, value[a], s,
                  cuts, top)  # fmt: skip
        elif work.what == LEARN:
            _multiply(own, strategy[a], moved)
            _walk(public, boards, rows, work, child, r, board, depth + 1, reach, moved, value[a],
                  s, cuts, top)  # fmt: skip
        else:
            _walk(public, boards, rows, work, child, r, board, depth + 1, reach, own, value[a], s,
                  cuts, top)  # fmt: skip
    if not mine:
        _sum(value, n, out)
    elif work.what == BEST:
        _largest(value, n, out)
    else:
        _mean(value, strategy, n, out)
        if work.what == LEARN:
            _learn(public, rows, work, x, r, board, n, value, strategy, out, own)


@njit
def _row(public, rows, x, r, board):
    """Where the first row of a decision begins."""
    if rows.start[r] >= 0:
        board = 0
    return rows.base[r] + (board * rows.columns[r] + public.column[x]) * rows.size[r]


@njit
def _buckets(rows, r, board, n):
    begin = rows.start[r] + board * n
    return rows.bucket[begin : begin + n]


@unchecked
def _strategies(public, rows, table, x, r, board, out):
    """Regret matching for every hand: ``out[a, hand]``."""
    n, size, at = public.node[x, 0] >> 12 & 255, rows.size[r], _row(public, rows, x, r, board)
    even = np.float32(1.0 / n)
    if rows.start[r] >= 0:
        bucket = _buckets(rows, r, board, out.shape[1])
        for h in range(bucket.size):
            total = np.float32(0.0)
            for a in range(n):
                total += max(table[at + a * size + bucket[h]], np.float32(0.0))
            for a in range(n):
                weight = max(table[at + a * size + bucket[h]], np.float32(0.0))
                out[a, h] = weight / total if total > 0.0 else even
        return
    total = out[n - 1]  # holds the sum until its own turn
    last = table[at + (n - 1) * size : at + n * size]
    for h in range(size):
        total[h] = max(last[h], np.float32(0.0))
    for a in range(n - 1):
        row, to = table[at + a * size : at + (a + 1) * size], out[a]
        for h in range(size):
            to[h] = max(row[h], np.float32(0.0))
            total[h] += to[h]
    for a in range(n - 1):
        to = out[a]
        for h in range(size):
            share = to[h] / total[h]
            to[h] = share if total[h] > np.float32(0.0) else even
    for h in range(size):
        share = max(last[h], np.float32(0.0)) / total[h]
        total[h] = share if total[h] > np.float32(0.0) else even


@njit
def _learn(public, rows, work, x, r, board, n, value, strategy, mean, own):
    """Add the regrets of a decision of mine, and its strategy to the sums."""
    size, at = rows.size[r], _row(public, rows, x, r, board)
    positive, negative = np.float32(work.keep[0]), np.float32(work.keep[1])
    shrink, weight = np.float32(work.keep[2]), np.float32(work.keep[3])
    if rows.start[r] >= 0:
        bucket = _buckets(rows, r, board, mean.size)
        for a in range(n):
            for h in range(bucket.size):
                i, w = at + a * size + bucket[h], weight * work.prior[h]
                work.table[i] += w * (value[a, h] - mean[h])
                work.total[i] += w * own[h] * strategy[a, h]
        return
    for a in range(n):
        regret = work.table[at + a * size : at + (a + 1) * size]
        _regrets(regret, value[a], mean, positive, negative, weight)
        total = work.total[at + a * size : at + (a + 1) * size]
        _totals(total, strategy[a], own, shrink, weight)


@njit
def _regrets(regret, value, mean, positive, negative, weight):
    for h in range(regret.size):
        new = regret[h] + weight * (value[h] - mean[h])
        regret[h] = new * (positive if new > np.float32(0.0) else negative)


@njit
def _totals(total, strategy, own, shrink, weight):
    for h in range(total.size):
        total[h] = total[h] * shrink + weight * own[h] * strategy[h]


@njit
def _multiply(left, right, out):
    for h in range(out.size):
        out[h] = left[h] * right[h]


@njit
def _add(out, value, weight):
    for h in range(out.size):
        out[h] += weight * value[h]


@njit
def _sum(value, n, out):
    out[:] = value[0]
    for a in range(1, n):
        for h in range(out.size):
            out[h] += value[a, h]


@njit
def _mean(value, strategy, n, out):
    out[:] = 0.0
    for a in range(n):
        for h in range(out.size):
            out[h] += value[a, h] * strategy[a, h]


@njit
def _largest(value, n, out):
    out[:] = value[0]
    for a in range(1, n):
        for h in range(out.size):
            out[h] = max(out[h], value[a, h])


@njit
def fold_kernel(boards, r, board, reach, gain, out, held):
    """``gain`` times the range that each hand leaves: the hands that share no card with it.

    Hands that the board blocks get 0. The sums are in double precision: a hand's own is what
    remains of them.
    """
    size, begin = boards.live[r], boards.start[r] + board * boards.live[r]
    order = boards.order[begin : begin + size]
    low, high = boards.low[begin : begin + size], boards.high[begin : begin + size]
    one, total = held[0], 0.0
    one[:] = 0.0
    for i in range(size):
        v = np.float64(reach[order[i]])
        total += v
        one[low[i]] += v
        one[high[i]] += v
    if size < out.size:
        out[:] = 0.0
    for i in range(size):
        h = order[i]
        out[h] = gain * (total - one[low[i]] - one[high[i]] + reach[h])


@njit
def show_kernel(boards, board, reach, tie, win, out, sorted, held):
    """At a showdown: ``tie`` times the range left, ``win`` times what is beaten less what wins.

    Up the ladder of strengths (Johanson et al., "Accelerating Best Response Calculation in Large
    Extensive Games", IJCAI 2011): what lies below, plus what lies below or level, less all.
    """
    r = boards.fan.size - 1
    size, begin = boards.live[r], boards.start[r] + board * boards.live[r]
    order = boards.order[begin : begin + size]
    low, high = boards.low[begin : begin + size], boards.high[begin : begin + size]
    stop = boards.stop[board * size : (board + 1) * size]
    one, met, total, below = held[0], held[1], 0.0, 0.0
    one[:], met[:] = 0.0, 0.0
    for i in range(size):
        v = reach[order[i]]
        sorted[i] = v
        total += v
        one[low[i]] += v
        one[high[i]] += v
    if size < out.size:
        out[:] = 0.0
    start = 0
    while start < size:
        end = stop[start]
        for i in range(start, end):
            live = total - one[low[i]] - one[high[i]] + sorted[i]
            beaten = below - met[low[i]] - met[high[i]]
            out[order[i]] = (tie - win) * live + win * beaten
        for i in range(start, end):
            v = np.float64(sorted[i])
            below += v
            met[low[i]] += v
            met[high[i]] += v
        for i in range(start, end):
            level = below - met[low[i]] - met[high[i]] + sorted[i]
            out[order[i]] += win * level
        start = end
