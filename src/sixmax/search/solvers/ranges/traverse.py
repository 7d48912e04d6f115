"""All hands of two players at once through a public tree: one walk of counterfactual regret.

``reach`` is the opponent's reach by hand, ``own`` that of the player ``me`` whose values come back.
The tree is walked in parts, each on every board that may precede it: reach goes down a part, its
terminals are valued, and values go up.
"""

from typing import NamedTuple

import numpy as np

from sixmax.jit import njit, parallel, prange
from sixmax.rng import mix
from sixmax.search.solvers.ranges.rows import (
    ZERO,
    add,
    largest_rows,
    learn,
    mean_rows,
    multiply,
    strategies,
    sum_rows,
)  # fmt: skip
from sixmax.search.solvers.ranges.terminals import LANES, ends_at_once

LEARN, PLAY, BEST = range(3)  # of ``me``: update regrets, play the table, respond best to it


class Public(NamedTuple):
    """The tree of a subgame in parts, for players 0 and 1 in the order of their seats.

    A part is a subtree within a round (or a piece of one). Its nodes have slots, and the actions of
    its decisions rows, both from 0. Parts come before the parts that follow them.

    round: int64[parts]
    decisions: int32[., 6]  node, slot, slot of its first child, its first row, actions, player;
                            each before those below it
    ends: int32[., 3]       node, slot, whether there is a showdown; those with one first
    entries: int32[., 2]    part that follows, slot here
    first: int64[parts + 1, 3]  where the three of a part begin
    column: int64[nodes]    first action of a decision among those of its round
    stake: float64[nodes, 2 players, 2] terminals: net chips of a tie, and the gain of a win
    """

    round: np.ndarray
    decisions: np.ndarray
    ends: np.ndarray
    entries: np.ndarray
    first: np.ndarray
    column: np.ndarray
    stake: np.ndarray


class Pass(NamedTuple):
    """The orders of one walk.

    me, mode: int              the player whose values come back; LEARN, PLAY or BEST
    table: float32[entries]    the strategies are its positive parts, normalised
    total: float32[entries]    LEARN: strategies, summed by reach
    keep: float64[4]           LEARN: factors of positive and of negative regrets after this step
                               and of ``total`` before it; weight of the step
    prior: float32[n]          LEARN: weight of each hand of mine in its bucket
    boards: int64[rounds]      boards to walk of those that follow a board
    seed: uint64               draws them
    frozen: int32[k, 2]        node of round 0 and hand of a frozen row
    fixed: float32[k, width]   the frozen rows
    """

    me: int
    mode: int
    table: np.ndarray
    total: np.ndarray
    keep: np.ndarray
    prior: np.ndarray
    boards: np.ndarray
    seed: np.uint64
    frozen: np.ndarray
    fixed: np.ndarray


class Room(NamedTuple):
    """Working memory, float32 by thread and level: the parts on the path to the current one.

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
    """The values of the entries of part 0 into ``values`` float32[entries, n].

    Threads take entries in turn. Each entry is the work of one thread and touches its own numbers,
    so the result does not depend on the number of threads.
    """
    for t in prange(len(room.lanes)):
        _some(public, boards, rows, work, reach, own, room, np.int64(t), values)


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
    """The values of the root into ``out`` float32[n], from those of the entries of part 0."""
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
    """The value of entry ``first`` of part 0 over all parts below it, by a stack.

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
        add(room.value[level, slot], room.value[level + 1, 0], weight)
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
    learning, r = work.mode == LEARN, public.round[part]
    for i in range(public.first[part, 0], public.first[part + 1, 0]):
        x, slot, child, row, n, player = public.decisions[i]
        mine = player == work.me
        if not mine or work.mode != BEST:
            strategies(public, rows, work.table, x, n, r, board, strategy[row : row + n])
            for k in range(len(work.frozen)):
                if work.frozen[k, 0] == x:
                    for a in range(n):
                        strategy[row + a, work.frozen[k, 1]] = work.fixed[k, a]
        for a in range(n):
            if mine:
                reach[child + a] = reach[slot]
                if learning:
                    multiply(own[slot], strategy[row + a], own[child + a])
            else:
                multiply(reach[slot], strategy[row + a], reach[child + a])
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
            sum_rows(below, out)
        elif work.mode == BEST:
            largest_rows(below, out)
        else:
            mean_rows(below, played, out)
            if work.mode == LEARN:
                learn(public, rows, work, x, n, r, board, below, played, out, room.own[level, slot])


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
        ends_at_once(
            public.ends[i:stop], min(max(shown - i, 0), stop - i), public.stake, work.me,
            boards, r, board, reach, value, room.lanes, room.gains, room.held,
        )  # fmt: skip
