"""All hands of two players at once through a public tree: one walk of counterfactual regret.

``reach`` is the opponent's reach by hand, ``own`` that of the player ``me`` whose values come back.
The tree is walked in parts, each on every board that may precede it: reach goes down a part, its
terminals are valued, and values go up. A board has a number in its round, ``board``, and one over
all rounds, ``place``.
"""

import numpy as np

from sixmax.base.jit import claim, njit, njit_for_both, parallel, prange, uncounted
from sixmax.base.rng import mix, stream
from sixmax.cfr.gadget import NONE, choose
from sixmax.search.solvers.ranges.boards import FollowingBoards
from sixmax.search.solvers.ranges.hands import Hands
from sixmax.search.solvers.ranges.part_walk import (
    LEARN,
    Here,
    Pass,
    View,
    carry_down,
    carry_up,
    value_terminals,
)
from sixmax.search.solvers.ranges.rows import (
    ZERO,
    HandRows,
    add,
    add_renamed,
    discount_shared,
    give,
    scale,
    shrink_shared,
    take,
)
from sixmax.search.solvers.ranges.tree_parts import BLOCKS, PARTS, ROOTS, Public

_WORTH = 200  # decisions on a board; fewer take less time than to wake a thread


@njit
def learn(game, gadget, work, room, threads, keeps):
    """An iteration for each row of ``keeps`` float64[., 6]: player 0 learns, then player 1.

    A row is the ``keep`` of a Pass; ``work`` is the rest of the orders, and the seed of draws. The
    range of the opponent of a ``gadget`` is overwritten with its choice. ``threads``: as in walk.
    """
    for i in range(len(keeps)):
        draw = stream(work.draw, np.uint64(keeps[i, 5]))
        for me in range(2):
            orders = Pass(me, LEARN, work.table, work.total, work.regret, work.half, keeps[i],
                          work.walked, draw, work.frozen, work.fixed, work.number,
                          work.value_rows, work.values, work.reaches, work.watched)  # fmt: skip
            shrink_shared(game.rows, me, work.total, keeps[i])
            walk(game, orders, room, threads)
            discount_shared(game.rows, me, work.regret, work.table, room.added, keeps[i])
            if gadget.kind != NONE and gadget.opponent == me:
                ahead = 1.0 if work.regret.size or len(work.half) > 2 else 0.0
                choose(gadget, room.value[0, 0, 0], keeps[i], keeps[i, 3], ahead)
                for h in range(len(game.range[me])):
                    game.range[me][h] = np.float32(gadget.reach[h])


@njit_for_both
def walk(game, work, room, threads):
    """Leave the values of the root in ``room.value[0, 0, 0]``: float32[n], those of ``work.me``.

    ``threads`` is the number of lanes of ``room``, or None for one: then no parallel loop is
    compiled, a quarter of the time that all of this takes.
    """
    me, public, hands, ranges = work.me, game.public, game.hands, game.range
    view = View(
        public, game.boards, game.rows, hands[me], hands[1 - me], game.prior[me], ranges[1 - me]
    )
    reach, own, value = room.reach[0, 0], room.own[0, 0], room.value[0, 0]
    reach[0, : len(view.reach)] = view.reach
    own[0, : len(view.prior)] = np.float32(1.0)
    room.prior[0, 0, : len(view.prior)] = view.prior
    root = Here(0, 0, 0, 0)
    carry_down(view, work, room, root)
    parts = public.first[1, PARTS]
    if parts > 1:
        claimed, walks = np.zeros(1, np.int64), _walks(view, work, 1, 0)
        if threads is None or len(public.decisions) * walks < _WORTH:
            _tasks(view, work, room, claimed, 0)
        else:
            _on_threads(view, work, room, claimed)
        for part in range(1, parts):
            _clear(public, part, value)
            for block in range(_blocks(view, work)):
                for i in range(public.first[part, ROOTS], public.first[part + 1, ROOTS]):
                    slot = public.roots[i, 0]
                    add(value[slot], room.values[block, slot])
            _rename(view, part, 0, value, room.spare[0])
    value_terminals(view, work, room, root)
    carry_up(view, work, room, root)


@parallel
def _on_threads(view, work, room, claimed):
    # A parallel loop takes tuples of arrays, and no tuples of tuples.
    public = Public(*view.public)
    boards = FollowingBoards(*view.boards)
    rows = HandRows(*view.rows)
    mine = Hands(*view.mine)
    theirs = Hands(*view.theirs)
    prior, reach = view.prior, view.reach
    for t in prange(len(room.lanes)):
        own = View(public, boards, rows, mine, theirs, prior, reach)
        _tasks(own, work, room, claimed, np.int64(t))


@uncounted
def _blocks(view, work):
    """The blocks of boards that threads share; one where boards change the rows of buckets."""
    if work.mode == LEARN and view.rows.later:
        return 1
    return min(_walks(view, work, 1, 0), BLOCKS)


@njit
def _tasks(view, work, room, claimed, t):
    """Take tasks until none is left: a part after the first, on a block of boards.

    Each writes its own values and rows, so that the result is the same on any number of threads.
    """
    public, blocks, walks = view.public, _blocks(view, work), _walks(view, work, 1, 0)
    parts = public.first[1, PARTS] - 1
    while True:
        task = claim(claimed)
        if task >= parts * blocks:
            return
        part, block = 1 + task % parts, task // parts
        out = room.values[block]
        _clear(public, part, out)
        for i in range(block * walks // blocks, (block + 1) * walks // blocks):
            board = _board(view, work, part, 0, i)
            _follow(view, work, part, board, room, t)
            _give(view, work, part, board, room.value[t, 1], out)


@njit
def _follow(view, work, part, board, room, t):
    """Value the roots of a part after the first and of all that follow it, by a stack.

    A frame is a part on a board; the parts that follow it come one by one, each on its boards.
    """
    public, frames, level = view.public, room.frames[t], 1
    frames[1] = part, board, public.first[part, PARTS], 0
    _enter(view, work, room, Here(part, board, t, 1))
    while True:
        part, board, below, done = frames[level]
        if below < public.first[part + 1, PARTS]:
            next_board = _board(view, work, below, board, done)
            level += 1
            frames[level] = below, next_board, public.first[below, PARTS], 0
            _enter(view, work, room, Here(below, next_board, t, level))
            continue
        here = Here(part, board, t, level)
        value_terminals(view, work, room, here)
        carry_up(view, work, room, here)
        level -= 1
        if level == 0:
            return
        if frames[level, 3] == 0:
            _clear(public, part, room.value[t, level])
        _give(view, work, part, board, room.value[t, level + 1], room.value[t, level])
        frames[level, 3] += 1
        if frames[level, 3] == _walks(view, work, part, frames[level, 1]):
            _rename(view, part, frames[level, 1], room.value[t, level], room.spare[t])
            frames[level, 2], frames[level, 3] = part + 1, 0


@uncounted
def _walks(view, work, part, before):
    """The number of boards on which a part is walked after the board ``before``."""
    r = view.public.round[part]
    if not view.public.dealt[part]:
        return 1
    place = view.boards.first[r - 1] + before
    return min(work.walked[r - 1], view.boards.after[place + 1] - view.boards.after[place])


@njit
def _board(view, work, part, before, i):
    """The i-th of these boards: equally far apart, from a drawn one on."""
    if not view.public.dealt[part]:
        return before
    r = view.public.round[part]
    place = view.boards.first[r - 1] + before
    first, fan = view.boards.after[place], view.boards.after[place + 1] - view.boards.after[place]
    walks = min(work.walked[r - 1], fan)
    start = np.int64(0)
    if walks < fan:
        start = np.int64(mix(work.draw + np.uint64(before)) % np.uint64(fan))
    return first - view.boards.first[r] + (start + i * fan // walks) % fan


@uncounted
def _clear(public, part, value):
    """Zero the values of the roots of a part, in the part before."""
    for i in range(public.first[part, ROOTS], public.first[part + 1, ROOTS]):
        value[public.roots[i, 0]] = ZERO


@uncounted
def _rename(view, part, before, value, spare):
    """Let the values of a part's roots count for all boards that those walked stand for.

    :func:`_give` has divided those of each board by the number of permutations that keep it.
    """
    public, r = view.public, view.public.round[part]
    if public.dealt[part]:
        place = view.boards.first[r - 1] + before
        for i in range(public.first[part, ROOTS], public.first[part + 1, ROOTS]):
            add_renamed(value[public.roots[i, 0]], view.mine, place, spare)


@uncounted
def _enter(view, work, room, here):
    """Take reach from the part before, which is on the board before, and carry it down."""
    part, board, t, level = here
    public, above = view.public, t if level > 1 else 0
    dealt, first = public.dealt[part], public.first[part, ROOTS]
    place = view.boards.first[public.round[part]] + board
    reach, own = room.reach[above, level - 1], room.own[above, level - 1]
    for k in range(public.first[part + 1, ROOTS] - first):
        mine, theirs = public.roots[first + k, 1 + work.me], public.roots[first + k, 2 - work.me]
        take(reach[theirs], view.theirs, place, dealt, room.reach[t, level, k])
        if work.mode == LEARN:
            take(own[mine], view.mine, place, dealt, room.own[t, level, k])
    if work.mode == LEARN and view.rows.shared > 0:
        prior = room.prior[t, level]
        take(room.prior[above, level - 1], view.mine, place, dealt, prior)
        if dealt:
            scale(prior, np.float32(view.boards.chance[place]))
    carry_down(view, work, room, here)


@uncounted
def _give(view, work, part, board, values, out):
    """Add the values of a part's roots on a board to those in the part before."""
    public, known = view.public, view.boards
    r, weight = public.round[part], np.float32(1.0)
    place, first = known.first[r] + board, public.first[part, ROOTS]
    if public.dealt[part]:
        fan = known.fan[r - 1]
        share = known.chance[place] / known.group[place]
        weight = np.float32(share * fan / min(work.walked[r - 1], fan))
    for k in range(public.first[part + 1, ROOTS] - first):
        slot = public.roots[first + k, 0]
        give(values[k], view.mine, place, public.dealt[part], weight, out[slot])
