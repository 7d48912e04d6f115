"""Policies: strategies as they are stored, one byte an action.

A policy is a uint8 array laid out like the regrets. The entries of an infoset sum to 255; they are
all zero where training never came, and there the strategy is uniform.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, parallel, prange, read_only, uncounted
from sixmax.betting.tree import Tree, is_decision, n_actions, round_of, seat_of
from sixmax.cfr.layout import Layout, entry
from sixmax.cfr.regret import match

WHOLE = 255  # the sum of a row
MOST_IN_MEAN = np.iinfo(np.uint16).max // WHOLE  # strategies that a running mean can add up


class DecisionRows(NamedTuple):
    """The decision nodes of each (round, seat), in the order of their columns."""

    node: np.ndarray  # int32[rows]
    slot: np.ndarray  # int32[rows]: first of the node's columns in the slab
    n: np.ndarray  # uint8[rows]: its actions
    start: np.ndarray  # int64[rounds * seats + 1]: where the rows of (round, seat) begin


class SlabRows(NamedTuple):
    """The decisions of one (round, seat): the rows of each of its slabs."""

    slot: np.ndarray  # int32[rows]: first entry in a slab
    n: np.ndarray  # uint8[rows]: actions
    base: int  # first entry of the first slab
    columns: int  # entries of a slab
    buckets: int  # slabs


def slab_rows(
    tree: Tree, layout: Layout, first: int = 0, rounds: int | None = None
) -> Iterator[SlabRows]:
    """Those of each (round, seat) from round ``first`` to before ``rounds``.

    Entries count from the first of round ``first``.
    """
    table, seats, begin = rows(tree), tree.columns.shape[1], int(layout.start[first])
    for r in range(first, len(tree.columns) if rounds is None else rounds):
        for p in range(seats):
            at = slice(*table.start[r * seats + p : r * seats + p + 2])
            base, columns = int(layout.base[r, p]) - begin, int(layout.columns[r, p])
            yield SlabRows(table.slot[at], table.n[at], base, columns, int(layout.buckets[r]))


def rows(tree: Tree) -> DecisionRows:
    """The decisions of ``tree`` by (round, seat, column); of those that share a slot, the first."""
    rounds, seats = tree.columns.shape
    head = tree.node[:, 0]
    node = np.flatnonzero(is_decision(head)).astype(np.int32)
    head, slot = head[node], tree.node[node, 2]
    group = round_of(head) * seats + seat_of(head)
    order = np.lexsort((slot, group))
    same = (np.diff(group[order]) == 0) & (np.diff(slot[order]) == 0)
    order = order[np.append(True, ~same)] if len(order) else order
    start = np.searchsorted(group[order], np.arange(rounds * seats + 1)).astype(np.int64)
    n = n_actions(head).astype(np.uint8)
    return DecisionRows(node[order], slot[order], n[order], start)


@njit
def quantise(weight, at, n, policy):
    """Write ``weight[:n]``, non-negative and not all zero, to ``policy[at : at + n]``.

    Shares of 255 by largest remainder; the first of equal remainders is served first.
    """
    total = 0.0
    for a in range(n):
        total += weight[a]
    left = WHOLE
    for a in range(n):
        share = weight[a] * WHOLE / total
        policy[at + a] = np.uint8(share)
        weight[a] = share - np.uint8(share)
        left -= policy[at + a]
    while left > 0:
        best = 0
        for a in range(1, n):
            if weight[a] > weight[best]:
                best = a
        policy[at + best] += np.uint8(1)
        weight[best] = -1.0
        left -= 1


def from_regrets(tree: Tree, layout: Layout, regret: np.ndarray) -> np.ndarray:
    """The current strategy: regret matching where any regret is stored, uint8[regret.size].

    ``regret`` may end after any round.
    """
    return _whole(tree, layout, regret, True)


def new_mean(layout: Layout, first: int) -> np.ndarray:
    """No strategy yet: uint16[entries], of round ``first`` and the later ones."""
    return np.zeros(layout.size - int(layout.start[first]), np.uint16)


def add_to_mean(mean: np.ndarray, tree: Tree, layout: Layout, regret: np.ndarray) -> None:
    """Add the current strategy of ``regret`` int32[layout.size] to ``mean`` uint16[entries].

    All moments of training count the same, but infosets that no traversal has reached add nothing.
    """
    first = int(np.searchsorted(layout.start, layout.size - mean.size))
    later = regret[int(layout.start[first]) :]
    _each_slab(tree, layout, first, mean.size, _sum_kernel, later, mean)


def from_sums(tree: Tree, layout: Layout, total: np.ndarray, first: int = 0) -> np.ndarray:
    """The policy in proportion to non-negative sums, uint8[total.size].

    ``total`` begins with round ``first`` and may end after any round.
    """
    return _whole(tree, layout, total, False, first)


def complete(tree: Tree, layout: Layout, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """``first``, with the infosets that it lacks from ``second``, which is as long or longer."""
    both = first.copy()
    _each_slab(tree, layout, 0, first.size, _complete_kernel, both, read_only(second))
    return both


def shares(tree: Tree, layout: Layout, weight: np.ndarray) -> np.ndarray:
    """Exact probabilities in proportion to non-negative ``weight``: float64[layout.size].

    ``weight`` is laid out like the regrets; an infoset without any is uniform.
    """
    strategy = np.zeros(layout.size)
    exact = weight.astype(np.float64, copy=False)  # one kernel for counters and sums of all kinds
    _each_slab(tree, layout, 0, layout.size, _shares_kernel, read_only(exact), strategy)
    return strategy


def uniform(tree: Tree, layout: Layout) -> np.ndarray:
    """The uniform strategy, as :func:`shares` gives it: float64[layout.size]."""
    return shares(tree, layout, np.zeros(layout.size))


def _whole(
    tree: Tree, layout: Layout, weight: np.ndarray, regrets: bool, first: int = 0
) -> np.ndarray:
    policy = np.zeros(weight.size, np.uint8)
    _each_slab(tree, layout, first, weight.size, _quantise_kernel, weight, policy, regrets)
    return policy


def _each_slab(
    tree: Tree, layout: Layout, first: int, size: int, kernel: Callable, *arguments: object
) -> None:
    """Call ``kernel`` for the slabs of each (round, seat) from round ``first`` on."""
    rounds = np.searchsorted(layout.start, size + layout.start[first], side="right") - 1
    for slabs in slab_rows(tree, layout, first, int(rounds)):
        kernel(slabs, *arguments)


@parallel
def _quantise_kernel(slabs, weight, policy, regrets):
    slot, count, base, columns, buckets = slabs
    for b in prange(buckets):
        share = np.empty(256)
        for i in range(slot.size):
            at, n = entry(base, columns, b, slot[i]), count[i]
            if _positive(weight, at, n, regrets, share):
                quantise(share, at, n, policy)


@parallel
def _sum_kernel(slabs, regret, total):
    slot, count, base, columns, buckets = slabs
    for b in prange(buckets):
        share, row = np.empty(256), np.empty(256, np.uint8)
        for i in range(slot.size):
            at, n = entry(base, columns, b, slot[i]), count[i]
            if _positive(regret, at, n, True, share):
                quantise(share, 0, n, row)
                for a in range(n):
                    total[at + a] += row[a]


@uncounted
def _positive(weight, at, n, regrets, share):
    """Fill ``share[:n]`` with the positive parts, all alike if no regret is; false for no entry."""
    total, stored = 0.0, False
    for a in range(n):
        w = weight[at + a]
        share[a] = w if w > 0 else 0.0
        total += share[a]
        stored |= w != 0
    if regrets and total == 0.0:
        for a in range(n):
            share[a] = 1.0
    return stored


@parallel
def _complete_kernel(slabs, both, second):
    slot, count, base, columns, buckets = slabs
    for b in prange(buckets):
        for i in range(slot.size):
            at, n = entry(base, columns, b, slot[i]), count[i]
            if both[at : at + n].sum() == 0:
                both[at : at + n] = second[at : at + n]


@parallel
def _shares_kernel(slabs, weight, strategy):
    slot, count, base, columns, buckets = slabs
    for b in prange(buckets):
        for i in range(slot.size):
            at, n = entry(base, columns, b, slot[i]), count[i]
            match(weight, at, n, strategy[at : at + n])
