"""A real hand, and beside it the hand of a run's tree that stands for it.

The tree's hand follows by pseudo-harmonic translation (:mod:`sixmax.play.translate`): a raise off
the tree becomes the likelier of two sizes, so that one address always shows one spot. Agents draw
between the two.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.config import ROUNDS, SEEN
from sixmax.betting.rules import CALL, HIGH
from sixmax.betting.state import Betting
from sixmax.blueprint.run import Run
from sixmax.cards.deck import as_cards, format_cards
from sixmax.play.translate import TranslatedHand, fraction, translate


class Translation(NamedTuple):
    """The sizes of the tree that stand for a raise off it, as raises-to in the tree's own hand.

    ``share`` is the probability of the ``smaller``; where there is one alone it is both. ``pots``
    are the two as fractions of the pot, 0 for a check or call.
    """

    smaller: int
    larger: int
    share: float
    pots: tuple[float, float]


class Decision(NamedTuple):
    """A decision on the path, before it is made, and then the action done.

    before: the real hand, a copy of its own
    node: of the run's tree; -1 where its round is over before the real one
    offered: the actions of the node as they are done in the real hand
    base: chips that each player in the hand had put in before this round
    action: done; None at the end of the path
    played: the number among ``offered`` of the action that stands for it; -1 for none
    """

    before: Betting
    node: int
    offered: tuple[int, ...]
    base: int
    action: int | None = None
    played: int = -1
    translation: Translation | None = None


class Walk:
    """A hand of ``run`` from its start; amounts are chips. ``translated`` is the tree's."""

    def __init__(self, run: Run):
        self.run = run
        self.betting = Betting(run.game)
        self.board = np.empty(0, np.int8)
        self.decisions: list[Decision] = []
        self.base = max(run.game.antes)
        self.translated = TranslatedHand(run.game, run.tree)

    @property
    def needs_cards(self) -> int:
        """The number of board cards to deal before the next action."""
        if self.betting.over:
            return 0
        return SEEN[self.betting.round] - len(self.board)

    def deal(self, cards: str) -> None:
        """Deal the board cards of the next round. Raises UserError."""
        dealt = as_cards(cards, self.run.ranks)
        if len(dealt) != self.needs_cards or not len(dealt):
            raise UserError(
                f"board cards {format_cards(dealt, self.run.ranks)!r}: found {len(dealt)}, "
                f"wanted {self.needs_cards} at this point of the hand"
            )
        self.board = as_cards([*self.board, *dealt], self.run.ranks)
        self.base = int(self.betting.hand[HIGH])

    def here(self) -> Decision:
        """The decision at the end of the path. Raises UserError where nobody is to act."""
        if self.betting.over:
            raise UserError("the hand is over: nobody is to act")
        if self.needs_cards:
            raise UserError(
                f"the {ROUNDS[self.betting.round]} is to be dealt first: put a / after the actions "
                "of the round, and its cards on the board"
            )
        before, translated = self.betting.copy(), self.translated
        if not translated.meet(before.hand):
            return Decision(before, -1, (CALL,), self.base)
        return Decision(before, translated.node, tuple(translated.real(before.hand)), self.base)

    def act(self, action: int) -> None:
        """Let the actor do ``action``. Raises UserError where it is illegal."""
        if self.betting.over:
            raise UserError(self.betting.why_illegal(action))
        decision = self.here()
        self.betting.act(action)
        translation = self.translation(decision, action)
        done = self.translated.act(decision.before.hand, action)
        played = -1 if done is None else done[1]
        self.decisions.append(
            decision._replace(action=action, played=played, translation=translation)
        )

    def translation(self, decision: Decision, action: int) -> Translation | None:
        """The sizes that a legal ``action`` at :meth:`here` is followed as; None on the tree."""
        if decision.node < 0 or action in decision.offered:
            return None
        tree, mine = self.run.tree, self.translated.hand
        smaller, larger, share = translate(tree, decision.node, mine, decision.before.hand, action)
        pots = [float(fraction(mine, size)) if size > CALL else 0.0 for size in (smaller, larger)]
        return Translation(int(smaller), int(larger), float(share), (pots[0], pots[1]))
