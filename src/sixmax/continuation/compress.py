"""One sampled action per infoset, in the fewest bits.

Supplement, "Leaf node values": continuation strategies keep no probabilities, only an action that
was drawn from them once and for all, "using the minimum number of bits necessary": ceil(log2 n)
for n actions, at the places of :mod:`sixmax.cfr.packed_actions`. Slabs begin at whole bytes:
threads that pack neighbouring slabs never share a byte, at a cost of at most seven bits a slab.
"""

import itertools

import numpy as np

from sixmax.base.jit import parallel, prange, uncounted
from sixmax.base.progress import track
from sixmax.base.rng import child, stream, unit
from sixmax.betting.tree import MAX_ACTIONS, Tree
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.packed_actions import action_bit, bit_layout
from sixmax.continuation.generate import Continuation, groups, leaning, weigh


@uncounted
def draw(weight, n, u):
    """An action in proportion to ``weight[:n]`` by a uniform number ``u`` in [0, their sum)."""
    last = np.int64(0)
    for a in range(n):
        if weight[a] > 0.0:
            if u < weight[a]:
                return np.int64(a)
            u -= weight[a]
            last = np.int64(a)
    return last


def pack(tree: Tree, layout: Layout, continuations: list[Continuation], seed: int) -> np.ndarray:
    """Sample and pack all ``continuations``: uint8[continuations, bytes].

    The action of an infoset depends on the seed, the name of the continuation and the infoset
    alone, not on threads. Raises ValueError for a policy of another size than the layout's.
    """
    for c in continuations:
        if c.policy.shape != (layout.size,):
            raise ValueError(f"policy of {c.policy.shape} entries, wanted {layout.size}")
    bits, size = bit_layout(tree, layout)
    packed = np.zeros((len(continuations), size.bytes), np.uint8)
    work = list(itertools.product(groups(tree), range(len(continuations))))
    for group, k in track(work, len(work), "continuation: sample", "rounds x seats"):
        c = continuations[k]
        _pack_kernel(layout, bits, group, leaning(c), child(seed, c.name), packed[k])
    return packed


@parallel
def _pack_kernel(layout, bits, group, leaning, seed, packed):
    in_round, seat, node, slot, count, lead = group
    policy, kind, factor = leaning
    for b in prange(layout.buckets[in_round]):
        weight = np.empty(MAX_ACTIONS)
        for i in range(slot.size):
            n = np.int64(count[i])
            if n < 2:
                continue
            at = infoset(layout, in_round, seat, b, slot[i])
            to = action_bit(bits, in_round, seat, b, node[i])
            total = weigh(policy[at : at + n], lead[i], kind, factor, weight)
            word = draw(weight, n, total * unit(stream(seed, np.uint64(at)))) << (to & 7)
            packed[to >> 3] |= np.uint8(word & 255)
            if word > 255:
                packed[(to >> 3) + 1] |= np.uint8(word >> 8)
