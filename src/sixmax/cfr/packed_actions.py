"""Strategies packed to one action an infoset, in the fewest bits: where the bits lie.

The bits of (round, seat, bucket) form a slab, in the order of the tree, so that a roll-out walks
inside the same few slabs as training does. Slabs begin at whole bytes.
"""

from typing import NamedTuple

import numpy as np

from sixmax.jit import formula, uncounted


class Bits(NamedTuple):
    """The places of packed actions, as :func:`action_bit` finds an action's first bit.

    slot: int32[nodes]           bit of the node within its slab; 0 at terminals
    base: int64[rounds, seats]   first bit of (round, seat), a multiple of 8
    slab: int64[rounds, seats]   bits from one bucket to the next, a multiple of 8
    """

    slot: np.ndarray
    base: np.ndarray
    slab: np.ndarray


@formula
def action_bit(bits, in_round, seat, bucket, node):
    """The first bit of the action at ``node``, a decision of ``seat``; numbers or arrays."""
    return bits.base[in_round, seat] + bucket * bits.slab[in_round, seat] + bits.slot[node]


@uncounted
def width(n):
    """Bits that an action of ``n`` takes, 1 <= n <= 16: ceil(log2 n)."""
    return (n > 1) + (n > 2) + (n > 4) + (n > 8)


@uncounted
def read_action(packed, bit, n):
    """The action at ``bit`` of one packed strategy, uint8[bytes], at a node with ``n`` actions."""
    i = bit >> 3
    word = np.int64(packed[i]) | np.int64(packed[i + 1]) << 8
    return (word >> (bit & 7)) & ((1 << width(n)) - 1)
