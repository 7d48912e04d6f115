"""A real hand in which all play one agent, decision by decision, and beliefs about it.

A raise off the tree becomes the likelier of two sizes (:class:`sixmax.ongoing.hand.Hand`), so that
one address always shows one spot. Agents draw between the two.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sixmax.api.strategy import Strategy
from sixmax.base.errors import UserError
from sixmax.betting.config import ROUNDS
from sixmax.betting.rules import CALL, HIGH, is_legal
from sixmax.betting.state import Betting
from sixmax.cards.deck import n_holes
from sixmax.ongoing import bayes
from sixmax.ongoing.hand import Hand, blueprint_buckets, merged
from sixmax.ongoing.translate import fraction

if TYPE_CHECKING:
    from sixmax.api.run import Agent


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

    before: the real betting, a copy of its own
    strategy: the agent's
    rows: float64[holes, actions], the same over the actions of the tree, which may be done alike
    waits: whether the tree's round is over before the real one
    base: chips that each player in the hand had put in before this round
    action: done; None at the end of the path
    played: the action of the tree that stands for it, a column of ``rows``; -1 for none
    """

    before: Betting
    strategy: Strategy
    rows: np.ndarray
    waits: bool
    base: int
    action: int | None = None
    played: int = -1
    translation: Translation | None = None


class Walk(Hand):
    """A hand from its start in which all play ``agent``, with its ``decisions``.

    reach: float64[seats, holes], how often each hole would have played its part of the path
    """

    def __init__(self, agent: "Agent"):
        """Raises UserError for an agent without a table."""
        super().__init__(agent.run)
        if agent.by_hand:
            raise UserError(
                f"agent {agent.name!r} has no table; take the blueprint, and its method `search`"
            )
        self.agent, self.decisions, self.base = agent, list[Decision](), max(agent.run.game.antes)
        self.reach = np.ones((self.betting.seats, n_holes(self.run.ranks)))

    def deal(self, cards: str) -> None:
        super().deal(cards)
        self.base = int(self.real[HIGH])

    def here(self) -> Decision:
        """The decision at the end of the path. Raises UserError where nobody is to act."""
        betting, run = self.betting, self.run
        if betting.over:
            raise UserError("the hand is over: nobody is to act")
        if self.needs_cards:
            raise UserError(
                f"the {ROUNDS[betting.round]} is to be dealt first: put a / after the actions of "
                "the round, and its cards on the board"
            )
        rows = self.tree_rows(self.agent.policy, self.agent.game.bits)
        offered, played, _ = merged(self.offered(), rows)
        strategy = Strategy(
            betting.names[betting.actor], offered, played, self.reach[betting.actor].copy(),
            blueprint_buckets(run, self.board), run.ranks,
        )  # fmt: skip
        return Decision(betting.copy(), strategy, rows, not self.meet(), self.base)

    def act(self, action: int) -> None:
        """Let the actor do ``action``. Raises UserError where it is illegal."""
        if not is_legal(self.real, action):
            raise UserError(self.betting.why_illegal(action))
        decision, seat, translation = self.here(), self.betting.actor, self.translation(action)
        done = super().act(action)
        played = -1 if done is None else done[1]
        if done is not None:
            self.reach[seat] *= decision.rows[:, played]
        self.decisions.append(
            decision._replace(action=action, played=played, translation=translation)
        )

    def translation(self, action: int) -> Translation | None:
        """The sizes that a legal ``action`` is followed as; None on the tree."""
        if not self.meet() or action in self.offered():
            return None
        smaller, larger, share = self.sizes(action)
        pots = [
            float(fraction(self.mine, size)) if size > CALL else 0.0 for size in (smaller, larger)
        ]
        return Translation(smaller, larger, share, (pots[0], pots[1]))

    def beliefs(self, tremble: float) -> np.ndarray:
        """The beliefs at the end of the path, by Bayes' rule: float64[seats, holes].

        Each action may be a mistake with the probability ``tremble``, as in a search.
        """
        out = bayes.before_the_deal(self.betting.seats, self.run.ranks)
        for decision in self.decisions:
            if decision.played >= 0:
                likelihood = bayes.trembling(decision.rows, decision.played, tremble)
                out = bayes.after_action(out, decision.before.actor, likelihood)
        return bayes.after_cards(out, self.board, self.run.ranks)
