"""Leaves of a subgame, where players choose how the hand goes on beyond it.

At a leaf each seat of a mask chooses one of n continuations (supplement, "Leaf node values in
imperfect-information subgames": all players who have chips left, one of four; Modicum: the
opponents alone, any number). The choices are simultaneous: in the tree one comes after the other,
but all nodes of a player at one leaf share a slot, and so their regrets. They lie in the last
number of a LEAF's record, :func:`choice_bits` bits a seat.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import formula, njit, uncounted
from sixmax.betting.tree import CHOICE, DECISION, LEAF, MAX_ACTIONS, pack_head

CHOICES = 4  # of the paper
ALL_SEATS = (1 << 31) - 1  # as a mask of those who choose
_RECORD_BITS = 31


def check_choices(n: int, seats: int) -> None:
    """Raise UserError where a LEAF cannot hold the choices of ``seats`` among ``n``."""
    most = min(MAX_ACTIONS, 1 << _RECORD_BITS // seats)
    if not 1 <= n <= most:
        raise UserError(
            f"continuations: found {n}, wanted 1 to {most} with {seats} seats; leave some out"
        )


@uncounted
def choice_bits(n):
    """Bits of a choice among ``n``, 1 <= n <= 16: ceil(log2 n)."""
    return (n > 1) + (n > 2) + (n > 4) + (n > 8)


@formula
def choice_of(choices, seat, bits):
    """The continuation that ``seat`` chose, of the ``choices`` of LEAFs, ``bits`` a seat."""
    return choices >> bits * seat & ((1 << bits) - 1)


@njit
def choice_nodes(mask, n):
    """Nodes below the first of a leaf where the seats of ``mask`` choose among ``n``."""
    nodes, level = np.int64(0), np.int64(1)
    while mask:
        if mask & 1:
            level *= n
            nodes += level
        mask >>= 1
    return nodes


class Choices(NamedTuple):
    mask: int  # of the seats that choose
    n: int  # continuations
    last: int  # the round of the last action
    row: int  # of ``contributed``
    chips: np.ndarray  # int64[seats]: each seat's in the pot


@njit
def write_choices(tree, choices, at, nodes, slots):
    """Write leaf ``at`` to a Tree that grows; returns its new number of ``nodes``.

    First a decision for each seat that chooses, in the order of the seats, then LEAFs; the nodes of
    a level lie together. ``slots`` int64[seats] are those of the Choices; -1 asks for a new one,
    which is written there. There must be room for :func:`choice_nodes` more nodes.
    """
    node, parent, action, _, columns, decisions = tree
    mask, n, last, row, chips = choices
    bits = choice_bits(n)
    begin, level = at, 1
    node[at, 3] = 0
    for seat in range(columns.shape[1]):
        if not mask >> seat & 1:
            continue
        if slots[seat] < 0:
            slots[seat] = columns[last, seat]
            columns[last, seat] += n
        decisions[last] += level
        for i in range(level):
            x, child = begin + i, nodes + i * n
            chosen = node[x, 3]
            node[x, 0] = pack_head(DECISION, seat, last, n, False)
            node[x, 1], node[x, 2], node[x, 3] = child, slots[seat], chips[seat]
            for k in range(n):
                parent[child + k], action[child + k] = x, CHOICE - k
                node[child + k, 3] = chosen | k << bits * seat
        begin, level = nodes, level * n
        nodes += level
    for i in range(level):
        node[begin + i, 0] = pack_head(LEAF, 0, last, 0, False)
        node[begin + i, 1], node[begin + i, 2] = row, -1
    return nodes
