"""The ways that were not taken, as kernels: twins of the production code to measure it against.

They are no part of the package and are compiled anew in every process.
"""

import numpy as np

from sixmax.cfr.log import MAX_ACTIONS
from sixmax.cfr.mccfr import traverse
from sixmax.cfr.regret import match, sample
from sixmax.cfr.terminal import terminal_value
from sixmax.game.tree import DECISION, FOLDABLE
from sixmax.jit import numba
from sixmax.rng import step, stream, unit

compiled = numba.njit(nogil=True)
STACK, OWN, ALL = 0, 1, 2  # explicit stack; recursion at the traverser's nodes; at every node


@compiled
def recurse(node, contributed, regret, offset, rank, me, x, state, used, work, log, depth, all_):
    """TRAVERSE-MCCFR without pruning as the paper has it; opponents by a loop unless ``all_``."""
    strategy, value, net = work
    while True:
        head = node[x, 0]
        if head & 15 != DECISION:
            return terminal_value(node, contributed, rank, head, x, me, net)
        used[1] += 1
        seat, n = head >> 4 & 15, head >> 12 & 255
        at = offset[seat, head >> 8 & 15] + node[x, 2]
        if seat == me:
            break
        state[0] = step(state[0])
        x = node[x, 1] + sample(regret, at, n, unit(state[0]))
        if all_:
            return recurse(
                node, contributed, regret, offset, rank, me, x, state, used, work, log, depth, all_
            )
    match(regret, at, n, strategy[depth])
    v = 0.0
    for a in range(n):
        if a == 0 and head & FOLDABLE:
            value[depth, a] = -node[x, 3]
        else:
            value[depth, a] = recurse(
                node, contributed, regret, offset, rank, me, node[x, 1] + a, state, used, work,
                log, depth + 1, all_,
            )  # fmt: skip
        v += strategy[depth, a] * value[depth, a]
    row, delta = log
    row[used[0]] = at * MAX_ACTIONS + n - 1
    for a in range(n):
        delta[used[0], a] = np.int32(np.rint(value[depth, a] - v))
    used[0] += 1
    return v


@compiled
def walk(way, tree, layout, regret, deals, seed, pruning, out, scratch):
    """Traversals of ``deals`` in one of the three ways; decision nodes, and the sum of values."""
    _, seats, rounds = deals.bucket.shape
    work, _, offset = scratch
    state, used, total, nodes = np.empty(1, np.uint64), np.zeros(2, np.int64), 0.0, 0
    for i in range(len(deals.bucket) * seats):
        deal, me = i // seats, i % seats
        for p in range(seats):
            for r in range(rounds):
                offset[p, r] = layout.base[r, p] + deals.bucket[deal, p, r] * layout.columns[r, p]
        state[0] = stream(seed, np.uint64(i))
        out.used[0], used[:] = 0, 0
        if way == STACK:
            total += traverse(tree, regret, offset, deals.rank[deal], me, state[0], False,
                              rounds - 1, pruning, 1.0, out, 0, work)  # fmt: skip
            nodes += out.used[0, 2]
        else:
            total += recurse(tree.node, tree.contributed, regret, offset, deals.rank[deal], me, 0,
                             state, used, (work[0], work[1], work[4]),
                             (out.row[0], out.delta[0]), 0, way == ALL)  # fmt: skip
            nodes += used[1]
    return nodes, total


@compiled
def descend(node, steps, seed):
    """Hands played by chance, folds apart: nodes passed, packed records."""
    state, total, passed = stream(seed, np.uint64(0)), 0, 0
    while passed < steps:
        x = 0
        while node[x, 0] & 15 == DECISION:
            head = node[x, 0]
            n, fold = head >> 12 & 255, 1 if head & FOLDABLE else 0
            state = step(state)
            total += node[x, 2] + node[x, 3]
            x = node[x, 1] + fold + np.int64(unit(state) * (n - fold))
            passed += 1
    return passed, total


@compiled
def descend_split(heads, first, slot, chips, steps, seed):
    """The same with an array for each field."""
    state, total, passed = stream(seed, np.uint64(0)), 0, 0
    while passed < steps:
        x = 0
        while heads[x] & 15 == DECISION:
            head = heads[x]
            n, fold = head >> 12 & 255, 1 if head & FOLDABLE else 0
            state = step(state)
            total += slot[x] + chips[x]
            x = first[x] + fold + np.int64(unit(state) * (n - fold))
            passed += 1
    return passed, total


@compiled
def descend_scattered(node, child, steps, seed):
    """The same where children lie anywhere and a table says where."""
    state, total, passed = stream(seed, np.uint64(0)), 0, 0
    while passed < steps:
        x = 0
        while node[x, 0] & 15 == DECISION:
            head = node[x, 0]
            n, fold = head >> 12 & 255, 1 if head & FOLDABLE else 0
            state = step(state)
            total += node[x, 2] + node[x, 3]
            x = child[x, fold + np.int64(unit(state) * (n - fold))]
            passed += 1
    return passed, total


@compiled
def transpose(tree, layout, regret, out, record):
    """``regret`` with all buckets of a node together instead of all nodes of a bucket.

    ``record`` int32[nodes] gets where a node's rows begin after the base of its round and seat.
    """
    for x in range(len(tree.node)):
        head = tree.node[x, 0]
        if head & 15 == DECISION:
            p, r, n = head >> 4 & 15, head >> 8 & 15, head >> 12 & 255
            slot = tree.node[x, 2]
            record[x] = slot * layout.buckets[r]
            for b in range(layout.buckets[r]):
                for a in range(n):
                    old = layout.base[r, p] + b * layout.columns[r, p] + slot + a
                    out[layout.base[r, p] + record[x] + b * n + a] = regret[old]


@compiled
def sampled(tree, layout, regret, record, deals, by_node, seed):
    """Hands that all seats play by regret matching: decision nodes, and a sum of where they end.

    ``regret`` as it is, or, where ``by_node``, as :func:`transpose` gives it with ``record``.
    """
    node, nodes, total, state = tree.node, 0, 0, stream(seed, np.uint64(0))
    seats, rounds = deals.bucket.shape[1:]
    offset = np.empty((seats, rounds), np.int64)
    for deal in range(len(deals.bucket)):
        for p in range(seats):
            for r in range(rounds):
                slab = 0 if by_node else deals.bucket[deal, p, r] * layout.columns[r, p]
                offset[p, r] = layout.base[r, p] + slab
        x = 0
        while node[x, 0] & 15 == DECISION:
            head = node[x, 0]
            p, r, n = head >> 4 & 15, head >> 8 & 15, head >> 12 & 255
            if by_node:
                at = offset[p, r] + record[x] + deals.bucket[deal, p, r] * n
            else:
                at = offset[p, r] + node[x, 2]
            state = step(state)
            x = node[x, 1] + sample(regret, at, n, unit(state))
            nodes += 1
        total += x
    return nodes, total


@compiled
def draw_splitmix(n):
    """``n`` uniform numbers from counters."""
    state, total = np.uint64(1), 0.0
    for _ in range(n):
        state = step(state)
        total += unit(state)
    return total


@compiled
def draw_mersenne(n):
    """``n`` uniform numbers from the generator that numba has."""
    total = 0.0
    for _ in range(n):
        total += np.random.random()  # noqa: NPY002
    return total


@compiled
def chase(array, steps, shift):
    """Reads of a row of four that wait for one another, ``shift`` entries into a cache line."""
    at, total = np.uint64(1), np.int64(0)
    lines = array.size // 16 - 1
    for _ in range(steps):
        at = at * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        i = np.int64(at >> np.uint64(33)) % lines * 16 + shift
        found = array[i] + array[i + 1] + array[i + 2] + array[i + 3]
        total += found
        at += np.uint64(found)
    return total
