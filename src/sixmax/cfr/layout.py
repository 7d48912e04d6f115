"""The place of each infoset's regrets in one flat array.

All actions of (round, seat, bucket) lie together in a slab, in the order of the tree. A deal gives
each seat one bucket a round, so a traversal walks inside a few slabs instead of touching a fresh
page at every node.
"""

from typing import Any, NamedTuple

import numpy as np

from sixmax.base.jit import formula
from sixmax.betting.tree import Tree, is_decision, n_actions, round_of, seat_of


class Layout(NamedTuple):
    """The places of infosets, as :func:`infoset` finds them: one entry for each action."""

    base: np.ndarray  # int64[rounds, seats]: first entry of the slabs of (round, seat)
    columns: np.ndarray  # int64[rounds, seats]: entries of one slab
    # int64[rounds + 1]: first entry of each round; the last is the size of the array
    start: np.ndarray
    buckets: np.ndarray  # int64[rounds]: slabs of each (round, seat)

    @property
    def size(self) -> int:
        """Entries in the whole array."""
        return int(self.start[-1])


@formula
def entry(base, columns, bucket, slot):
    """The first entry of an infoset, from ``base`` and ``columns`` of its (round, seat)."""
    return base + bucket * columns + slot


@formula
def infoset(layout, in_round, seat, bucket, slot):
    """The first entry of the infoset of ``bucket`` at a node with ``slot``; slot 0: of the slab.

    ``layout`` is anything with ``base`` and ``columns``. Numbers or arrays that broadcast.
    """
    return entry(layout.base[in_round, seat], layout.columns[in_round, seat], bucket, slot)


def entries(tree: Tree, layout: Any, node: int, bucket: np.ndarray | None = None) -> np.ndarray:
    """The entries of each ``bucket``, None for all, at a decision: int64[..., actions].

    ``layout`` is as for :func:`infoset`. Raises ValueError if ``node`` is no decision.
    """
    head = int(tree.node[node, 0])
    if not is_decision(head):
        raise ValueError(f"node {node} is no decision")
    in_round, seat, slot = round_of(head), seat_of(head), tree.node[node, 2]
    each = np.arange(layout.buckets[in_round]) if bucket is None else bucket
    return infoset(layout, in_round, seat, each, slot)[..., None] + np.arange(n_actions(head))


def strategy_at(tree: Tree, layout: Layout, strategy: np.ndarray, node: int) -> np.ndarray:
    """The rows of ``strategy`` at a decision ``node``, by bucket: float64[…, actions]."""
    return strategy[entries(tree, layout, node)]


def section(layout: Layout, in_round: int, seat: int) -> slice:
    """The entries of all buckets of ``seat`` in a round."""
    first = int(layout.base[in_round, seat])
    return slice(first, first + int(layout.columns[in_round, seat] * layout.buckets[in_round]))


def slabs(layout: Layout, bucket: np.ndarray) -> np.ndarray:
    """The first entries of the slabs of ``bucket`` int[seats, rounds, deals]: int64, same shape.

    Always in C order, for another would be another kernel to compile.
    """
    seats, rounds, _ = bucket.shape
    in_round, seat = np.arange(rounds)[:, None], np.arange(seats)[:, None, None]
    return infoset(layout, in_round, seat, bucket.astype(np.int64, order="C"), 0)


def layout(tree: Tree, buckets: list[int]) -> Layout:
    """Lay out ``tree`` with ``buckets[r]`` buckets in round r, rounds one after the other.

    Raises ValueError unless ``buckets`` has one positive count for each round.
    """
    counts = np.asarray(buckets, np.int64)
    if counts.shape != (tree.columns.shape[0],) or (counts < 1).any():
        raise ValueError(f"{buckets}: wanted one positive count for each round of the tree")
    sizes = tree.columns * counts[:, None]
    ends = np.cumsum(sizes.ravel()).reshape(sizes.shape)
    start = np.concatenate([[0], ends[:, -1]])
    return Layout(ends - sizes, tree.columns.astype(np.int64), start, counts)


def stored(layout: Layout) -> dict[str, Any]:
    """The attributes of a stored strategy, JSON values: where the actions of an infoset lie."""
    return {
        "base": layout.base.tolist(),
        "columns": layout.columns.tolist(),
        "buckets": layout.buckets.tolist(),
        "entry": "base[round][seat] + bucket * columns[round][seat] + slot + action, 0 <= action",
        "tree": "tree.zarr of the same run has round, seat, slot and actions of each node",
    }
