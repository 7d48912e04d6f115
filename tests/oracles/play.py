"""Slow twin of ``sixmax.ongoing.hand``: a hand followed in Python, action by action."""

import numpy as np

from sixmax.betting import rules
from sixmax.betting.config import GameConfig
from sixmax.betting.tree import Tree
from sixmax.ongoing.hand import Hand


def fraction(hand: np.ndarray, amount: int) -> float:
    """The raise to ``amount`` as a fraction of the pot after calling."""
    pot = int(hand[rules.POT]) + int(rules.limits(hand)[0])
    return (amount - int(hand[rules.HIGH])) / pot


class Follower:
    """A node of the blueprint's ``tree``, and the hand of its ``game`` there."""

    def __init__(self, game: GameConfig, tree: Tree):
        self.tree, self.node, self.hand = tree, 0, rules.begin(game)

    @classmethod
    def of(cls, hand: Hand) -> "Follower":
        """The twin of ``hand`` in its state."""
        twin = cls(hand.run.game, hand.run.tree)
        twin.node, twin.hand = hand.node, hand.mine.copy()
        return twin

    def copy(self) -> "Follower":
        other = object.__new__(Follower)
        other.tree, other.node, other.hand = self.tree, self.node, self.hand.copy()
        return other

    def _step(self, action: int) -> None:
        self.node = int(self.tree.node[self.node, 1]) + self.tree.offered(self.node).index(action)
        rules.apply(self.hand, action)

    def meet(self, real: np.ndarray) -> bool:
        """Catch up with the hand ``real`` int64[LENGTH]; whether the same seat is to act there."""
        while (
            self.hand[rules.PHASE] == rules.BETTING and self.hand[rules.ROUND] < real[rules.ROUND]
        ):
            self._step(rules.CALL)
        while (
            self.hand[rules.PHASE] == rules.BETTING
            and self.hand[rules.ROUND] == real[rules.ROUND]
            and self.hand[rules.ACTOR] != real[rules.ACTOR]
        ):
            self._step(rules.CALL)
        return bool(
            self.hand[rules.PHASE] == rules.BETTING and self.hand[rules.ROUND] == real[rules.ROUND]
        )

    def translate(self, real: np.ndarray, action: int, u: float | None = None) -> int | None:
        """The action of the tree that stands for ``action`` in the hand ``real``.

        ``u`` in [0, 1) draws among two sizes; None takes the nearer. None where the twin's round
        is over.
        """
        if not self.meet(real):
            return None
        offered = self.tree.offered(self.node)
        if action in offered:
            return action
        if action == rules.FOLD:
            return rules.CALL
        sizes = [a for a in offered if a > rules.CALL]
        if not sizes:
            return rules.CALL
        if action == rules.CALL:  # a limp that is not offered
            return sizes[0]
        return self._pick(sizes, fraction(real, action), 0.5 if u is None else u)

    def _pick(self, sizes: list[int], wanted: float, u: float) -> int:
        """One of ``sizes`` for a raise by ``wanted`` of the pot: pseudo-harmonic, by ``u``."""
        shares = [fraction(self.hand, a) for a in sizes]
        for k in range(len(sizes)):
            if wanted <= shares[k]:
                if k == 0 or wanted == shares[k]:
                    return sizes[k]
                a, b = shares[k - 1], shares[k]
                smaller = (b - wanted) * (1 + a) / ((b - a) * (1 + wanted))
                return sizes[k - 1] if u < smaller else sizes[k]
        return sizes[-1]

    def distance(self, real: np.ndarray, raise_to: int) -> float:
        """Chips from ``raise_to`` to the nearest raise that the tree offers; inf for none."""
        if not self.meet(real):
            return np.inf
        sizes = [a for a in self.tree.offered(self.node) if a > rules.CALL]
        return float(min((abs(raise_to - a) for a in sizes), default=np.inf))

    def act(self, real: np.ndarray, action: int, u: float | None = None) -> tuple[int, int] | None:
        """Play what stands for ``action``, which is about to be done in ``real``.

        Returns the node where it was played and the number of the action there; None where the
        twin's round is over and nothing was played.
        """
        hit, node = self.translate(real, action, u), self.node
        if hit is None:
            return None
        number = self.tree.offered(node).index(hit)
        self._step(hit)
        return node, number

    def real(self, hand: np.ndarray) -> list[int]:
        """The actions offered at the twin's node as they are done in ``hand``, in their order.

        A raise becomes that of the same share of the pot, within what is legal, and all-in all-in;
        where none is, and where a fold would be free, it is a check or call.
        """
        offered = self.tree.offered(self.node)
        if np.array_equal(self.hand, hand):
            return offered
        to_call, low, high = (int(k) for k in rules.limits(hand))
        hit = []
        for action in offered:
            if action == rules.FOLD and to_call > 0:
                hit.append(rules.FOLD)
            elif action <= rules.CALL or high == 0:
                hit.append(rules.CALL)
            elif action >= self.hand[rules.STACKS + self.hand[rules.ACTOR]]:
                hit.append(high)
            else:
                wanted = hand[rules.HIGH] + fraction(self.hand, action) * (
                    hand[rules.POT] + to_call
                )
                hit.append(min(max(int(wanted + 0.5), low), high))
        return hit
