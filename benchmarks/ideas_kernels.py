"""Twins of what training does at a node: the ways to walk a tree that were not taken.

None counts references, as none of training's kernels does: what they write to is passed to them.
Each gives the same numbers as the production code or its own plain form (tests/test_ideas.py).
"""

import numpy as np

from sixmax.cards.deck import pack
from sixmax.cards.isomorphism import find_board, permute_hole, sort_suits
from sixmax.cfr.regret import match, sample
from sixmax.cfr.sampled.log import MAX_ACTIONS
from sixmax.cfr.sampled.traverse import traverse
from sixmax.cfr.terminal import terminal_value
from sixmax.game.tree import (
    DECISION,
    kind_of,
    n_actions,
    offers_fold,
    round_of,
    seat_of,
)
from sixmax.jit import numba, uncounted
from sixmax.rng import step, stream, unit

# Not cached: numba crashes on a recursion that it has stored.
recursive = numba.njit(nogil=True, _nrt=False)


@recursive
def recurse(node, contributed, regret, offset, rank, me, x, state, used, work, log, depth, all_):
    """TRAVERSE-MCCFR without pruning as the paper has it; opponents by a loop unless ``all_``."""
    strategy, value, net = work
    while True:
        head = node[x, 0]
        if kind_of(head) != DECISION:
            return terminal_value(node, contributed, rank, head, x, me, net)
        used[1] += 1
        seat, n = seat_of(head), n_actions(head)
        at = offset[seat, round_of(head)] + node[x, 2]
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
        if a == 0 and offers_fold(head):
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


@recursive
def walk_recursive(all_, tree, layout, regret, deals, seed, out, scratch, state, used):
    """Traversals of ``deals`` by recursion: decision nodes, and the sum of values.

    ``state`` uint64[1] and ``used`` int64[2] are scratch too.
    """
    seats = deals.bucket.shape[1]
    work, _, offset = scratch
    total, nodes = 0.0, 0
    for i in range(len(deals.bucket) * seats):
        deal, me = i // seats, i % seats
        offsets(layout, deals.bucket[deal], offset)
        state[0], used[:] = stream(seed, np.uint64(i)), 0
        total += recurse(tree.node, tree.contributed, regret, offset, deals.rank[deal], me, 0,
                         state, used, (work[0], work[1], work[4]),
                         (out.row[0], out.delta[0]), 0, all_)  # fmt: skip
        nodes += used[1]
    return nodes, total


@uncounted
def walk(shared, tree, layout, regret, deals, seed, pruning, out, scratch):
    """The same with the stack that training has.

    Every seat traverses each deal where they are ``shared``; else the seats take them in turn.
    """
    _, seats, rounds = deals.bucket.shape
    work, _, offset = scratch
    total, nodes = 0.0, 0
    for i in range(len(deals.bucket) * (seats if shared else 1)):
        deal, me = i // seats if shared else i, i % seats
        offsets(layout, deals.bucket[deal], offset)
        out.used[0] = 0
        total += traverse(tree, regret, offset, deals.rank[deal], me, stream(seed, np.uint64(i)),
                          False, rounds - 1, pruning, 1.0, out, 0, work)  # fmt: skip
        nodes += out.used[0, 2]
    return nodes, total


@uncounted
def walk_looking(
    each, tree, layout, regret, cards, tables, rank, seed, pruning, out, scratch, bucket, perm
):  # fmt: skip
    """:func:`walk` that looks buckets up itself: once a deal, or for ``each`` of its traversers.

    ``bucket`` int32[seats, 4] and ``perm`` int8[4] are scratch too.
    """
    work, _, offset = scratch
    total, nodes = 0.0, 0
    seats, rounds = bucket.shape
    for i in range(len(cards) * seats):
        deal, me = i // seats, i % seats
        if each or me == 0:
            bucket_ids(cards[deal], tables, bucket, perm)
        offsets(layout, bucket, offset)
        out.used[0] = 0
        total += traverse(tree, regret, offset, rank[deal], me, stream(seed, np.uint64(i)), False,
                          rounds - 1, pruning, 1.0, out, 0, work)  # fmt: skip
        nodes += out.used[0, 2]
    return nodes, total


@uncounted
def offsets(layout, bucket, offset):
    """Where the slab of each seat's bucket begins: ``offset`` int64[seats, rounds]."""
    seats, rounds = bucket.shape
    for p in range(seats):
        for r in range(rounds):
            offset[p, r] = layout.base[r, p] + bucket[p, r] * layout.columns[r, p]


@uncounted
def bucket_ids(cards, tables, bucket, perm):
    """Write ``bucket`` int32[seats, 4] of one deal, from the tables of a HoldemDealer.

    ``perm`` int8[4] is scratch.
    """
    hole, board = cards[: 2 * len(bucket)], cards[2 * len(bucket) :]
    for suit in range(4):
        perm[suit] = suit
    _ids(tables.preflop, 0, hole, perm, bucket[:, 0])
    at = find_board(tables.flop_slots, tables.flops, sort_suits(pack(board[:3]), perm))
    _ids(tables.flop, at, hole, perm, bucket[:, 1])
    at = find_board(tables.turn_slots, tables.turns, sort_suits(pack(board[:4]), perm))
    _ids(tables.turn, at, hole, perm, bucket[:, 2])
    at = find_board(tables.river_slots, tables.rivers, sort_suits(pack(board[:5]), perm))
    _ids(tables.river, at, hole, perm, bucket[:, 3])


@uncounted
def _ids(table, board, hole, perm, out):
    for p in range(len(out)):
        out[p] = table[board, permute_hole(hole[2 * p], hole[2 * p + 1], perm)]


@uncounted
def descend(node, steps, seed):
    """Hands played by chance, folds apart: nodes passed, packed records."""
    state, total, passed = stream(seed, np.uint64(0)), 0, 0
    while passed < steps:
        x = 0
        while kind_of(node[x, 0]) == DECISION:
            head = node[x, 0]
            n, fold = n_actions(head), 1 if offers_fold(head) else 0
            state = step(state)
            total += node[x, 2] + node[x, 3]
            x = node[x, 1] + fold + np.int64(unit(state) * (n - fold))
            passed += 1
    return passed, total


@uncounted
def descend_split(heads, first, slot, chips, steps, seed):
    """The same with an array for each field."""
    state, total, passed = stream(seed, np.uint64(0)), 0, 0
    while passed < steps:
        x = 0
        while kind_of(heads[x]) == DECISION:
            head = heads[x]
            n, fold = n_actions(head), 1 if offers_fold(head) else 0
            state = step(state)
            total += slot[x] + chips[x]
            x = first[x] + fold + np.int64(unit(state) * (n - fold))
            passed += 1
    return passed, total


@uncounted
def descend_scattered(node, child, steps, seed):
    """The same where children lie anywhere and a table says where."""
    state, total, passed = stream(seed, np.uint64(0)), 0, 0
    while passed < steps:
        x = 0
        while kind_of(node[x, 0]) == DECISION:
            head = node[x, 0]
            n, fold = n_actions(head), 1 if offers_fold(head) else 0
            state = step(state)
            total += node[x, 2] + node[x, 3]
            x = child[x, fold + np.int64(unit(state) * (n - fold))]
            passed += 1
    return passed, total


@uncounted
def draw_splitmix(n):
    """``n`` uniform numbers from counters."""
    state, total = np.uint64(1), 0.0
    for _ in range(n):
        state = step(state)
        total += unit(state)
    return total


@uncounted
def draw_mersenne(n):
    """``n`` uniform numbers from the generator that numba has."""
    total = 0.0
    for _ in range(n):
        total += np.random.random()  # noqa: NPY002
    return total
