"""Where in the blueprint's tree a hand is, that was really played with any raises.

The shadow plays the real hand in the blueprint's game: a raise becomes one that the tree offers,
by pseudo-harmonic translation of pot fractions (Ganzfried & Sandholm 2013). # ASSUME a raise stays
a raise where the tree offers one. Where it offers none the shadow calls; where its round is then
over before the real one, it waits for the next, and where it lags behind, it checks or calls along.
"""

import numpy as np

from sixmax.game.config import GameConfig
from sixmax.game.rules import (
    ACTOR,
    BETTING,
    CALL,
    FOLD,
    HIGH,
    PHASE,
    POT,
    ROUND,
    STACKS,
    apply,
    begin,
    limits,
)
from sixmax.game.tree import Tree
from sixmax.play.lookup import actions
from sixmax.play.translate import deterministic, randomised


def fraction(hand: np.ndarray, amount: int) -> float:
    """The raise to ``amount`` as a fraction of the pot after calling."""
    pot = int(hand[POT]) + int(limits(hand)[0])
    return (amount - int(hand[HIGH])) / pot


class Shadow:
    """A node of the blueprint's ``tree``, and the hand of its ``game`` there."""

    def __init__(self, game: GameConfig, tree: Tree):
        self.tree, self.node, self.hand = tree, 0, begin(game)

    def copy(self) -> "Shadow":
        other = object.__new__(Shadow)
        other.tree, other.node, other.hand = self.tree, self.node, self.hand.copy()
        return other

    def _step(self, action: int) -> None:
        self.node = int(self.tree.node[self.node, 1]) + actions(self.tree, self.node).index(action)
        apply(self.hand, action)

    def meet(self, real: np.ndarray) -> bool:
        """Catch up with the hand ``real`` int64[LENGTH]; whether the same seat is to act there."""
        while self.hand[PHASE] == BETTING and self.hand[ROUND] < real[ROUND]:
            self._step(CALL)
        while (
            self.hand[PHASE] == BETTING
            and self.hand[ROUND] == real[ROUND]
            and self.hand[ACTOR] != real[ACTOR]
        ):
            self._step(CALL)
        return bool(self.hand[PHASE] == BETTING and self.hand[ROUND] == real[ROUND])

    def translate(self, real: np.ndarray, action: int, u: float | None = None) -> int | None:
        """The action of the tree that stands for ``action`` in the hand ``real``.

        ``u`` in [0, 1) draws among two sizes; None takes the nearer. None where the shadow's round
        is over.
        """
        if not self.meet(real):
            return None
        offered = actions(self.tree, self.node)
        if action in offered:
            return action
        if action == FOLD:
            return CALL
        sizes = [a for a in offered if a > CALL]
        if action == CALL or not sizes:
            return CALL
        shares = np.array([fraction(self.hand, a) for a in sizes])
        wanted = fraction(real, action)
        picked = deterministic(shares, wanted) if u is None else randomised(shares, wanted, u)
        return sizes[picked]

    def distance(self, real: np.ndarray, raise_to: int) -> float:
        """Chips from ``raise_to`` to the nearest raise that the tree offers; inf for none."""
        if not self.meet(real):
            return np.inf
        sizes = [a for a in actions(self.tree, self.node) if a > CALL]
        return float(min((abs(raise_to - a) for a in sizes), default=np.inf))

    def act(self, real: np.ndarray, action: int, u: float | None = None) -> tuple[int, int] | None:
        """Play what stands for ``action``, which is about to be done in ``real``.

        Returns the node where it was played and the number of the action there; None where the
        shadow's round is over and nothing was played.
        """
        found, node = self.translate(real, action, u), self.node
        if found is None:
            return None
        number = actions(self.tree, node).index(found)
        self._step(found)
        return node, number

    def real(self, hand: np.ndarray) -> list[int]:
        """The actions offered at the shadow's node as they are done in ``hand``, in their order.

        A raise becomes that of the same share of the pot, within what is legal, and all-in all-in;
        where none is, and where a fold would be free, it is a check or call.
        """
        offered = actions(self.tree, self.node)
        if np.array_equal(self.hand, hand):
            return offered
        to_call, low, high = (int(k) for k in limits(hand))
        found = []
        for action in offered:
            if action == FOLD and to_call > 0:
                found.append(FOLD)
            elif action <= CALL or high == 0:
                found.append(CALL)
            elif action >= self.hand[STACKS + self.hand[ACTOR]]:
                found.append(high)
            else:
                wanted = hand[HIGH] + fraction(self.hand, action) * (hand[POT] + to_call)
                found.append(min(max(int(wanted + 0.5), low), high))
        return found
