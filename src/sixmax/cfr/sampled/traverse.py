"""One traversal of external-sampling Monte Carlo CFR with negative-regret pruning.

Pluribus: Algorithm 1 of the supplement, TRAVERSE-MCCFR and TRAVERSE-MCCFR-P. Libratus: Algorithm 1
of its supplement, TRAVERSE-ESMCCFR and TRAVERSE-ESMCCFR-P.
"""

from typing import Any, NamedTuple

import numpy as np

from sixmax.base.jit import inlined, njit, prefetch, uncounted
from sixmax.base.rng import step, unit
from sixmax.betting.tree import (
    MAX_ACTIONS,
    Tree,
    is_decision,
    n_actions,
    offers_fold,
    round_of,
    seat_of,
)
from sixmax.cfr.layout import Layout
from sixmax.cfr.regret import match, sample
from sixmax.cfr.sampled.average import Turns
from sixmax.cfr.sampled.leaves import EndScratch, end_scratch, value_of_end
from sixmax.cfr.sampled.log import COUNT, pack_visit
from sixmax.cfr.sampled.schedule import Pruning

_LEAST = 0.02  # Libratus: chained probability of an action to be sampled, at least
_CACHED = 1 << 18  # regrets: those of a table of so many are never far
FRAMES = 128  # decisions of one player in one hand: at most max_raises + 1 a round


class Learner(NamedTuple):
    """All that traversals read besides regrets and deals."""

    tree: Tree
    layout: Layout
    leaves: Any  # Leaves | None: the values of the LEAFs of ``tree``
    turns: Turns  # the decisions that UPDATE-STRATEGY counts
    pruning: Pruning
    batch: int  # iterations that read the same regrets
    count_every: int  # as of a Schedule
    count_after: int
    scale: float  # regret units a chip
    seed: np.uint64  # of the traversals
    seat: int  # the only one that learns, or EVERY_SEAT


class Traversal(NamedTuple):
    """One traversal: the traverser, its deal and its stream of random numbers."""

    me: int
    offset: np.ndarray  # int64[seats, rounds]: where the slab of the seat's bucket starts
    rank: np.ndarray  # rank and future: of one deal, see sixmax.cfr.sampled.leaves
    future: np.ndarray
    state: np.uint64
    prune: bool
    count: bool  # the opponents' actions


class Frames(NamedTuple):
    """The stack of a traversal: a frame for each decision of the traverser on the way."""

    strategy: np.ndarray  # float64[FRAMES, MAX_ACTIONS], as are value and odds
    value: np.ndarray
    odds: np.ndarray
    explored: np.ndarray  # bool[FRAMES, MAX_ACTIONS]
    frame: np.ndarray  # int64[FRAMES, 3]: node, its entry, the action at work
    ends: EndScratch


@njit
def new_frames(seats, leaves):
    """An empty stack, in a game of so many seats with the values ``leaves``."""
    shape = FRAMES, MAX_ACTIONS
    explored, frame = np.empty(shape, np.bool_), np.empty((FRAMES, 3), np.int64)
    ends = end_scratch(seats, leaves)
    return Frames(np.empty(shape), np.empty(shape), np.empty(shape), explored, frame, ends)


@inlined
def traverse(learner, regret, traversal, out, frames):
    """TRAVERSE-MCCFR or, where ``traversal.prune``, TRAVERSE-MCCFR-P.

    With ``pruning.half`` above 0, TRAVERSE-ESMCCFR and TRAVERSE-ESMCCFR-P of Libratus, which counts
    the opponents' actions where ``traversal.count``. The paper's recursion has its stack made
    explicit: only the traverser's own nodes need a frame.

    ``out`` is the chunk of a Log that is written, in regret units. Returns the value of the root
    to the traverser in chips, and -1.0e300 where the chunk was too small.
    """
    # Reading a tuple in the loop costs dearly.
    tree, pruning, scale = learner.tree, learner.pruning, learner.scale
    me, offset, state = traversal.me, traversal.offset, step(traversal.state)
    prune, count, last_round = traversal.prune, traversal.count, offset.shape[1] - 1
    strategy, value, odds = frames.strategy, frames.value, frames.odds
    explored, frame, node = frames.explored, frames.frame, tree.node
    row, delta = out.row, out.delta
    used, nodes, left_out = out.used[0], out.used[2], out.used[3]
    depth, x, far = 0, 0, regret.size > _CACHED
    while True:
        # Down: to the next terminal node, or to a node of the traverser, which gets a frame.
        head = node[x, 0]
        if is_decision(head):
            nodes += 1
            seat, n = seat_of(head), n_actions(head)
            at = offset[seat, round_of(head)] + node[x, 2]
            if seat != me:
                state = step(state)
                a = sample(regret, at, n, unit(state))
                if count and not _count(out, at + a, _chained(prune, depth, frame, odds)):
                    return -1.0e300
                x = node[x, 1] + a
                continue
            positive = match(regret, at, n, strategy[depth])
            kept = n
            if prune and pruning.half > 0:
                chained = _chained(prune, depth, frame, odds)
                kept, state = sample_below(
                    regret[at : at + n], pruning, chained, state, explored[depth], odds[depth]
                )
            elif prune and round_of(head) != last_round:
                kept = leave_out_below(node, x, regret, at, pruning.threshold, explored[depth])
            else:
                explored[depth, :n] = True
            left_out += n - kept
            # ASSUME without positive regret: uniform over the explored actions. Algorithm 1 of both
            # papers would count a pruned action as worth nothing.
            if kept < n and not positive:
                for a in range(n):
                    strategy[depth, a] = 1.0 / kept if explored[depth, a] else 0.0
            # Rows of children come from memory while the first is walked; a fold is not walked.
            for a in range(1 if offers_fold(head) else 0, n if far else 0):
                child = node[x, 1] + a
                head = node[child, 0]
                if explored[depth, a] and is_decision(head):
                    prefetch(regret, offset[seat_of(head), round_of(head)] + node[child, 2])
            frame[depth, 0], frame[depth, 1], frame[depth, 2] = x, at, -1
            depth += 1
            v = 0.0
        else:
            v = value_of_end(learner.leaves, tree, x, me, traversal, frames.ends)
        # Up: give the value to the frame on top, until one has an action still to explore.
        while True:
            if depth == 0:
                out.used[0], out.used[2], out.used[3] = used, nodes, left_out
                return v
            d = depth - 1
            x, a = frame[d, 0], frame[d, 2]
            head = node[x, 0]
            n = n_actions(head)
            if a >= 0:
                value[d, a] = v
            a += 1
            if a == 0 and offers_fold(head):  # fold: the chips put in are lost
                value[d, 0] = -node[x, 3]
                a = 1
            while a < n and not explored[d, a]:
                a += 1
            if a < n:
                frame[d, 2] = a
                x = node[x, 1] + a
                break
            v = 0.0
            for b in range(n):
                if explored[d, b]:
                    v += strategy[d, b] * value[d, b]
            if used == row.size:
                return -1.0e300
            row[used] = frame[d, 1] * MAX_ACTIONS + n - 1
            for b in range(n):
                gain = (value[d, b] - v) * scale if explored[d, b] else 0.0
                delta[used, b] = np.int32(np.rint(gain))
            used += 1
            depth = d


@inlined
def _chained(prune, depth, frame, odds):
    """The chained probability of a decision with ``depth`` of the traverser's before it."""
    return odds[depth - 1, frame[depth - 1, 2]] if prune and depth > 0 else 1.0


@inlined
def _count(out, at, chained):
    """Log a visit of the cell ``at``, weighed by 1 / ``chained``; false where there is no room."""
    visits = out.used[1]
    if visits == out.visit.size:
        return False
    out.visit[visits] = pack_visit(at, np.int64(np.rint(COUNT / chained)))
    out.used[1] += 1
    return True


@inlined
def leave_out_below(node, x, regret, at, threshold, explored):
    """Pluribus: no action at or below ``threshold`` is explored but those that end the hand.

    Fills ``explored`` bool[actions] for the decision ``x``; returns the number of explored actions.
    """
    head, first = node[x, 0], node[x, 1]
    n, kept = n_actions(head), 0
    for a in range(n):
        explored[a] = regret[at + a] > threshold or _ends(node, first + a, a, head)
        kept += explored[a]
    if kept == 0:  # ASSUME the best of them is explored: a value is needed
        explored[_best(regret[at : at + n])] = True
        kept = 1
    return kept


@uncounted
def sample_below(regret, pruning, chained, state, explored, odds):
    """Libratus: an action of regret R below the threshold C is explored with K / (K + C - R).

    ``chained`` is the chained probability of the decision, ``odds[a]`` that of each action, at
    least 2 %. Returns the number of explored actions and the state of the stream.
    """
    threshold, half, kept = np.float64(pruning.threshold), np.float64(pruning.half), 0
    best = _best(regret)
    for a in range(regret.size):
        explored[a], odds[a] = True, chained
        # ASSUME the best action is always explored: without any, a decision would have no value.
        if regret[a] < threshold and a != best:
            p = min(max(_LEAST / chained, half / (half + threshold - regret[a])), 1.0)
            state = step(state)
            explored[a], odds[a] = unit(state) < p, chained * p
        kept += explored[a]
    return kept, state


@inlined
def _ends(node, child, a, head):
    """Whether the action ends the hand for the acting player: a fold does, with any others left.

    # ASSUME the paper's "actions leading to terminal payoffs" include a fold with others left.
    """
    return (a == 0 and offers_fold(head)) or not is_decision(node[child, 0])


@uncounted
def _best(regret):
    best = 0
    for a in range(1, regret.size):
        if regret[a] > regret[best]:
            best = a
    return best
