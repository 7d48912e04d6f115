"""External-sampling Monte Carlo CFR with negative-regret pruning: Algorithm 1 of the supplement.

The traversals of a batch read regrets that stay as they were when the batch began, and log what
they would add; the logs are applied between batches. Integer additions commute, so the result
does not depend on how many threads there were or on which of them was faster.
"""

from typing import NamedTuple

import numpy as np

from sixmax.cfr.layout import infoset
from sixmax.cfr.regret import match, sample
from sixmax.cfr.sampled.average import update_strategy
from sixmax.cfr.sampled.log import CHUNKS, MAX_ACTIONS, apply_log, apply_part
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
from sixmax.jit import claim, inlined, njit, parallel, prange, prefetch, uncounted
from sixmax.rng import step, stream, unit

_CACHED = 1 << 18  # regrets: those of a table of so many are never far
FRAMES = 128  # decisions of one player in one hand: at most max_raises + 1 a round


class Pruning(NamedTuple):
    """When and what to leave out (supplement: after 200 minutes, 95 %, -300 M, floor -310 M)."""

    after: int  # iterations without pruning
    share: float  # of the later iterations that prune
    threshold: int  # actions at or below this regret are left out
    floor: int  # no regret falls below this


@uncounted
def _is_leaf(node, child, a, head):
    """Whether the action ends the hand for who takes it: folding does, whoever is left.

    # ASSUME the paper's "actions leading to terminal payoffs" include a fold with others left.
    """
    return (a == 0 and offers_fold(head)) or kind_of(node[child, 0]) != DECISION


@inlined
def traverse(
    tree, regret, offset, rank, me, state, prune, last_round, pruning, scale, out, c, work,
    future=None, beyond=None,
):  # fmt: skip
    """TRAVERSE-MCCFR or, where ``prune``, TRAVERSE-MCCFR-P for the traverser ``me``.

    ``offset[seat, round]`` is where the slab of the seat's bucket begins; ``out`` is a Log of
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
                # ASSUME without positive regret: uniform over what is explored. Algorithm 1 would
                # weigh what it has not looked at as if it were worth nothing.
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
            if a == 0 and offers_fold(head):  # fold: what was put in is lost, whatever follows
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


@parallel
def run_batch(
    tree, layout, regret, deals, first, seed, pruning, count_every, turns, scale, out, start, stop,
    parts, beyond=None,
):  # fmt: skip
    """Log the traversals of ``deals[start:stop]``: one for each seat and deal; ``parts`` threads.

    Work item i is iteration ``first + i // seats`` with traverser ``i % seats``; ``deals`` has one
    deal an iteration. # ASSUME one deal may serve the traversers of an iteration in turn: for each
    of them it is a sample as good as its own.
    Returns false where a log was too small: nothing was applied, so it can be run again.
    """
    fits, taken = np.ones(CHUNKS, np.bool_), np.zeros(1, np.int64)
    for _ in prange(parts):
        # A call, because numba drops writes to the arrays of a NamedTuple inside prange.
        run_chunks(
            tree, layout, regret, deals, first, seed, pruning, count_every, turns, scale, out,
            start, stop, fits, taken, beyond,
        )  # fmt: skip
    return fits.all()


@njit
def run_chunks(
    tree, layout, regret, deals, first, seed, pruning, count_every, turns, scale, out, start, stop,
    fits, taken, beyond=None,
):  # fmt: skip
    """Run chunks until all are ``taken``: who is quick takes more of them, and none waits long."""
    seats, scratch = deals.bucket.shape[1], new_scratch(deals)
    begin, items = start * seats, (stop - start) * seats
    while True:
        c = claim(taken)
        if c >= CHUNKS:
            return
        fits[c] = run_items(
            tree, layout, regret, deals, first, seed, pruning, count_every, turns, scale, out, c,
            begin + items * c // CHUNKS, begin + items * (c + 1) // CHUNKS, scratch, beyond,
        )  # fmt: skip


@njit
def run_batches(
    tree, layout, table, deals, first, batch, seed, pruning, count_every, count_after, turns,
    scale, out, total, parts, beyond=None,
):  # fmt: skip
    """Run one batch of ``deals`` after another, each shared out among so many ``parts``.

    Adds decision nodes and pruned actions to ``total`` int64[2]. Returns how many batches are done,
    fewer than there are where the log was too small for the next one.
    """
    batches = deals.bucket.shape[0] // batch
    for b in range(batches):
        every = count_every if first + b * batch > count_after else 0
        if not run_batch(
            tree, layout, table.regret, deals, first, seed, pruning, every, turns, scale, out,
            b * batch, (b + 1) * batch, parts, beyond,
        ):  # fmt: skip
            return b
        apply_log(table.regret, table.count, out, pruning.floor, parts)
        for c in range(CHUNKS):
            total[0] += out.used[c, 2]
            total[1] += out.used[c, 3]
    return batches


@njit
def run_in_turn(
    tree, layout, table, deals, first, batch, seed, pruning, count_every, count_after, turns,
    scale, out, total, beyond=None,
):  # fmt: skip
    """:func:`run_batches` on this thread alone, the same numbers: without the some 20 microseconds
    that entering a parallel kernel takes, of use where a batch is no longer than that."""
    regret, count = table
    seats, scratch = deals.bucket.shape[1], new_scratch(deals)
    batches = deals.bucket.shape[0] // batch
    for b in range(batches):
        every = count_every if first + b * batch > count_after else 0
        if not run_items(
            tree, layout, regret, deals, first, seed, pruning, every, turns, scale, out, 0,
            b * batch * seats, (b + 1) * batch * seats, scratch, beyond,
        ):  # fmt: skip
            return b
        apply_part(regret, count, out, pruning.floor, 1)
        total[0] += out.used[0, 2]
        total[1] += out.used[0, 3]
    return batches


@njit
def new_scratch(deals):
    """What one traversal after another may overwrite: work, pending and offset."""
    _, seats, rounds = deals.bucket.shape
    work = (
        np.empty((FRAMES, MAX_ACTIONS)),
        np.empty((FRAMES, MAX_ACTIONS)),
        np.empty((FRAMES, MAX_ACTIONS), np.bool_),
        np.empty((FRAMES, 3), np.int64),
        np.empty(seats),
    )
    return work, np.empty((FRAMES + 1, 2), np.int64), np.empty((seats, rounds), np.int64)


@uncounted
def _decides(layout, me):
    columns = 0
    for r in range(len(layout.columns)):
        columns += layout.columns[r, me]
    return columns > 0


@inlined
def run_items(
    tree, layout, regret, deals, first, seed, pruning, count_every, turns, scale, out, c, item,
    end, scratch, beyond=None,
):  # fmt: skip
    """Log work items ``item`` … ``end - 1`` as chunk ``c``; false where the log was too small."""
    _, seats, rounds = deals.bucket.shape
    work, pending, offset = scratch
    out.used[c] = 0
    for i in range(item, end):
        deal, me = i // seats, i % seats
        if not _decides(layout, me):  # folded before this game began
            continue
        t = first + deal
        for p in range(seats):
            for r in range(rounds):
                offset[p, r] = infoset(layout, r, p, deals.bucket[deal, p, r], 0)
        state = stream(seed, np.uint64(t * seats + me))
        if (
            count_every > 0
            and t % count_every == 0
            and not update_strategy(turns, regret, offset, me, ~state, out, c, pending)
        ):
            return False
        state = step(state)
        prune = t > pruning.after and unit(state) < pruning.share
        future = None if beyond is None else deals.future[deal]
        v = traverse(
            tree, regret, offset, deals.rank[deal], me, state, prune, rounds - 1, pruning, scale,
            out, c, work, future, beyond,
        )  # fmt: skip
        if v < -1.0e299:
            return False
    return True
