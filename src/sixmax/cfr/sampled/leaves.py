"""The value of a leaf, where a tree ends before the hand does: by roll-outs or by a network.

The record of a LEAF has the row of ``Tree.contributed`` with the chips put in, the node of the
other tree that play goes on from, and the packed choice of each seat
(:mod:`sixmax.betting.leaf_choices`). Packed strategies do not mix, so a deal gives one roll-out.

The network has rectified linear units. Its first layer is a sum of parts that each depend on one
number: the leaf, a hand or a choice. They are tabled once a search; a value costs the later layers.

Kernels take either kind of leaves, or None: the right code is compiled into them.
"""

from typing import NamedTuple

import numpy as np
from numba.core import types

from sixmax.base.jit import inlined, njit, uncounted, variants
from sixmax.betting.leaf_choices import choice_of
from sixmax.betting.tree import LEAF, kind_of, n_actions, round_of, seat_of
from sixmax.cfr.advance import advance, outcome, terminal_value
from sixmax.cfr.packed_actions import action_bit, read_action


class LeafDeal(NamedTuple):
    """One deal, as the value of a leaf reads it."""

    rank: np.ndarray  # int[boards, seats]: as in :func:`sixmax.cfr.advance.terminal_value`
    future: np.ndarray  # int32[seats, rounds]: buckets of the other tree; for a Learned, hands


class Beyond(NamedTuple):
    """The other tree with its packed strategies, and the nodes that leaves lead to."""

    node: np.ndarray  # of the other tree
    contributed: np.ndarray
    slot: np.ndarray  # of its packed strategies, as of Bits
    base: np.ndarray
    columns: np.ndarray
    packed: np.ndarray  # uint8[strategies, bytes]
    chips: np.ndarray  # int32[rows, seats]: put in where the leaf with this row goes on
    ratio: np.ndarray  # float64[rows]: pot at the leaf / pot there
    bits: int  # of a seat's choice in the record of a LEAF


class Learned(NamedTuple):
    """A network with U units a layer, on the leaves of one tree.

    A *row* is one of ``Tree.contributed``; the *asking* seat wants its value. Each other seat that
    has not folded has a place in the first layer, whose parts come first.
    """

    public: np.ndarray  # float32[rows, seats, U]: of what all know, by asking seat; with biases
    own: np.ndarray  # float32[hands, U]: of the asking seat's hand
    other: np.ndarray  # float32[places, hands, U]: of another's hand
    chosen: np.ndarray  # float32[places, choices, U]: of another's choice
    place: np.ndarray  # int8[rows, seats, seats]: of the second where the first asks; -1: none
    weight: np.ndarray  # float32[layers - 1, U, U]: of the later layers, (from, to)
    bias: np.ndarray  # float32[layers - 1, U]
    last: np.ndarray  # float32[choices, U]: of the outputs, one for each own choice
    last_bias: np.ndarray  # float32[choices]
    pot: np.ndarray  # float64[rows]: chips, the unit of the outputs
    bound: float  # chips: a seat wins or loses no more, whatever the network says
    bits: int  # of a seat's choice in the record of a LEAF


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

    ``leaves`` is a Leaves, or None where the tree has none; ``dealt`` has the fields of a LeafDeal.
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


@uncounted
def leaf_value(beyond, tree, x, me, dealt, net):
    """Net chips of ``me``, who has not folded, at the LEAF ``x`` of ``tree``.

    ``net`` float64[seats] is scratch. Winnings are scaled with the pot, so that the whole pot of
    the leaf is paid out.
    # ASSUME the other tree's stacks, scaled alike, are near enough to those behind the leaf.
    """
    node, row = tree.node, tree.node[x, 1]
    won = roll_out(beyond, node[x, 2], node[x, 3], me, dealt, net) + beyond.chips[row, me]
    return won * beyond.ratio[row] - tree.contributed[row, me]


@uncounted
def roll_out(beyond, x, choices, me, dealt, net):
    """Net chips of ``me`` after play from node ``x`` of the other tree; ``choices`` of a LEAF."""
    x, _ = advance(beyond.node, x, me, _turn, (beyond, choices, dealt.future), 0)
    return outcome(beyond.node, beyond.contributed, dealt.rank, x, me, net)


@inlined
def _turn(players, x, state):
    beyond, choices, future = players
    head = beyond.node[x, 0]
    seat, r = seat_of(head), round_of(head)
    bit = action_bit(beyond, r, seat, future[seat, r], x)
    choice = choice_of(choices, seat, beyond.bits)
    same = state  # a number: there is nothing to count
    return read_action(beyond.packed[choice], bit, n_actions(head)), same


@uncounted
def learned_value(learned, tree, x, me, hands, units):
    """Net chips of ``me``, who has not folded, at the LEAF ``x`` of ``tree``.

    ``hands`` int32[seats, …] has the hands in its first column; ``units`` float32[2, U] is
    scratch. The network's output is the seat's share of the pot.
    """
    row, choices = tree.node[x, 1], tree.node[x, 3]
    n, one, two = units.shape[1], units[0], units[1]
    own, public = learned.own[hands[me, 0]], learned.public[row, me]
    for j in range(n):
        one[j] = public[j] + own[j]
    for seat in range(hands.shape[0]):
        place = learned.place[row, me, seat]
        if place >= 0:
            other = learned.other[place, hands[seat, 0]]
            chosen = learned.chosen[place, choice_of(choices, seat, learned.bits)]
            for j in range(n):
                one[j] += other[j] + chosen[j]
    for layer in range(len(learned.weight)):
        weight, bias = learned.weight[layer], learned.bias[layer]
        for j in range(n):
            two[j] = bias[j]
        for i in range(n):
            if one[i] > 0:
                unit, row_of = one[i], weight[i]
                for j in range(n):
                    two[j] += unit * row_of[j]
        one, two = two, one
    mine = choice_of(choices, me, learned.bits)
    last, value = learned.last[mine], learned.last_bias[mine]
    for j in range(n):
        if one[j] > 0:
            value += one[j] * last[j]
    won = np.float64(value) * learned.pot[row] - tree.contributed[row, me]
    return min(max(won, -learned.bound), learned.bound)
