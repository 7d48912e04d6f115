"""The value of a leaf: play goes on in another tree, each player by a packed strategy.

A tree may end before the game does, at nodes of kind LEAF. The record of one is
``LEAF | round << 8``; the row of ``Tree.contributed`` with the chips put in; the node of the other
tree that play goes on from; and the packed strategy of each seat
(:mod:`sixmax.betting.leaf_choices`). Packed strategies do not mix, so a deal gives one roll-out.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import inlined, uncounted
from sixmax.betting.leaf_choices import choice_of
from sixmax.betting.tree import n_actions, round_of, seat_of
from sixmax.cfr.advance import advance
from sixmax.cfr.packed_actions import action_bit, read_action
from sixmax.cfr.terminal import outcome


class LeafDeal(NamedTuple):
    """One deal, as the value of a leaf reads it.

    rank: int[boards, seats]  as in :func:`sixmax.cfr.terminal.terminal_value`
    future: int32[seats, rounds]  buckets of the other tree
    """

    rank: np.ndarray
    future: np.ndarray


class Beyond(NamedTuple):
    """The other tree with its packed strategies, and the nodes that leaves lead to.

    node, contributed           of the other tree (:class:`sixmax.betting.tree.Tree`)
    slot, base, columns         of its packed strategies (:class:`sixmax.cfr.packed_actions.Bits`)
    packed: uint8[strategies, bytes]
    chips: int32[rows, seats]   put in where the leaf with this row of ``contributed`` goes on
    ratio: float64[rows]        pot at the leaf / pot there
    bits                        of a seat's choice in the record of a LEAF
    """

    node: np.ndarray
    contributed: np.ndarray
    slot: np.ndarray
    base: np.ndarray
    columns: np.ndarray
    packed: np.ndarray
    chips: np.ndarray
    ratio: np.ndarray
    bits: int


@uncounted
def leaf_value(beyond, tree, x, me, dealt, net):
    """Net chips of ``me``, who has not folded, at the LEAF ``x`` of ``tree``.

    ``dealt`` has the fields of a LeafDeal; ``net`` float64[seats] is scratch. Winnings from there
    on are scaled with the pot, so that the whole pot of the leaf is paid out.
    # ASSUME the other tree's stacks, scaled alike, are near enough to those behind the leaf.
    """
    node, row = tree.node, tree.node[x, 1]
    won = roll_out(beyond, node[x, 2], node[x, 3], me, dealt, net) + beyond.chips[row, me]
    return won * beyond.ratio[row] - tree.contributed[row, me]


@uncounted
def roll_out(beyond, x, choices, me, dealt, net):
    """Net chips of ``me`` where play from node ``x`` of the other tree ends. Seat p plays packed
    strategy ``choice_of(choices, p, beyond.bits)``."""
    x, _ = advance(beyond.node, x, me, _turn, (beyond, choices, dealt.future), 0)
    return outcome(beyond.node, beyond.contributed, dealt.rank, x, me, net)


@inlined
def _turn(players, x, state):
    """The action at ``x``; nothing is drawn."""
    beyond, choices, future = players
    head = beyond.node[x, 0]
    seat, r = seat_of(head), round_of(head)
    bit = action_bit(beyond, r, seat, future[seat, r], x)
    choice = choice_of(choices, seat, beyond.bits)
    same = state  # a number: there is nothing to count
    return read_action(beyond.packed[choice], bit, n_actions(head)), same
