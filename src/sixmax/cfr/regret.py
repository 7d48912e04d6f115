"""Regret matching and discounts, of one infoset and of whole tables; full-width tables."""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import parallel, prange, uncounted

_BLOCK = 1 << 20


class Tables(NamedTuple):
    """What full-width CFR keeps of each action: float64[size], or float64[rows, hands]."""

    strategy: np.ndarray  # of the next iteration
    regret: np.ndarray
    total: np.ndarray  # of strategies, weighed by reach
    state: np.ndarray  # what a method keeps beside these: float64[arrays, *shape]


def new_tables(shape: int | tuple[int, ...], state: int = 0) -> Tables:
    """Zero regrets and sums and ``state`` arrays beside them; no strategy yet."""
    zeros = np.zeros((2 + state, *np.atleast_1d(shape)))
    return Tables(np.empty(shape), zeros[0], zeros[1], zeros[2:])


def matched(table: np.ndarray) -> np.ndarray:
    """The shares of the positive parts of each row of float64[..., n]; uniform without any."""
    positive = np.maximum(table, 0)
    whole, even = positive.sum(axis=-1, keepdims=True), np.full(table.shape, 1 / table.shape[-1])
    return np.divide(positive, whole, out=even, where=whole > 0)


@uncounted
def match(regret, at, n, strategy):
    """Fill ``strategy[:n]`` from the regrets ``regret[at : at + n]``; true if any is positive.

    CALCULATE-STRATEGY of the supplement's Algorithm 1: in proportion to positive regret, uniform
    where there is none. Sums, counters and the bytes of a policy become a strategy the same way.
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
def shrink(regret, at, n, keep):
    """Multiply ``regret[at : at + n]`` by ``keep[0]`` where positive, by ``keep[1]`` elsewhere."""
    for a in range(at, at + n):
        regret[a] *= keep[0] if regret[a] > 0.0 else keep[1]


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
