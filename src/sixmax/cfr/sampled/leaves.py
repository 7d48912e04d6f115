"""The values of the ends of a hand: kernels take either kind of leaves, or none.

The right code is compiled into them. A leaf is worth what roll-outs of packed strategies
(:mod:`sixmax.cfr.sampled.rollout`) or a learned function (:mod:`sixmax.cfr.sampled.learned`) say.
"""

from typing import NamedTuple

import numpy as np
from numba.core import types

from sixmax.base.jit import inlined, njit, variants
from sixmax.betting.tree import LEAF, kind_of
from sixmax.cfr.sampled.learned import Learned, learned_value
from sixmax.cfr.sampled.rollout import Beyond, leaf_value
from sixmax.cfr.terminal import terminal_value

Leaves = Beyond | Learned


class EndScratch(NamedTuple):
    """Room for :func:`value_of_end`."""

    net: np.ndarray  # float64[seats]
    units: np.ndarray  # float32[2, units of a layer]: of a Learned


@njit
def end_scratch(seats, leaves):
    """Scratch arrays for so many seats and the values ``leaves``, or None."""
    return EndScratch(np.empty(seats), np.empty((2, units_of(leaves)), np.float32))


def value_of_end(leaves, tree, x, me, dealt, scratch):
    """Net chips of ``me``, who has not folded, at the terminal or LEAF ``x`` of ``tree``.

    ``leaves`` is a Leaves, or None where the tree has none. ``dealt`` has the fields ``rank`` and
    ``future`` of a :class:`~sixmax.cfr.sampled.rollout.LeafDeal`; for a Learned, ``future`` are the
    hands. ``scratch`` is an EndScratch.
    """
    if leaves is None or kind_of(tree.node[x, 0]) != LEAF:
        return _terminal(tree, x, me, dealt, scratch)
    if isinstance(leaves, Learned):
        return learned_value(leaves, tree, x, me, dealt.future, scratch.units)
    return leaf_value(leaves, tree, x, me, dealt, scratch.net)


def units_of(leaves):
    """Units a layer of a Learned; 0 for others and for None."""
    return leaves.public.shape[2] if isinstance(leaves, Learned) else 0


@inlined
def _terminal(tree, x, me, dealt, scratch):
    node = tree.node
    return terminal_value(
        node, tree.contributed, dealt.rank, node[x, 0], x, me, scratch.net
    )  # fmt: skip


def _is_learned(kind):
    return getattr(kind, "instance_class", None) is Learned


@variants(value_of_end)
def _value_of_end(leaves, tree, x, me, dealt, scratch):
    if leaves is types.none:
        return lambda leaves, tree, x, me, dealt, scratch: _terminal(tree, x, me, dealt, scratch)
    if _is_learned(leaves):
        return lambda leaves, tree, x, me, dealt, scratch: (
            learned_value(leaves, tree, x, me, dealt.future, scratch.units)
            if kind_of(tree.node[x, 0]) == LEAF
            else _terminal(tree, x, me, dealt, scratch)
        )
    return lambda leaves, tree, x, me, dealt, scratch: (
        leaf_value(leaves, tree, x, me, dealt, scratch.net)
        if kind_of(tree.node[x, 0]) == LEAF
        else _terminal(tree, x, me, dealt, scratch)
    )


@variants(units_of)
def _units_of(leaves):
    if _is_learned(leaves):
        return lambda leaves: leaves.public.shape[2]
    return lambda leaves: 0
