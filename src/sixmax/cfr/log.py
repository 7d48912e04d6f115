"""What the traversals of a batch would add, kept until all of them are done, then added at once."""

from typing import NamedTuple

import numpy as np

from sixmax.jit import parallel, prange, uncounted

MAX_ACTIONS = 16
CHUNKS = 32  # work items of a batch are split into this many runs, whatever the threads
COUNT = 1024  # what one visit adds to an action counter: fixed point, so discounts keep fractions
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

    Each of ``parts`` runs owns the rows whose number is its own modulo ``parts``.
    """
    for part in prange(parts):
        apply_part(regret, count, out, floor, part, parts, CHUNKS)


@uncounted
def apply_part(regret, count, out, floor, part, parts, chunks):
    """The same for the rows of one part, from the first ``chunks`` chunks."""
    for c in range(chunks):
        for e in range(out.used[c, 0]):
            at, n = out.row[c, e] // MAX_ACTIONS, out.row[c, e] % MAX_ACTIONS + 1
            if (at >> 5) % parts == part:
                for a in range(n):
                    regret[at + a] += out.delta[c, e, a]
        for e in range(out.used[c, 1]):
            at = out.visit[c, e]
            if (at >> 5) % parts == part:
                count[at] = min(np.int64(count[at]) + COUNT, CEILING)
    for c in range(chunks):
        for e in range(out.used[c, 0]):
            at, n = out.row[c, e] // MAX_ACTIONS, out.row[c, e] % MAX_ACTIONS + 1
            if (at >> 5) % parts == part:
                for a in range(n):
                    regret[at + a] = min(max(regret[at + a], floor), CEILING)
