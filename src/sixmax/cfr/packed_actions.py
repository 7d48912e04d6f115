"""Strategies packed to one action an infoset, in the fewest bits: where the bits lie.

The bits of (round, seat, bucket) form a slab, in the order of the tree, as regrets do. Slabs begin
at whole bytes.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import formula, uncounted
from sixmax.betting.leaf_choices import choice_bits
from sixmax.betting.tree import MAX_ACTIONS, Tree
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.policy import rows

_PAD = 2  # bytes: reading takes two, and a node with one action may lie at the very end


class Bits(NamedTuple):
    """The places of packed actions; :func:`action_bit` finds them."""

    slot: np.ndarray  # int32[nodes]: bit of the node within its slab; 0 at terminals
    base: np.ndarray  # int64[rounds, seats]: first bit of (round, seat), a multiple of 8
    columns: np.ndarray  # int64[rounds, seats]: bits from one bucket to the next, a multiple of 8


class Size(NamedTuple):
    """The size of a packed strategy."""

    infosets: int
    bits: int  # that hold actions
    bytes: int  # as stored, with slabs filled up to bytes


def bit_layout(tree: Tree, layout: Layout) -> tuple[Bits, Size]:
    """The places of the bits of all infosets, and their number.

    Raises ValueError for nodes of more than 16 actions.
    """
    table = rows(tree)
    if table.n.size and table.n.max() > MAX_ACTIONS:
        raise ValueError(f"{table.n.max()} actions at a node; at most {MAX_ACTIONS} can be packed")
    width = np.ceil(np.log2(np.maximum(table.n, 1))).astype(np.int64)
    ends = np.cumsum(width)
    used = np.diff(np.concatenate([[0], ends])[table.start]).reshape(tree.columns.shape)
    before = np.repeat(np.concatenate([[0], ends])[table.start[:-1]], np.diff(table.start))
    slot = np.zeros(len(tree.node), np.int32)
    slot[table.node] = ends - width - before
    columns = (used + 7) // 8 * 8
    buckets = layout.buckets[:, None]
    base_ends = np.cumsum(columns * buckets).reshape(columns.shape)
    decisions = np.diff(table.start).reshape(columns.shape)
    size = Size(
        int((decisions * buckets).sum()),
        int((used * buckets).sum()),
        int(base_ends[-1, -1]) // 8 + _PAD,
    )
    return Bits(slot, base_ends - columns * buckets, columns), size


@formula
def action_bit(bits, in_round, seat, bucket, node):
    """The first bit of the action at ``node``, a decision of ``seat``; numbers or arrays."""
    return infoset(bits, in_round, seat, bucket, bits.slot[node])


@uncounted
def read_action(packed, bit, n):
    """The action at ``bit`` of one packed strategy, uint8[bytes], at a node with ``n`` actions."""
    i = bit >> 3
    word = np.int64(packed[i]) | np.int64(packed[i + 1]) << 8
    return (word >> (bit & 7)) & ((1 << choice_bits(n)) - 1)
