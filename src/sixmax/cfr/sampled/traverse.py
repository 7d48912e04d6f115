"""One traversal of external-sampling Monte Carlo CFR with negative-regret pruning.

Algorithm 1 of the supplement, TRAVERSE-MCCFR and TRAVERSE-MCCFR-P.
"""

import numpy as np

from sixmax.cfr.regret import match, sample
from sixmax.cfr.sampled.log import MAX_ACTIONS
from sixmax.cfr.sampled.rollout import leaf_value
from sixmax.cfr.terminal import terminal_value
from sixmax.game.tree import (
    DECISION,
    LEAF,
    kind_of,
    n_actions,
    offers_fold,
    round_of,
    seat_of,
)
from sixmax.jit import inlined, prefetch, uncounted
from sixmax.rng import step, unit

_CACHED = 1 << 18  # regrets: those of a table of so many are never far
FRAMES = 128  # decisions of one player in one hand: at most max_raises + 1 a round


@uncounted
def _is_leaf(node, child, a, head):
    """Whether the action ends the hand for the acting player: a fold does, whoever is left.

    # ASSUME the paper's "actions leading to terminal payoffs" include a fold with others left.
    """
    return (a == 0 and offers_fold(head)) or kind_of(node[child, 0]) != DECISION


@inlined
def traverse(
    tree, regret, offset, rank, me, state, prune, last_round, pruning, scale, out, c, work,
    future=None, beyond=None,
):  # fmt: skip
    """TRAVERSE-MCCFR or, where ``prune``, TRAVERSE-MCCFR-P for the traverser ``me``.

    ``offset[seat, round]`` is the start of the slab of the seat's bucket; ``out`` is a Log of
    which chunk ``c`` is written, in regret units (``scale`` a chip). Returns the value of the
    root to ``me`` in chips, and -1.0e300 where the log was too small.
    ``future`` and ``beyond`` are for trees with leaves, see :mod:`sixmax.cfr.sampled.rollout`.

    The recursion of the paper with the stack made explicit: sampled opponents need no frame, so
    only the traverser's own nodes are pushed.
    """
    node, contributed = tree.node, tree.contributed  # reading a tuple in the loop costs dearly
    strategy, value, explored, frame, net = work
    row, delta, threshold = out.row[c], out.delta[c], pruning.threshold
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
                x = node[x, 1] + sample(regret, at, n, unit(state))
                continue
            positive = match(regret, at, n, strategy[depth])
            for a in range(n):
                explored[depth, a] = True
            if prune and round_of(head) != last_round:
                kept = 0
                for a in range(n):
                    if regret[at + a] <= threshold and not _is_leaf(node, node[x, 1] + a, a, head):
                        explored[depth, a] = False
                        left_out += 1
                    else:
                        kept += 1
                if kept == 0:  # ASSUME the best of them is explored: a value is needed
                    best = 0
                    for a in range(1, n):
                        if regret[at + a] > regret[at + best]:
                            best = a
                    explored[depth, best] = True
                    kept = 1
                    left_out -= 1
                # ASSUME without positive regret: uniform over the explored actions. Algorithm 1
                # would count a pruned action as worth nothing.
                if not positive and kept < n:
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
                v = leaf_value(beyond, node, contributed, x, rank, future, me, net)
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
