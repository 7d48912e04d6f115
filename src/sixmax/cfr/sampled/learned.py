"""The value of a leaf by a learned function of the hands, in the place of a roll-out.

The function is a network of rectified linear units. Its first layer is a sum of parts that each
depend on one number: on the leaf, on a hand, or on a choice. They are tabled once a search, so
that a value costs the later layers alone.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import uncounted
from sixmax.betting.leaf_choices import choice_of


class Learned(NamedTuple):
    """A network with U units a layer, on the leaves of one tree.

    A *row* is one of ``Tree.contributed``; the *asking* seat is the one whose value is wanted.
    Each other seat that has not folded has a place in the first layer.

    public: float32[rows, seats, U]  the part of what all know, by asking seat; biases included
    own: float32[hands, U]           the part of the asking seat's hand
    other: float32[places, hands, U] the part of another's hand
    chosen: float32[places, choices, U]  the part of another's choice
    place: int8[rows, seats, seats]  of the second seat where the first asks; -1 folded, or itself
    weight, bias: float32[layers - 1, U, U] (from, to) and [layers - 1, U]: of the later layers
    last, last_bias: float32[choices, U] and [choices]: of the outputs, one for each own choice
    pot: float64[rows]               chips: the unit of the outputs
    bound                            chips: a seat wins or loses no more, whatever the network says
    bits                             of a seat's choice in the record of a LEAF
    """

    public: np.ndarray
    own: np.ndarray
    other: np.ndarray
    chosen: np.ndarray
    place: np.ndarray
    weight: np.ndarray
    bias: np.ndarray
    last: np.ndarray
    last_bias: np.ndarray
    pot: np.ndarray
    bound: float
    bits: int


@uncounted
def learned_value(learned, tree, x, me, hands, units):
    """Net chips of ``me``, who has not folded, at the LEAF ``x`` of ``tree``.

    ``hands`` int32[seats, …] has in its first column the hand of each seat, ``units``
    float32[2, U] is scratch. The output is what the seat takes out of the pot, in pots.
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
