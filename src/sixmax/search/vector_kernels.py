"""All hands of two players at once through a public tree: one walk of counterfactual regret.

``reach`` is the opponent's range on the way, ``own`` that of the player ``me`` whose values come
back, both by hand. The tree is walked in parts, each on every board that may precede it: reach goes
down a part, what ends there is valued, sixteen terminals at once, and values go up.
"""

from typing import NamedTuple

import numpy as np

from sixmax.jit import njit, parallel, prange, unchecked
from sixmax.rng import mix

LEARN, PLAY, BEST = range(3)  # what ``me`` does: learn, play the table, answer it with the best
LANES = 16  # terminals valued at once
ZERO = np.float32(0.0)


class Public(NamedTuple):
    """The tree of a subgame in parts, for two players numbered 0 and 1 in the order of their seats.

    A part is what follows a node within a round (or a piece of that); its nodes have slots, and the
    actions of its decisions rows, both from 0. Parts come before the parts that follow them.

    round: int64[parts]
    decisions: int32[., 6]  node, slot, slot of its first child, its first row, actions, player;
                            each before those below it
    ends: int32[., 3]       node, slot, whether there is a showdown; those with one first
    entries: int32[., 2]    part that follows, slot here
    first: int64[parts + 1, 3]  where the three of a part begin
    column: int64[nodes]    first action of a decision among those of its round
    stake: float64[nodes, 2 players, 2] terminals: net chips of a tie, and what a win adds
    """

    round: np.ndarray
    decisions: np.ndarray
    ends: np.ndarray
    entries: np.ndarray
    first: np.ndarray
    column: np.ndarray
    stake: np.ndarray


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


class Room(NamedTuple):
    """What threads work in, float32 by thread and level: the parts on the way to the one at work.

    reach, own, value: [threads, levels, slots, n]; strategy: [threads, levels, rows, n]
    lanes, gains: [threads, n, LANES]; held: float64[threads, 2, cards, LANES]
    """

    reach: np.ndarray
    own: np.ndarray
    value: np.ndarray
    strategy: np.ndarray
    lanes: np.ndarray
    gains: np.ndarray
    held: np.ndarray


@parallel
def walk_below(public, boards, rows, work, reach, own, room, values):
    """The values of what follows part 0 into ``values`` float32[entries, n].

    Entries are dealt out in turn to as many threads as there is room for. Each is the work of one,
    and touches numbers of its own: the result does not depend on how many threads there are.
    """
    for t in prange(len(room.lanes)):
        _some(public, boards, rows, work, reach, own, room, t, values)


@njit
def _some(public, boards, rows, work, reach, own, rooms, t, values):
    room = _room(rooms, t)
    room.reach[0, 0], room.own[0, 0] = reach, own
    _down(public, rows, work, 0, 0, room, 0)
    for i in range(t, public.first[1, 2], len(rooms.lanes)):
        _follow(public, boards, rows, work, i, room)
        values[i] = room.value[0, public.entries[i, 1]]


@njit
def walk_top(public, boards, rows, work, reach, own, rooms, values, out):
    """The values of the root into ``out`` float32[n], from those of what follows part 0."""
    room = _room(rooms, 0)
    room.reach[0, 0], room.own[0, 0] = reach, own
    _down(public, rows, work, 0, 0, room, 0)
    for i in range(public.first[1, 2]):
        room.value[0, public.entries[i, 1]] = values[i]
    _ends(public, boards, work, 0, 0, room, 0)
    _up(public, rows, work, 0, 0, room, 0)
    out[:] = room.value[0, 0]


@njit
def _room(rooms, t):
    return Room(rooms.reach[t], rooms.own[t], rooms.value[t], rooms.strategy[t], rooms.lanes[t],
                rooms.gains[t], rooms.held[t])  # fmt: skip


@njit
def _follow(public, boards, rows, work, first, room):
    """The value of entry ``first`` of part 0, over all that follows it: no recursion, a stack.

    A frame is a part on a board: its entries are followed one by one, each on every board.
    """
    levels = len(room.reach)
    part, board = np.zeros(levels, np.int64), np.zeros(levels, np.int64)
    entry, done = np.zeros(levels, np.int64), np.zeros(levels, np.int64)
    level, entry[0] = 0, first
    while True:
        here = part[level]
        r = public.round[here]
        end = first + 1 if level == 0 else public.first[here + 1, 2]
        if entry[level] < end:
            below, slot = public.entries[entry[level], 0], public.entries[entry[level], 1]
            part[level + 1], board[level + 1] = below, board[level]
            if public.round[below] > r:
                board[level + 1] = _dealt(boards, work, r, board[level], done[level])
            if done[level] == 0:
                room.value[level, slot] = ZERO
            level += 1
            entry[level], done[level] = public.first[below, 2], 0
            room.reach[level, 0] = room.reach[level - 1, slot]
            room.own[level, 0] = room.own[level - 1, slot]
            _down(public, rows, work, below, board[level], room, level)
            _ends(public, boards, work, below, board[level], room, level)
            continue
        if level == 0:
            return
        _up(public, rows, work, here, board[level], room, level)
        level -= 1
        weight, some = np.float32(1.0), 1
        up = public.round[part[level]]
        if r > up:
            some = work.boards[up]
            weight = np.float32(boards.chance[up] * boards.fan[up] / some)
        slot = public.entries[entry[level], 1]
        _add(room.value[level, slot], room.value[level + 1, 0], weight)
        done[level] += 1
        if done[level] == some:
            entry[level], done[level] = entry[level] + 1, 0


@njit
def _dealt(boards, work, r, board, i):
    """The i-th of the boards to walk after ``board``: equally far apart, from a drawn one on."""
    fan, some = boards.fan[r], work.boards[r]
    start = np.int64(0)
    if some < fan:
        start = np.int64(mix(work.seed + np.uint64(board)) % np.uint64(fan))
    return board * fan + (start + i * fan // some) % fan


@njit
def _down(public, rows, work, part, board, room, level):
    """Strategies and reach from the first node of a part down to its ends and entries."""
    reach, own, strategy = room.reach[level], room.own[level], room.strategy[level]
    learning, r = work.what == LEARN, public.round[part]
    for i in range(public.first[part, 0], public.first[part + 1, 0]):
        x, slot, child, row, n, player = public.decisions[i]
        mine = player == work.me
        if not mine or work.what != BEST:
            _strategies(public, rows, work.table, x, n, r, board, strategy[row : row + n])
        for a in range(n):
            if mine:
                reach[child + a] = reach[slot]
                if learning:
                    _multiply(own[slot], strategy[row + a], own[child + a])
            else:
                _multiply(reach[slot], strategy[row + a], reach[child + a])
                if learning:
                    own[child + a] = own[slot]


@njit
def _up(public, rows, work, part, board, room, level):
    """Values from the ends and entries of a part up to its first node, regrets on the way."""
    value, strategy, r = room.value[level], room.strategy[level], public.round[part]
    for i in range(public.first[part + 1, 0] - 1, public.first[part, 0] - 1, -1):
        x, slot, child, row, n, player = public.decisions[i]
        below, out, played = value[child : child + n], value[slot], strategy[row : row + n]
        if player != work.me:
            _sum(below, out)
        elif work.what == BEST:
            _largest(below, out)
        else:
            _mean(below, played, out)
            if work.what == LEARN:
                _learn(public, rows, work, x, n, r, board, below, played, out, room.own[level, slot])


@njit
def _ends(public, boards, work, part, board, room, level):
    """Value the terminals of a part on a board."""
    begin, end = public.first[part, 1], public.first[part + 1, 1]
    shown = begin
    while shown < end and public.ends[shown, 2]:
        shown += 1
    r, reach, value = public.round[part], room.reach[level], room.value[level]
    for i in range(begin, end, LANES):
        stop = min(i + LANES, end)
        _ends_at_once(public.ends[i:stop], min(max(shown - i, 0), stop - i), public.stake, work.me,
                      boards, r, board, reach, value, room.lanes, room.gains, room.held)  # fmt: skip


@njit
def _ends_at_once(ends, shown, stake, me, boards, r, board, reach, value, lanes, gains, held):
    """Up to LANES terminals on a board, the first ``shown`` of them showdowns.

    One goes for a win or a loss of the same, from where a tie would leave it: twice the win times
    what a hand beats (and half of what it ties with), less the win, times what is live. What is live shares no
    card with the hand: all, less what holds either card, plus its own, taken off twice.
    """
    size, begin = boards.live[r], boards.start[r] + board * boards.live[r]
    order = boards.order[begin : begin + size]
    low, high = boards.low[begin : begin + size], boards.high[begin : begin + size]
    many = len(ends)
    tie, win = np.zeros(LANES), np.zeros(LANES)
    for k in range(many):
        tie[k], win[k] = stake[ends[k, 0], me, 0], stake[ends[k, 0], me, 1]
        row = reach[ends[k, 1]]
        for i in range(size):
            lanes[i, k] = row[order[i]]
    if many < LANES:
        lanes[:, many:] = ZERO
    live_kernel(lanes, low, high, tie - win, gains, held)
    if shown:
        stop = boards.stop[board * size : (board + 1) * size]
        show_kernel(lanes, low, high, stop, win, gains, held)
    for k in range(many):
        out = value[ends[k, 1]]
        if size < out.size:
            out[:] = ZERO
        for i in range(size):
            out[order[i]] = gains[i, k]


@njit
def live_kernel(lanes, low, high, gain, out, held):
    """``out[i, k]``: ``gain[k]`` times the range ``lanes[:, k]`` that hand i leaves.

    The hands are in the order of ``low`` and ``high``, their cards. Sums are in double precision: a
    hand's own is what remains of them.
    """
    one, total = held[0], np.zeros(LANES)
    one[:] = 0.0
    for i in range(low.size):
        lo, hi = low[i], high[i]
        for k in range(LANES):
            v = np.float64(lanes[i, k])
            total[k] += v
            one[lo, k] += v
            one[hi, k] += v
    for i in range(low.size):
        lo, hi = low[i], high[i]
        for k in range(LANES):
            out[i, k] = gain[k] * (total[k] - one[lo, k] - one[hi, k] + lanes[i, k])


@njit
def show_kernel(lanes, low, high, stop, win, out, held):
    """Add ``win[k]`` times the range that hand i beats, and beats or ties with, to ``out[i, k]``.

    Up the ladder of strengths, in which the hands are (Johanson et al., "Accelerating Best Response
    Calculation in Large Extensive Games", IJCAI 2011).
    """
    met, total = held[1], np.zeros(LANES)
    met[:] = 0.0
    start = 0
    while start < low.size:
        end = stop[start]
        for i in range(start, end):
            lo, hi = low[i], high[i]
            for k in range(LANES):
                out[i, k] += win[k] * (total[k] - met[lo, k] - met[hi, k])
        for i in range(start, end):
            lo, hi = low[i], high[i]
            for k in range(LANES):
                v = np.float64(lanes[i, k])
                total[k] += v
                met[lo, k] += v
                met[hi, k] += v
        for i in range(start, end):
            lo, hi = low[i], high[i]
            for k in range(LANES):
                out[i, k] += win[k] * (total[k] - met[lo, k] - met[hi, k] + lanes[i, k])
        start = end


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
def _strategies(public, rows, table, x, n, r, board, out):
    """Regret matching for every hand: ``out[a, hand]``."""
    size, at = rows.size[r], _row(public, rows, x, r, board)
    even = np.float32(1.0 / n)
    if rows.start[r] >= 0:
        bucket = _buckets(rows, r, board, out.shape[1])
        for h in range(bucket.size):
            total = ZERO
            for a in range(n):
                total += max(table[at + a * size + bucket[h]], ZERO)
            for a in range(n):
                weight = max(table[at + a * size + bucket[h]], ZERO)
                out[a, h] = weight / total if total > 0.0 else even
        return
    total = out[n - 1]  # holds the sum until its own turn
    last = table[at + (n - 1) * size : at + n * size]
    for h in range(size):
        total[h] = max(last[h], ZERO)
    for a in range(n - 1):
        row, to = table[at + a * size : at + (a + 1) * size], out[a]
        for h in range(size):
            to[h] = max(row[h], ZERO)
            total[h] += to[h]
    for a in range(n - 1):
        to = out[a]
        for h in range(size):
            share = to[h] / total[h]
            to[h] = share if total[h] > ZERO else even
    for h in range(size):
        share = max(last[h], ZERO) / total[h]
        total[h] = share if total[h] > ZERO else even


@njit
def _learn(public, rows, work, x, n, r, board, value, strategy, mean, own):
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
        regret[h] = new * (positive if new > ZERO else negative)


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
def _sum(value, out):
    out[:] = value[0]
    for a in range(1, len(value)):
        for h in range(out.size):
            out[h] += value[a, h]


@njit
def _mean(value, strategy, out):
    out[:] = ZERO
    for a in range(len(value)):
        for h in range(out.size):
            out[h] += value[a, h] * strategy[a, h]


@njit
def _largest(value, out):
    out[:] = value[0]
    for a in range(1, len(value)):
        for h in range(out.size):
            out[h] = max(out[h], value[a, h])
