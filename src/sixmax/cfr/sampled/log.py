"""The additions of a batch of traversals, logged until all are done, then added at once."""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import add_shared, claim, formula, njit, parallel, prange, prefetch, uncounted
from sixmax.betting.tree import MAX_ACTIONS

CHUNKS = 64  # runs that a batch is split into, whatever the threads: no more than so many help
COUNT = 1024  # one visit in an action counter: fixed point, so discounts keep fractions
_AHEAD = 16  # entries between a row's prefetch and its use
_WEIGHT_BITS = 16  # of a visit: Libratus counts 50 at the most
CEILING = 2_000_000_000  # keeps int32 from overflowing; no training has come near it


class Log(NamedTuple):
    """The additions of each chunk of a batch. An entry is a row of the table, ``n`` wide.

    :func:`chunk` gives one chunk: the same fields without their first dimension.
    """

    row: np.ndarray  # int64[chunks, entries]: start of the row * MAX_ACTIONS + (n - 1)
    delta: np.ndarray  # int32[chunks, entries, actions]
    visit: np.ndarray  # int64[chunks, visits]: action counters to add to, as pack_visit packs them
    over: np.ndarray  # int64[chunks, entries]: entries that left a row out of bounds
    # int64[chunks, 7]: entries, visits, decision nodes visited, pruned actions, number of entries
    # in ``over``, whether a counter is over, whether all fitted
    used: np.ndarray
    taken: np.ndarray  # int64[1]: chunks that threads have taken


@njit
def chunk(log, c):
    """Chunk ``c`` of the log."""
    return Log(log.row[c], log.delta[c], log.visit[c], log.over[c], log.used[c], log.taken)


@formula
def pack_visit(at, weight):
    """The counter ``at`` and what is added to it, in parts of COUNT: less than 65,536."""
    return np.int64(at) << _WEIGHT_BITS | weight


@formula
def _counter(visit):
    return visit >> _WEIGHT_BITS


@formula
def _weight(visit):
    return visit & ((1 << _WEIGHT_BITS) - 1)


def new_log(entries: int, visits: int, actions: int) -> Log:
    """An empty log with room for so many entries and visits in each chunk."""
    return Log(
        np.empty((CHUNKS, entries), np.int64),
        np.empty((CHUNKS, entries, actions), np.int32),
        np.empty((CHUNKS, visits), np.int64),
        np.empty((CHUNKS, entries), np.int64),
        np.zeros((CHUNKS, 7), np.int64),
        np.zeros(1, np.int64),
    )


@parallel
def apply_log(regret, count, out, floor, parts):
    """Add the logs to the regrets and counters; hold the touched entries between the bounds.

    Chunks are taken by ``parts`` threads, and sums of integers depend on no order. The last
    addition to an entry returns its sum, so no entry out of bounds is overlooked.
    """
    out.taken[0] = 0
    for _ in prange(parts):
        _apply_chunks(regret, count, out, floor)
    for c in range(CHUNKS):
        for k in range(out.used[c, 4]):
            _hold_row(regret, out.row[c, out.over[c, k]], floor)
        for e in range(out.used[c, 1] if out.used[c, 5] else 0):
            at = _counter(out.visit[c, e])
            if not 0 <= count[at] <= CEILING:
                count[at] = CEILING


@uncounted
def _apply_chunks(regret, count, out, floor):
    """Add the chunks that no thread has taken, and note the entries out of bounds."""
    while True:
        c = claim(out.taken)
        if c >= CHUNKS:
            return
        entries = out.used[c, 0]
        out.used[c, 4] = out.used[c, 5] = 0
        for e in range(entries):
            if e + _AHEAD < entries:
                prefetch(regret, out.row[c, e + _AHEAD] // MAX_ACTIONS)
            at, n, held = out.row[c, e] // MAX_ACTIONS, out.row[c, e] % MAX_ACTIONS + 1, True
            for a in range(n):
                held &= floor <= add_shared(regret, at + a, out.delta[c, e, a]) <= CEILING
            if not held:
                out.over[c, out.used[c, 4]] = e
                out.used[c, 4] += 1
        for e in range(out.used[c, 1]):
            visit = out.visit[c, e]
            if not 0 <= add_shared(count, _counter(visit), np.int32(_weight(visit))) <= CEILING:
                out.used[c, 5] = 1


@uncounted
def _hold_row(regret, row, floor):
    at = row // MAX_ACTIONS
    for a in range(row % MAX_ACTIONS + 1):
        regret[at + a] = min(max(regret[at + a], floor), CEILING)


@uncounted
def apply_part(regret, count, out, floor, chunks):
    """The same by one thread alone, of the first ``chunks`` chunks."""
    for c in range(chunks):
        entries = out.used[c, 0]
        for e in range(entries):
            if e + _AHEAD < entries:
                prefetch(regret, out.row[c, e + _AHEAD] // MAX_ACTIONS)
            at, n = out.row[c, e] // MAX_ACTIONS, out.row[c, e] % MAX_ACTIONS + 1
            for a in range(n):
                regret[at + a] += out.delta[c, e, a]
        for e in range(out.used[c, 1]):
            at = _counter(out.visit[c, e])
            count[at] = min(count[at] + _weight(out.visit[c, e]), CEILING)
    for c in range(chunks):
        for e in range(out.used[c, 0]):
            _hold_row(regret, out.row[c, e], floor)
