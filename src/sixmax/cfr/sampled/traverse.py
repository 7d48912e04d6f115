"""One traversal of external-sampling Monte Carlo CFR with negative-regret pruning.

Pluribus: Algorithm 1 of the supplement, TRAVERSE-MCCFR and TRAVERSE-MCCFR-P. Libratus: Algorithm 1
of its supplement, TRAVERSE-ESMCCFR and TRAVERSE-ESMCCFR-P.
"""

import numpy as np

from sixmax.base.jit import inlined, prefetch
from sixmax.base.rng import step, unit
from sixmax.betting.tree import (
    DECISION,
    LEAF,
    kind_of,
    n_actions,
    offers_fold,
    round_of,
    seat_of,
)
from sixmax.cfr.regret import match, sample
from sixmax.cfr.sampled.leaves import value_of_leaf
from sixmax.cfr.sampled.log import COUNT, MAX_ACTIONS, pack_visit
from sixmax.cfr.sampled.pruning import leave_out_below, sample_below
from sixmax.cfr.terminal import terminal_value

_CACHED = 1 << 18  # regrets: those of a table of so many are never far
FRAMES = 128  # decisions of one player in one hand: at most max_raises + 1 a round


@inlined
def traverse(
    tree, regret, offset, rank, me, state, prune, count, last_round, pruning, scale, out, c, work,
    future=None, beyond=None,
):  # fmt: skip
    """TRAVERSE-MCCFR or, where ``prune``, TRAVERSE-MCCFR-P for the traverser ``me``.

    With ``pruning.half`` above 0, TRAVERSE-ESMCCFR and TRAVERSE-ESMCCFR-P of Libratus: every action
    below the threshold is sampled, and where ``count`` the opponents' actions are counted.

    ``offset[seat, round]`` is the start of the slab of the seat's bucket; ``out`` is a Log of
    which chunk ``c`` is written, in regret units (``scale`` a chip). Returns the value of the
    root to ``me`` in chips, and -1.0e300 where the log was too small.
    ``future`` and ``beyond`` are for trees with leaves, see :mod:`sixmax.cfr.sampled.leaves`.

    The recursion of the paper with the stack made explicit: sampled opponents need no frame, so
    only the traverser's own nodes are pushed.
    """
    node, contributed = tree.node, tree.contributed  # reading a tuple in the loop costs dearly
    strategy, value, explored, frame, net, odds, units = work
    row, delta = out.row[c], out.delta[c]
    used, nodes, left_out = out.used[c, 0], out.used[c, 2], out.used[c, 3]
    depth, x, far = 0, 0, regret.size > _CACHED
    while True:
        # Down: to the next terminal node, or to a node of the traverser, which gets a frame.
        head = node[x, 0]
        if kind_of(head) == DECISION:
            nodes += 1
            seat, n = seat_of(head), n_actions(head)
            at = offset[seat, round_of(head)] + node[x, 2]
            if seat != me:
                state = step(state)
                a = sample(regret, at, n, unit(state))
                if count and not _count(out, c, at + a, _chained(prune, depth, frame, odds)):
                    return -1.0e300
                x = node[x, 1] + a
                continue
            positive = match(regret, at, n, strategy[depth])
            kept = n
            if prune and pruning.half > 0:
                chained = _chained(prune, depth, frame, odds)
                kept, state = sample_below(
                    regret, at, n, pruning, chained, state, explored[depth], odds[depth]
                )
            elif prune and round_of(head) != last_round:
                kept = leave_out_below(
                    node, node[x, 1], head, regret, at, n, pruning.threshold, explored[depth]
                )
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
                if explored[depth, a] and kind_of(head) == DECISION:
                    prefetch(regret, offset[seat_of(head), round_of(head)] + node[child, 2])
            frame[depth, 0], frame[depth, 1], frame[depth, 2] = x, at, -1
            depth += 1
            v = 0.0
        else:
            if beyond is None:  # decided when the kernel is compiled
                v = terminal_value(node, contributed, rank, head, x, me, net)
            elif kind_of(head) == LEAF:
                v = value_of_leaf(beyond, node, contributed, x, rank, future, me, net, units)
            else:
                v = terminal_value(node, contributed, rank, head, x, me, net)
        # Up: give the value to the frame on top, until one has an action still to explore.
        while True:
            if depth == 0:
                out.used[c, 0], out.used[c, 2], out.used[c, 3] = used, nodes, left_out
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
def _count(out, c, at, chained):
    """Log a visit of the cell ``at``, weighed by 1 / ``chained``; false where there is no room."""
    visits = out.used[c, 1]
    if visits == out.visit.shape[1]:
        return False
    out.visit[c, visits] = pack_visit(at, np.int64(np.rint(COUNT / chained)))
    out.used[c, 1] += 1
    return True
