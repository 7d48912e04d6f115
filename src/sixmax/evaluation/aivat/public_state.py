"""A public state of a real hand for AIVAT: the betting, and its node in the tree."""

import functools

import numpy as np

from sixmax.base.jit import read_only
from sixmax.betting.rules import ACTOR, FOLDERS, PHASE, return_uncalled
from sixmax.betting.tree import SIDEPOTS, Tree
from sixmax.evaluation.aivat.values import Values
from sixmax.ongoing.hand import Hand


class PublicBetting:
    """The betting of a hand so far. Immutable: :meth:`after` returns another."""

    def __init__(self, hand: Hand):
        self._hand, betting = hand, hand.betting
        self.over, self.actor, self.round = betting.over, betting.actor, betting.round
        self.won = betting.over and not betting.showdown  # all but one have folded
        self.seats, self.left = betting.seats, betting.contenders
        self.node = self._find_node()
        self.same = self.node >= 0 and np.array_equal(hand.mine, hand.real)

    def after(self, action: int) -> "PublicBetting":
        """After FOLD, CALL or a raise-to. Raises UserError for an illegal action."""
        hand = self._hand.copy()
        hand.act(action)
        return PublicBetting(hand)

    def _find_node(self) -> int:
        """The node with the same seats left and the same seat to act, or none to act; else -1."""
        hand = self._hand
        if not self.over and not hand.meet():
            return -1
        alike = all(hand.mine[k] == hand.real[k] for k in (PHASE, FOLDERS, ACTOR))
        return hand.node if alike else -1

    def chips(self, seat: int) -> float:
        """Chips that ``seat`` has put in, less an uncalled bet at a showdown."""
        return float(self._paid[seat])

    @property
    def pot(self) -> float:
        """Chips that can be won."""
        return float(self._paid.sum())

    @functools.cached_property
    def _paid(self) -> np.ndarray:
        paid = self._hand.betting.contributed.astype(np.int32)
        if self.over:
            return_uncalled(paid)
        return paid

    def scale(self, values: Values) -> float:
        """The pot divided by that of the node."""
        return 1.0 if self.same else self.pot / float(values.pot[self.node])

    def net(self, seat: int) -> float:
        """Net chips of ``seat`` where all but one have folded."""
        return float(self._hand.betting.payoffs()[seat])

    def terminal(self) -> Tree:
        """A tree whose root is this showdown, for the kernels that read payoffs from a tree."""
        node = np.array([[SIDEPOTS, 0, 0, self.left]], np.int32)
        paid = self._paid[None].copy()
        return self._hand.run.tree._replace(node=read_only(node), contributed=read_only(paid))
