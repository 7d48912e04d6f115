"""A hand in which all play one agent, decision by decision, and the address of a spot.

A raise off the tree becomes the likelier of two sizes (:class:`sixmax.ongoing.hand.Hand`), so that
one address always shows one spot. Agents draw between the two.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sixmax.api.strategy import Range, Strategy
from sixmax.base.errors import UserError
from sixmax.betting.config import SEEN
from sixmax.betting.rules import CALL, HIGH, is_legal
from sixmax.betting.state import Betting
from sixmax.cards.deck import ROUNDS, holds, n_holes, parse_cards
from sixmax.ongoing import bayes
from sixmax.ongoing.hand import Hand, blueprint_buckets, merged
from sixmax.ongoing.translate import fraction
from sixmax.search.advice import follow, position

if TYPE_CHECKING:
    from sixmax.api.run import Agent

LONGEST = 400  # characters of a field; a hand of ten players has fewer


class TreeSize(NamedTuple):
    """A size of the tree that stands for a raise off it with probability ``share``.

    ``raise_to`` is in the tree's own hand; ``pots`` is it as a fraction of the pot, 0 for a call.
    """

    raise_to: int
    share: float
    pots: float


class Decision(NamedTuple):
    """A decision on the path, before it is made, and then the action done.

    before: the real betting, a copy of its own
    strategy: the agent's
    rows: float64[holes, actions], the same over the actions of the tree, which may be done alike
    waits: whether the tree's round is over before the real one
    base: chips that each player in the hand had put in before this round
    action: done; None at the end of the path
    played: the action of the tree that stands for it, a column of ``rows``; -1 for none
    translation: of a raise off the tree
    """

    before: Betting
    strategy: Strategy
    rows: np.ndarray
    waits: bool
    base: int
    action: int | None = None
    played: int = -1
    translation: tuple[TreeSize, ...] = ()


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
        reach = np.where(holds(self.board, run.ranks), 0.0, self.reach[betting.actor])
        own = Range(betting.names[betting.actor], reach, self.board, run.ranks)
        play = merged(self.offered(), rows)
        strategy = Strategy(own, *play, blueprint_buckets(run, self.board))
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
        made = decision._replace(action=action, played=played, translation=translation)
        self.decisions.append(made)

    def translation(self, action: int) -> tuple[TreeSize, ...]:
        """The one or two sizes that a legal ``action`` is followed as; none on the tree."""
        if not self.meet() or action in self.offered():
            return ()
        smaller, larger, share = self.sizes(action)
        chances = {larger: 1 - share, smaller: share} if smaller != larger else {smaller: 1.0}
        return tuple(
            TreeSize(size, chances[size], float(fraction(self.mine, size)) if size > CALL else 0.0)
            for size in sorted(chances)
        )

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


class Address(NamedTuple):
    """A spot: ``actions`` in ACPC notation, ``board``, the strategy shown, and one beside it."""

    actions: str = ""
    board: str = ""
    agent: str = "blueprint"
    beside: str = ""

    @classmethod
    def of(cls, fields: Mapping[str, object]) -> "Address":
        """The address from the fields of a query or of JSON; an empty one is its default.

        Raises UserError for a field that is unknown, too long, or no text.
        """
        for name, value in fields.items():
            if name not in cls._fields:
                raise UserError(f"field {name[:40]!r}: wanted one of {', '.join(cls._fields)}")
            if not isinstance(value, str):
                raise UserError(f"{name}: found {type(value).__name__}, wanted text")
            if len(value) > LONGEST:
                raise UserError(f"{name}: found {len(value)} characters, wanted {LONGEST} at most")
        return cls(**{name: value for name, value in fields.items() if value})

    def fields(self) -> dict[str, str]:
        """The inverse of :meth:`of`, without defaults."""
        return {n: v for n, v in self._asdict().items() if v != self._field_defaults[n]}

    def walk(self, agent: "Agent") -> Walk:
        """The hand at the spot where all play ``agent``.

        The board of the last round may still be undealt. Raises UserError, as ``sixmax advise``.
        """
        actions, walk, rounds = self.actions, Walk(agent), self.actions.count("/") + 1
        undealt = 1 < rounds <= len(SEEN) and len(parse_cards(self.board)) == SEEN[rounds - 2]
        if actions.endswith("/") and undealt:
            actions = actions[:-1]
        played, dealt = position(actions, self.board)
        most = len(walk.run.game.rounds)
        if len(played) > most:
            raise UserError(f"actions: found {len(played)} rounds, wanted {most} at most")
        follow(walk, played, dealt)
        if actions != self.actions and (walk.betting.over or not walk.needs_cards):
            follow_on = "the hand is over" if walk.betting.over else "the round is not over"
            raise UserError(f"actions {self.actions!r}: {follow_on}; leave out the last slash")
        return walk
