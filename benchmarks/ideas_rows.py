"""Twins of where the rows of regrets lie and how they are read, as kernels.

All of them play the same hands: every seat by regret matching, each hand by a stream of its own.
What is measured counts no references, as none of training's kernels does.
"""

import numpy as np

from sixmax.cfr.regret import sample
from sixmax.game.tree import DECISION, kind_of, n_actions, round_of, seat_of
from sixmax.jit import njit, prefetch, uncounted
from sixmax.rng import step, stream, unit

LINE = 16  # entries of int32 in a cache line


@uncounted
def sampled(tree, layout, regret, deals, seed):
    """Hands that all seats play by regret matching: decision nodes, and a sum of where they end."""
    node, nodes, total = tree.node, 0, 0
    for deal in range(len(deals.bucket)):
        state, x = stream(seed, np.uint64(deal)), 0
        while kind_of(node[x, 0]) == DECISION:
            head = node[x, 0]
            p, r, n = seat_of(head), round_of(head), n_actions(head)
            slab = layout.base[r, p] + deals.bucket[deal, p, r] * layout.columns[r, p]
            state = step(state)
            x = node[x, 1] + sample(regret, slab + node[x, 2], n, unit(state))
            nodes += 1
        total += x
    return nodes, total


@njit
def transpose(tree, layout, regret, out, record):
    """``regret`` with all buckets of a node together instead of all nodes of a bucket.

    ``record`` int32[nodes] gets where a node's rows begin after the base of its round and seat.
    """
    for x in range(len(tree.node)):
        head = tree.node[x, 0]
        if kind_of(head) == DECISION:
            p, r, n = seat_of(head), round_of(head), n_actions(head)
            slot = tree.node[x, 2]
            record[x] = slot * layout.buckets[r]
            for b in range(layout.buckets[r]):
                for a in range(n):
                    old = layout.base[r, p] + b * layout.columns[r, p] + slot + a
                    out[layout.base[r, p] + record[x] + b * n + a] = regret[old]


@uncounted
def sampled_by_node(tree, layout, regret, record, deals, seed):
    """:func:`sampled` on what :func:`transpose` gives."""
    node, nodes, total = tree.node, 0, 0
    for deal in range(len(deals.bucket)):
        state, x = stream(seed, np.uint64(deal)), 0
        while kind_of(node[x, 0]) == DECISION:
            head = node[x, 0]
            p, r, n = seat_of(head), round_of(head), n_actions(head)
            at = layout.base[r, p] + record[x] + deals.bucket[deal, p, r] * n
            state = step(state)
            x = node[x, 1] + sample(regret, at, n, unit(state))
            nodes += 1
        total += x
    return nodes, total


@njit
def widen(tree, layout, regret, wide, out, slot):
    """``regret`` with one more entry behind each row, for an epoch, which is 0.

    ``wide`` is the layout of ``out``; ``slot`` int32[nodes] gets where a node's rows begin there.
    """
    taken = np.zeros(layout.base.shape, np.int64)
    for x in range(len(tree.node)):
        head = tree.node[x, 0]
        if kind_of(head) == DECISION:
            p, r, n = seat_of(head), round_of(head), n_actions(head)
            slot[x] = taken[r, p]
            taken[r, p] += n + 1
            for b in range(layout.buckets[r]):
                old = layout.base[r, p] + b * layout.columns[r, p] + tree.node[x, 2]
                new = wide.base[r, p] + b * wide.columns[r, p] + slot[x]
                for a in range(n):
                    out[new + a] = regret[old + a]


@uncounted
def sampled_by_epoch(tree, wide, regret, slot, deals, seed, now, factor):
    """:func:`sampled` on what :func:`widen` gives: a row that is not of epoch ``now`` is multiplied
    by ``factor`` first."""
    node, nodes, total = tree.node, 0, 0
    for deal in range(len(deals.bucket)):
        state, x = stream(seed, np.uint64(deal)), 0
        while kind_of(node[x, 0]) == DECISION:
            head = node[x, 0]
            p, r, n = seat_of(head), round_of(head), n_actions(head)
            at = wide.base[r, p] + deals.bucket[deal, p, r] * wide.columns[r, p] + slot[x]
            if regret[at + n] != now:
                for a in range(n):
                    regret[at + a] = np.int32(np.rint(regret[at + a] * factor))
                regret[at + n] = now
            state = step(state)
            x = node[x, 1] + sample(regret, at, n, unit(state))
            nodes += 1
        total += x
    return nodes, total


def new_lanes(n):
    """What ``n`` hands that take turns may overwrite: node, row and hand, and their streams."""
    return (*np.empty((3, n), np.int64), np.empty(n, np.uint64))


@uncounted
def sampled_in_lanes(tree, layout, regret, deals, seed, scratch):
    """:func:`sampled` with as many hands that take turns as ``scratch`` has lanes; a hand's next
    row is asked for before the others have theirs."""
    node, nodes, total, deal = tree.node, 0, 0, 0
    at_node, row, hand, state = scratch
    lanes = left = len(hand)
    for k in range(lanes):
        hand[k] = -1
    while left:
        left = lanes
        for k in range(lanes):
            x = at_node[k] if hand[k] >= 0 else 0
            head = node[x, 0]
            if hand[k] < 0 or kind_of(head) != DECISION:  # the lane is free: its next hand
                if hand[k] >= 0:
                    total += x
                    hand[k] = -1
                if deal == len(deals.bucket):
                    left -= 1
                    continue
                hand[k], state[k], x = deal, stream(seed, np.uint64(deal)), 0
                deal += 1
            else:
                state[k] = step(state[k])
                x = node[x, 1] + sample(regret, row[k], n_actions(head), unit(state[k]))
                nodes += 1
            at_node[k], head = x, node[x, 0]
            if kind_of(head) == DECISION:
                p, r = seat_of(head), round_of(head)
                slab = layout.base[r, p] + deals.bucket[hand[k], p, r] * layout.columns[r, p]
                row[k] = slab + node[x, 2]
                prefetch(regret, row[k])
    return nodes, total


@uncounted
def chase(array, steps, shift, seed):
    """Reads of a row of four that wait for one another, ``shift`` entries into a cache line."""
    at, total = seed, np.int64(0)
    lines = array.size // LINE - 1
    for _ in range(steps):
        at = at * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        i = np.int64(at >> np.uint64(33)) % lines * LINE + shift
        found = array[i] + array[i + 1] + array[i + 2] + array[i + 3]
        total += found
        at += np.uint64(found)
    return total


@njit
def crossing(tree, layout):
    """Rows of the layout, those that lie across two cache lines, and the entries that there would
    be if every row had a power of two of them: int64[rounds, 3]."""
    found = np.zeros((len(layout.buckets), 3), np.int64)
    for x in range(len(tree.node)):
        head = tree.node[x, 0]
        if kind_of(head) == DECISION:
            p, r, n = seat_of(head), round_of(head), n_actions(head)
            at, power = layout.base[r, p] + tree.node[x, 2], 1
            while power < n:
                power *= 2
            for _ in range(layout.buckets[r]):
                found[r, 0] += 1
                found[r, 1] += at % LINE + n > LINE
                found[r, 2] += power
                at += layout.columns[r, p]
    return found
