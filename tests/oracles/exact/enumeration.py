"""Every outcome of every draw: the exact expectation of what the sampling kernels log.

A draw is settled by making the regrets of its infoset pure, one action positive; ``sample`` then
takes that action whatever the random number. So the production kernels themselves run once for
each outcome, and their log is weighed by the outcome's probability under the real regrets.
"""

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting.tree import MAX_ACTIONS, is_decision, n_actions, offers_fold, round_of, seat_of
from sixmax.cfr.regret import match
from sixmax.cfr.sampled.average import turns, update_strategy
from sixmax.cfr.sampled.batch import EVERY_SEAT
from sixmax.cfr.sampled.log import chunk, new_log
from sixmax.cfr.sampled.schedule import Pruning
from sixmax.cfr.sampled.traverse import FRAMES, Learner, Traversal, new_frames, traverse

_OFF = Pruning(1 << 62, 0.0, -(10**8), -(10**9))


def expected_log(tree, layout, deals, regret, scale, counters=False):
    """Expected sum of what one deal, and a traversal for each seat, adds to the regrets.

    Returns float64[layout.size] in regret units (or visits of UPDATE-STRATEGY, where
    ``counters``), and the expected value of each seat (0 with ``counters``).
    """
    hit, value = np.zeros(layout.size), np.zeros(deals.rank.shape[2])
    table = np.concatenate([a.reshape(len(deals.rank), -1) for a in deals], axis=1)
    _, first, times = np.unique(table, axis=0, return_index=True, return_counts=True)
    seats, rounds = deals.bucket.shape[1:]
    log = new_log(len(tree.node), len(tree.node), MAX_ACTIONS)
    learner = Learner(
        tree, layout, None, turns(tree, rounds), _OFF, 1, 0, 0, scale, np.uint64(0), EVERY_SEAT
    )
    frames, out = new_frames(seats, None), chunk(log, 0)
    for d, chance in zip(first, times / times.sum(), strict=True):
        offset = layout.base + deals.bucket[d].T * layout.columns
        for me in range(seats):
            traversal = Traversal(
                me, np.ascontiguousarray(offset.T), deals.rank[d], deals.bucket[d], np.uint64(0),
                False, False,
            )  # fmt: skip
            value[me] += _enumerate(learner, regret, traversal, counters, chance, out, frames, hit)
    return hit, value


@njit
def _enumerate(learner, regret, traversal, counters, chance, out, frames, found):
    """Add the weighed logs of one deal and player to ``found``; returns the expected value."""
    node, me, offset = learner.tree.node, traversal.me, traversal.offset
    choice, order = np.full(len(node), -1, np.int64), np.empty(len(node), np.int64)
    stack, strategy = np.empty(4096, np.int64), np.empty(MAX_ACTIONS)
    pending = np.empty((FRAMES + 1, 2), np.int64)
    expected, outcomes, met = 0.0, 0, 0
    while True:
        met = _meet(node, me, counters, choice, order, met, stack)
        pure, weight = regret.copy(), chance
        for i in range(met):
            at, n = _row(node, offset, order[i])
            match(regret, at, n, strategy)
            weight *= strategy[choice[order[i]]]
            pure[at : at + n] = 0
            pure[at + choice[order[i]]] = 1
        outcomes += 1
        out.used[:] = 0
        if weight == 0.0:
            pass
        elif counters:
            update_strategy(learner.turns, pure, traversal, out, pending)
            for e in range(out.used[1]):
                found[out.visit[e] >> 16] += weight
        else:
            expected += weight * traverse(learner, pure, traversal, out, frames)
            for e in range(out.used[0]):
                at, n = out.row[e] // MAX_ACTIONS, out.row[e] % MAX_ACTIONS + 1
                for a in range(n):
                    found[at + a] += weight * out.delta[e, a]
        while met > 0:  # the next outcome: the last draw that has one left; later ones are unmade
            x = order[met - 1]
            if choice[x] + 1 < n_actions(node[x, 0]):
                choice[x] += 1
                break
            choice[x] = -1
            met -= 1
        if met == 0:
            return expected


@njit
def _row(node, offset, x):
    head = node[x, 0]
    return offset[seat_of(head), round_of(head)] + node[x, 2], n_actions(head)


@njit
def _meet(node, me, counters, choice, order, met, stack):
    """Walk as the kernel does; nodes where it draws for the first time get their first action."""
    stack[0], size = 0, 1
    while size > 0:
        size -= 1
        x = stack[size]
        head = node[x, 0]
        if not is_decision(head):
            continue
        mine = seat_of(head) == me
        if mine == counters:  # drawn: a traversal draws for the others, the counters for ``me``
            if choice[x] < 0:
                choice[x] = 0
                order[met] = x
                met += 1
            first, last = choice[x], choice[x] + 1
        else:
            first, last = 0, n_actions(head)
        for a in range(first, last):
            if not (mine and a == 0 and offers_fold(head)):
                stack[size] = node[x, 1] + a
                size += 1
    return met
