"""All hands of two players at once through a public tree: one walk of counterfactual regret.

``reach`` is the opponent's reach by hand, ``own`` that of the player ``me`` whose values come back.
The tree is walked in parts, each on every board that may precede it: reach goes down a part, its
terminals are valued, and values go up.
"""

import numpy as np

from sixmax.intrinsics import claim
from sixmax.jit import njit, parallel, prange, uncounted
from sixmax.rng import mix, stream
from sixmax.search.solvers.ranges.part_walk import carry_down, carry_up, value_terminals
from sixmax.search.solvers.ranges.parts import PARTS, ROOTS
from sixmax.search.solvers.ranges.room import LEARN, Pass, View
from sixmax.search.solvers.ranges.rows import ZERO, give, take

_WORTH = 8  # tasks for which threads are woken, which takes as long as one or two of them


@njit
def learn(public, boards, rows, hands, ranges, work, room, keeps, first):
    """An iteration for each row of ``keeps`` float64[., 4]: player 0 learns, then player 1.

    Iterations count from ``first``; ``work`` is the rest of the orders, and the seed of draws.
    """
    for i in range(len(keeps)):
        draw = stream(work.draw, np.uint64(first + i))
        for me in range(2):
            orders = Pass(me, LEARN, work.table, work.total, keeps[i], work.boards, draw,
                          work.frozen, work.fixed)  # fmt: skip
            walk(public, boards, rows, hands, ranges, orders, room)


@njit
def walk(public, boards, rows, hands, ranges, work, room):
    """Leave the values of the root in ``room.value[0, 0, 0]``: float32[n], those of ``work.me``."""
    me = work.me
    view = View(public, boards, rows, hands[me], hands[1 - me], ranges[me], ranges[1 - me])
    reach, own, value = room.reach[0, 0], room.own[0, 0], room.value[0, 0]
    reach[0, : len(view.reach)] = view.reach
    own[0, : len(view.prior)] = np.float32(1.0)
    room.prior[0, 0, : len(view.prior)] = view.prior
    carry_down(view, work, 0, 0, room, 0, 0)
    if public.first[1, PARTS] > 1:
        taken = np.zeros(1, np.int64)
        if len(room.lanes) == 1 or _tasks_of(view, work) < _WORTH:
            _tasks(view, work, room, taken, 0)
        else:
            _on_threads(public, boards, rows, view.mine, view.theirs, view.prior, view.reach,
                        work, room, taken)  # fmt: skip
        for part in range(1, public.first[1, PARTS]):
            _clear(public, part, value)
        for task in range(_tasks_of(view, work)):
            part, board = _task(view, work, task)
            _give(view, work, part, board, room.values[task], value)
    value_terminals(view, work, 0, 0, room, 0, 0)
    carry_up(view, work, 0, 0, room, 0, 0)


@parallel
def _on_threads(public, boards, rows, mine, theirs, prior, reach, work, room, taken):
    for t in prange(len(room.lanes)):
        view = View(public, boards, rows, mine, theirs, prior, reach)
        _tasks(view, work, room, taken, np.int64(t))


@uncounted
def _tasks_of(view, work):
    """The number of tasks: parts that follow the first, each on every board walked."""
    return (view.public.first[1, PARTS] - 1) * _walked(view, work, 1)


@uncounted
def _task(view, work, task):
    """The part and the board of a task."""
    parts = view.public.first[1, PARTS] - 1
    part = 1 + task % parts
    return part, _board(view, work, part, 0, task // parts)


@njit
def _tasks(view, work, room, taken, t):
    """Take tasks until none is left. Each writes its own values, on any number of threads."""
    while True:
        task = claim(taken)
        if task >= _tasks_of(view, work):
            return
        part, board = _task(view, work, task)
        _follow(view, work, part, board, room, t)
        for k in range(len(room.values[task])):
            room.values[task, k] = room.value[t, 1, k]


@njit
def _follow(view, work, part, board, room, t):
    """Value the roots of a part after the first and of all that follow it, by a stack.

    A frame is a part on a board; the parts that follow it come one by one, each on its boards.
    """
    public, frames, level = view.public, room.frames[t], 1
    frames[1] = part, board, public.first[part, PARTS], 0
    _enter(view, work, part, board, room, t, 1)
    while True:
        part, board, below, dealt = frames[level]
        if below < public.first[part + 1, PARTS]:
            next_board = _board(view, work, below, board, dealt)
            level += 1
            frames[level] = below, next_board, public.first[below, PARTS], 0
            _enter(view, work, below, next_board, room, t, level)
            continue
        value_terminals(view, work, part, board, room, t, level)
        carry_up(view, work, part, board, room, t, level)
        level -= 1
        if level == 0:
            return
        if frames[level, 3] == 0:
            _clear(public, part, room.value[t, level])
        _give(view, work, part, board, room.value[t, level + 1], room.value[t, level])
        frames[level, 3] += 1
        if frames[level, 3] == _walked(view, work, part):
            frames[level, 2], frames[level, 3] = part + 1, 0


@uncounted
def _walked(view, work, part):
    """The number of boards on which a part after the first is walked after one board."""
    r = view.public.round[part]
    return work.boards[r - 1] if view.boards.fan[0] else 1


@njit
def _board(view, work, part, before, i):
    """The i-th of these boards: equally far apart, from a drawn one on."""
    if not view.boards.fan[0]:
        return before
    r = view.public.round[part]
    fan, some = view.boards.fan[r - 1], work.boards[r - 1]
    start = np.int64(0)
    if some < fan:
        start = np.int64(mix(work.draw + np.uint64(before)) % np.uint64(fan))
    return before * fan + (start + i * fan // some) % fan


@uncounted
def _clear(public, part, value):
    """Zero the values of the roots of a part, in the part before."""
    for i in range(public.first[part, ROOTS], public.first[part + 1, ROOTS]):
        value[public.roots[i, 0]] = ZERO


@uncounted
def _enter(view, work, part, board, room, t, level):
    """Take reach from the part before, which is on the board before, and carry it down."""
    public, known, above = view.public, view.boards, t if level > 1 else 0
    at = known.first[public.round[part]] + board
    moved, first = known.fan[0] > 0, public.first[part, ROOTS]
    for k in range(public.first[part + 1, ROOTS] - first):
        source, opposed = public.roots[first + k, 1 + work.me], public.roots[first + k, 2 - work.me]
        take(room.reach[above, level - 1, opposed], view.theirs, at, moved, room.reach[t, level, k])
        if work.mode == LEARN:
            take(room.own[above, level - 1, source], view.mine, at, moved, room.own[t, level, k])
    if work.mode == LEARN:
        take(room.prior[above, level - 1], view.mine, at, moved, room.prior[t, level])
    carry_down(view, work, part, board, room, t, level)


@uncounted
def _give(view, work, part, board, values, out):
    """Add the values of a part's roots on a board to those in the part before."""
    public, known = view.public, view.boards
    r, weight = public.round[part], np.float32(1.0)
    moved = known.fan[0] > 0
    if moved:
        weight = np.float32(known.chance[r - 1] * known.fan[r - 1] / work.boards[r - 1])
    at, first = known.first[r] + board, public.first[part, ROOTS]
    for k in range(public.first[part + 1, ROOTS] - first):
        give(values[k], view.mine, at, moved, weight, out[public.roots[first + k, 0]])
