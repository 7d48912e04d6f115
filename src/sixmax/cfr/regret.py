"""Regret matching on rows of the flat regret array, and its linear discount."""

import numpy as np

from sixmax.base.jit import parallel, prange, uncounted

_BLOCK = 1 << 20


@uncounted
def match(regret, at, n, strategy):
    """Fill ``strategy[:n]`` from the regrets ``regret[at : at + n]``; true if any is positive.

    CALCULATE-STRATEGY of the supplement's Algorithm 1: in proportion to positive regret, uniform
    where there is none.
    """
    total = 0.0
    for a in range(n):
        r = regret[at + a]
        p = np.float64(r) if r > 0 else 0.0
        strategy[a] = p
        total += p
    if total > 0.0:
        for a in range(n):
            strategy[a] /= total
        return True
    for a in range(n):
        strategy[a] = 1.0 / n
    return False


@uncounted
def sample(regret, at, n, u):
    """An action drawn by regret matching with the uniform number ``u`` in [0, 1)."""
    total = np.int64(0)
    for a in range(n):
        r = np.int64(regret[at + a])
        if r > 0:
            total += r
    if total == 0:
        return np.int64(u * n)
    left = np.int64(u * np.float64(total))
    for a in range(n):
        r = np.int64(regret[at + a])
        if r > 0:
            if left < r:
                return np.int64(a)
            left -= r
    return np.int64(n - 1)


@parallel
def discount(table, factor):
    """Multiply every entry of an int32 array by ``factor``, to the nearest integer.

    Entries that are zero are not written: memory that was never touched stays untouched.
    """
    blocks = (table.size + _BLOCK - 1) // _BLOCK
    for block in prange(blocks):
        for i in range(block * _BLOCK, min((block + 1) * _BLOCK, table.size)):
            if table[i] != 0:
                table[i] = np.int32(np.rint(table[i] * factor))
