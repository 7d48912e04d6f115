"""What the traversals of a batch would add, kept until all of them are done, then added at once."""

from typing import NamedTuple

import numpy as np

from sixmax.jit import parallel, prange, prefetch, uncounted
from sixmax.rng import GAMMA

MAX_ACTIONS = 16
CHUNKS = 64  # runs that a batch is split into, whatever the threads: no more than so many help
COUNT = 1024  # what one visit adds to an action counter: fixed point, so discounts keep fractions
_AHEAD = 16  # entries: how long before it is wanted a row is asked for
CEILING = 2_000_000_000  # keeps int32 from overflowing; no training has come near it


class Log(NamedTuple):
    """What each chunk of a batch would add. An entry is a row of the table, ``n`` wide.

    row: int64[chunks, entries]   start of the row * MAX_ACTIONS + (n - 1)
    delta: int32[chunks, entries, actions]
    visit: int64[chunks, visits]  action counters to increment
    used: int64[chunks, 4]        entries, visits, decision nodes visited, pruned actions
    """

    row: np.ndarray
    delta: np.ndarray
    visit: np.ndarray
    used: np.ndarray


def new_log(entries: int, visits: int, actions: int) -> Log:
    """An empty log with room for so many entries and visits in each chunk."""
    return Log(
        np.empty((CHUNKS, entries), np.int64),
        np.empty((CHUNKS, entries, actions), np.int32),
        np.empty((CHUNKS, visits), np.int64),
        np.zeros((CHUNKS, 4), np.int64),
    )


@parallel
def apply_log(regret, count, out, floor, parts):
    """Add the logs to the regrets and counters, then hold what was touched between the bounds.

    Each of ``parts`` runs owns the rows of some cache lines, strewn over the table.
    """
    for part in prange(parts):
        apply_part(regret, count, out, floor, part, parts, CHUNKS)


@uncounted
def _owner(at, parts):
    """The part of the row that begins at ``at``: by a product, as a division takes longer."""
    mixed = np.uint64(at >> 5) * GAMMA >> np.uint64(32)
    return np.int64(mixed * np.uint64(parts) >> np.uint64(32))


@uncounted
def apply_part(regret, count, out, floor, part, parts, chunks):
    """The same for the rows of one part, from the first ``chunks`` chunks."""
    for c in range(chunks):
        entries = out.used[c, 0]
        for e in range(entries):
            if e + _AHEAD < entries:
                at = out.row[c, e + _AHEAD] // MAX_ACTIONS
                if _owner(at, parts) == part:
                    prefetch(regret, at)
            at, n = out.row[c, e] // MAX_ACTIONS, out.row[c, e] % MAX_ACTIONS + 1
            if _owner(at, parts) == part:
                for a in range(n):
                    regret[at + a] += out.delta[c, e, a]
        for e in range(out.used[c, 1]):
            at = out.visit[c, e]
            if _owner(at, parts) == part:
                count[at] = min(np.int64(count[at]) + COUNT, CEILING)
    for c in range(chunks):
        for e in range(out.used[c, 0]):
            at, n = out.row[c, e] // MAX_ACTIONS, out.row[c, e] % MAX_ACTIONS + 1
            if _owner(at, parts) == part:
                for a in range(n):
                    regret[at + a] = min(max(regret[at + a], floor), CEILING)
