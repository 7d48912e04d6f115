"""The values of leaves: kernels take either kind, and the right code is compiled into them.

By roll-outs of packed strategies (:mod:`sixmax.cfr.sampled.rollout`), or by a learned function
(:mod:`sixmax.cfr.sampled.learned`).
"""

from sixmax.base.jit import variants
from sixmax.cfr.sampled.learned import Learned, learned_value
from sixmax.cfr.sampled.rollout import Beyond, leaf_value

Leaves = Beyond | Learned


def value_of_leaf(beyond, node, contributed, x, rank, future, me, net, units):
    """Net chips of ``me``, who has not folded, at the LEAF ``x`` of the tree with ``node``.

    ``future`` int32[seats, …] is the field of the deal: for a Beyond as its ``leaf_value`` takes
    it, for a Learned the hands. ``rank`` and ``net`` are for the first, ``units``
    float32[2, :func:`units_of`] for the second.
    """
    if isinstance(beyond, Learned):
        return learned_value(beyond, node, contributed, x, future, me, units)
    return leaf_value(beyond, node, contributed, x, rank, future, me, net)


def units_of(beyond):
    """Units a layer of a Learned; 0 for others and for None."""
    return beyond.public.shape[2] if isinstance(beyond, Learned) else 0


def _is_learned(kind):
    return getattr(kind, "instance_class", None) is Learned


@variants(value_of_leaf)
def _value_of_leaf(beyond, node, contributed, x, rank, future, me, net, units):
    if _is_learned(beyond):
        return lambda beyond, node, contributed, x, rank, future, me, net, units: learned_value(
            beyond, node, contributed, x, future, me, units
        )
    return lambda beyond, node, contributed, x, rank, future, me, net, units: leaf_value(
        beyond, node, contributed, x, rank, future, me, net
    )


@variants(units_of)
def _units_of(beyond):
    if _is_learned(beyond):
        return lambda beyond: beyond.public.shape[2]
    return lambda beyond: 0
