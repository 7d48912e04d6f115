"""Batches of traversals: shared out among threads, logged, then applied to the regrets.

The traversals of a batch read the regrets as they were when it began, and log their additions; the
logs are applied between batches. Integer additions commute, so threads cannot change the result.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import claim, inlined, njit, parallel, prange, uncounted
from sixmax.base.rng import step, stream, unit
from sixmax.betting.tree import Tree
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.sampled.average import Turns, update_strategy
from sixmax.cfr.sampled.log import CHUNKS, apply_log, apply_part, chunk
from sixmax.cfr.sampled.schedule import Pruning
from sixmax.cfr.sampled.traverse import FRAMES, Frames, Learner, Traversal, new_frames, traverse

EVERY_SEAT = -1  # learns


class Dealt(NamedTuple):
    """The deals of iterations, one each; ``future`` is ``bucket`` again in trees without leaves."""

    bucket: np.ndarray
    rank: np.ndarray
    future: np.ndarray
    first: int  # iteration


class BatchScratch(NamedTuple):
    """Room for one traversal after another."""

    frames: Frames
    pending: np.ndarray  # int64[FRAMES + 1, 2]
    offset: np.ndarray  # int64[seats, rounds]


@njit
def run_batch(learner, regret, dealt, log, parts):
    """Log the traversals of ``dealt``, one a seat and deal, by ``parts`` threads.

    Work item i is iteration ``dealt.first + i // seats`` with traverser ``i % seats``. With a seat
    as ``learner.seat``, in place of EVERY_SEAT, no other traverses.
    # ASSUME one deal may serve the traversers of an iteration in turn: for each of them it is a
    sample as good as its own.
    Returns false where the log was too small: nothing was applied, so it can be run again.
    """
    log.taken[0] = 0
    _on_threads(learner, learner.leaves, regret, dealt, log, parts)
    return log.used[:, 6].all()


@parallel
def _on_threads(learner, leaves, regret, dealt, log, parts):
    # A parallel loop takes tuples of arrays, made here or arguments, and no tuples of tuples.
    tree = Tree(*learner.tree)
    layout = Layout(*learner.layout)
    turns = Turns(*learner.turns)
    pruning = Pruning(*learner.pruning)
    batch, every, after, scale, seed, seat = learner[5:]
    for _ in prange(parts):
        # A call, because numba drops writes to the arrays of a NamedTuple inside prange.
        own = Learner(tree, layout, leaves, turns, pruning, batch, every, after, scale, seed, seat)
        run_chunks(own, regret, dealt, log)


@njit
def run_chunks(learner, regret, dealt, log):
    """Run chunks until all are taken."""
    scratch, items = new_scratch(learner, dealt), dealt.bucket.shape[0] * dealt.bucket.shape[1]
    while True:
        c = claim(log.taken)
        if c >= CHUNKS:
            return
        span = items * c // CHUNKS, items * (c + 1) // CHUNKS
        log.used[c, 6] = run_items(learner, regret, dealt, span, chunk(log, c), scratch)


@njit
def run_batches(learner, table, dealt, log, total, parts):
    """Run one batch of ``dealt`` after another by ``parts`` threads; returns the batches done.

    They are fewer than there are where the log was too small for the next. Adds decision nodes and
    pruned actions to ``total`` int64[2].
    """
    batches = dealt.bucket.shape[0] // learner.batch
    for b in range(batches):
        start, stop = b * learner.batch, (b + 1) * learner.batch
        part = Dealt(
            dealt.bucket[start:stop], dealt.rank[start:stop], dealt.future[start:stop],
            dealt.first + start,
        )  # fmt: skip
        if not run_batch(learner, table.regret, part, log, parts):
            return b
        apply_log(table.regret, table.count, log, learner.pruning.floor, parts)
        for c in range(CHUNKS):
            total[0] += log.used[c, 2]
            total[1] += log.used[c, 3]
    return batches


@njit
def run_in_turn(learner, table, dealt, log, total):
    """:func:`run_batches` on this thread alone: entering a parallel kernel takes 20 µs."""
    regret, count = table
    scratch, out = new_scratch(learner, dealt), chunk(log, 0)
    items = learner.batch * dealt.bucket.shape[1]
    batches = dealt.bucket.shape[0] // learner.batch
    for b in range(batches):
        span = b * items, (b + 1) * items
        if not run_items(learner, regret, dealt, span, out, scratch):
            return b
        apply_part(regret, count, log, learner.pruning.floor, 1)
        total[0] += out.used[2]
        total[1] += out.used[3]
    return batches


@njit
def new_scratch(learner, dealt):
    """Scratch arrays of the traversals of ``dealt``."""
    _, seats, rounds = dealt.bucket.shape
    pending, offset = np.empty((FRAMES + 1, 2), np.int64), np.empty((seats, rounds), np.int64)
    return BatchScratch(new_frames(seats, learner.leaves), pending, offset)


@uncounted
def _decides(layout, me):
    columns = 0
    for r in range(len(layout.columns)):
        columns += layout.columns[r, me]
    return columns > 0


@uncounted
def _counts(learner, t):
    first = t - (t - 1) % learner.batch  # of its batch
    return t % learner.count_every == 0 and first > learner.count_after


@inlined
def run_items(learner, regret, dealt, span, out, scratch):
    """Log the work items of ``span``, first and stop, in the chunk ``out``; false if too small."""
    _, seats, rounds = dealt.bucket.shape
    layout, pruning, offset = learner.layout, learner.pruning, scratch.offset
    out.used[:] = 0
    for i in range(span[0], span[1]):
        deal, me = i // seats, i % seats
        if learner.seat not in (EVERY_SEAT, me) or not _decides(layout, me):
            continue  # its play is given, or it folded before this game began
        t = dealt.first + deal
        for p in range(seats):
            for r in range(rounds):
                offset[p, r] = infoset(layout, r, p, dealt.bucket[deal, p, r], 0)
        state = stream(learner.seed, np.uint64(t * seats + me))
        prune = t > pruning.after and unit(step(state)) < pruning.share
        counts = learner.count_every > 0 and _counts(learner, t)
        on_the_way = counts and pruning.half > 0  # Libratus counts what it meets
        traversal = Traversal(
            me, offset, dealt.rank[deal], dealt.future[deal], state, prune, on_the_way
        )
        if (
            counts
            and not on_the_way
            and not update_strategy(learner.turns, regret, traversal, out, scratch.pending)
        ):
            return False
        if traverse(learner, regret, traversal, out, scratch.frames) < -1.0e299:
            return False
    return True
