"""Slow twins of ``sixmax.continuation``: one infoset at a time, actions as lists of bits."""

import math
from fractions import Fraction

import numpy as np

from sixmax.betting.tree import is_decision, n_actions, round_of, seat_of

KINDS = {"unbiased": None, "fold": -1, "call": 0, "raise": 1}


def infosets(tree, layout):
    """(round, seat, bucket, node, first entry, kind of each action) of every infoset."""
    for x, (head, first, slot, _) in enumerate(tree.node.tolist()):
        if is_decision(head):
            r, p, n = round_of(head), seat_of(head), n_actions(head)
            kinds = [int(np.sign(tree.action[first + a])) for a in range(n)]
            for b in range(layout.buckets[r]):
                at = int(layout.base[r, p] + b * layout.columns[r, p] + slot)
                yield r, p, b, x, at, kinds


def biased(row, kinds, strategy, factor):
    """The continuation strategy of one infoset, as fractions."""
    weights = [Fraction(int(w)) for w in row] if any(row) else [Fraction(1)] * len(row)
    weights = [
        w * Fraction(factor) if kind == KINDS[strategy] else w
        for w, kind in zip(weights, kinds, strict=True)
    ]
    return [w / sum(weights) for w in weights]


def width(n):
    """Bits for one of ``n`` actions."""
    return math.ceil(math.log2(n))


def slots(tree):
    """The bit of each decision node in its slab: those before it, in the order of the tree."""
    hit, used = {}, {}
    decisions = [x for x in range(len(tree.node)) if is_decision(tree.node[x, 0])]
    for x in sorted(decisions, key=lambda x: tree.node[x, 2]):
        head = int(tree.node[x, 0])
        group = (round_of(head), seat_of(head))
        hit[x] = used.get(group, 0)
        used[group] = hit[x] + width(n_actions(head))
    return hit, used


def unpack(packed, bit, n):
    """The action of ``n`` at ``bit``, the lowest bit first."""
    bits = np.unpackbits(packed, bitorder="little")[bit : bit + width(n)]
    return int(sum(int(b) << i for i, b in enumerate(bits)))
