"""Batches of traversals: shared out among threads, logged, then applied to the regrets.

The traversals of a batch read regrets that stay as they were when the batch began, and log
their additions; the logs are applied between batches. Integer additions commute, so the result
depends neither on the number of threads nor on their speed.
"""

import numpy as np

from sixmax.base.jit import claim, inlined, njit, parallel, prange, uncounted
from sixmax.base.rng import step, stream, unit
from sixmax.cfr.layout import infoset
from sixmax.cfr.sampled.average import update_strategy
from sixmax.cfr.sampled.leaves import units_of
from sixmax.cfr.sampled.log import CHUNKS, MAX_ACTIONS, apply_log, apply_part
from sixmax.cfr.sampled.traverse import FRAMES, traverse

EVERY_SEAT = -1  # learns


@parallel
def run_batch(
    tree, layout, regret, deals, first, seed, pruning, count_every, turns, scale, out, start, stop,
    parts, beyond, learner,
):  # fmt: skip
    """Log the traversals of ``deals[start:stop]``, one a seat and deal, by ``parts`` threads.

    Work item i is iteration ``first + i // seats`` with traverser ``i % seats``; ``deals`` has one
    deal an iteration. With a seat as ``learner``, in place of EVERY_SEAT, no other traverses.
    # ASSUME one deal may serve the traversers of an iteration in turn: for each of them it is a
    sample as good as its own.
    Returns false where a log was too small: nothing was applied, so it can be run again.
    """
    fits, taken = np.ones(CHUNKS, np.bool_), np.zeros(1, np.int64)
    for _ in prange(parts):
        # A call, because numba drops writes to the arrays of a NamedTuple inside prange.
        run_chunks(
            tree, layout, regret, deals, first, seed, pruning, count_every, turns, scale, out,
            start, stop, fits, taken, beyond, learner,
        )  # fmt: skip
    return fits.all()


@njit
def run_chunks(
    tree, layout, regret, deals, first, seed, pruning, count_every, turns, scale, out, start, stop,
    fits, taken, beyond, learner,
):  # fmt: skip
    """Run chunks until all are ``taken``: a quick thread takes more of them, none waits long."""
    seats, scratch = deals.bucket.shape[1], new_scratch(deals, beyond)
    begin, items = start * seats, (stop - start) * seats
    while True:
        c = claim(taken)
        if c >= CHUNKS:
            return
        fits[c] = run_items(
            tree, layout, regret, deals, first, seed, pruning, count_every, turns, scale, out, c,
            begin + items * c // CHUNKS, begin + items * (c + 1) // CHUNKS, scratch, beyond,
            learner,
        )  # fmt: skip


@njit
def run_batches(
    tree, layout, table, deals, first, batch, seed, pruning, count_every, count_after, turns,
    scale, out, total, parts, beyond, learner,
):  # fmt: skip
    """Run one batch of ``deals`` after another, each shared out among so many ``parts``.

    Adds decision nodes and pruned actions to ``total`` int64[2]. Returns the batches done,
    fewer than there are where the log was too small for the next one.
    """
    batches = deals.bucket.shape[0] // batch
    for b in range(batches):
        every = count_every if first + b * batch > count_after else 0
        if not run_batch(
            tree, layout, table.regret, deals, first, seed, pruning, every, turns, scale, out,
            b * batch, (b + 1) * batch, parts, beyond, learner,
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
    scale, out, total, beyond, learner,
):  # fmt: skip
    """:func:`run_batches` on this thread alone, with the same numbers.

    For batches of less than the 20 microseconds that entering a parallel kernel takes.
    """
    regret, count = table
    seats, scratch = deals.bucket.shape[1], new_scratch(deals, beyond)
    batches = deals.bucket.shape[0] // batch
    for b in range(batches):
        every = count_every if first + b * batch > count_after else 0
        if not run_items(
            tree, layout, regret, deals, first, seed, pruning, every, turns, scale, out, 0,
            b * batch * seats, (b + 1) * batch * seats, scratch, beyond, learner,
        ):  # fmt: skip
            return b
        apply_part(regret, count, out, pruning.floor, 1)
        total[0] += out.used[0, 2]
        total[1] += out.used[0, 3]
    return batches


@njit
def new_scratch(deals, beyond):
    """Scratch arrays of one traversal after another: work, pending and offset."""
    _, seats, rounds = deals.bucket.shape
    work = (
        np.empty((FRAMES, MAX_ACTIONS)),
        np.empty((FRAMES, MAX_ACTIONS)),
        np.empty((FRAMES, MAX_ACTIONS), np.bool_),
        np.empty((FRAMES, 3), np.int64),
        np.empty(seats),
        np.empty((FRAMES, MAX_ACTIONS)),
        np.empty((2, units_of(beyond)), np.float32),
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
    end, scratch, beyond, learner,
):  # fmt: skip
    """Log work items ``item`` … ``end - 1`` as chunk ``c``; false where the log was too small."""
    _, seats, rounds = deals.bucket.shape
    work, pending, offset = scratch
    out.used[c] = 0
    for i in range(item, end):
        deal, me = i // seats, i % seats
        if learner not in (EVERY_SEAT, me) or not _decides(layout, me):
            continue  # its play is given, or it folded before this game began
        t = first + deal
        for p in range(seats):
            for r in range(rounds):
                offset[p, r] = infoset(layout, r, p, deals.bucket[deal, p, r], 0)
        state = stream(seed, np.uint64(t * seats + me))
        counts = count_every > 0 and t % count_every == 0
        on_the_way = counts and pruning.half > 0  # Libratus counts what it meets
        if (
            counts
            and not on_the_way
            and not update_strategy(turns, regret, offset, me, ~state, out, c, pending)
        ):
            return False
        state = step(state)
        prune = t > pruning.after and unit(state) < pruning.share
        future = None if beyond is None else deals.future[deal]
        v = traverse(
            tree, regret, offset, deals.rank[deal], me, state, prune, on_the_way, rounds - 1,
            pruning, scale, out, c, work, future, beyond,
        )  # fmt: skip
        if v < -1.0e299:
            return False
    return True
