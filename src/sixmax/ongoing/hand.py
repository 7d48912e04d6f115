"""A hand in progress: real betting, board, and the hand of a run's tree that follows it.

Agents, searches, pages and scores that meet a real hand keep one of these. It knows no private
cards: :meth:`Hand.rows` is the strategy of all of them at once.
"""

import copy
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.config import SEEN, GameConfig
from sixmax.betting.rules import CALL, begin
from sixmax.betting.state import Betting
from sixmax.blueprint.run import Run
from sixmax.cards.deck import as_cards, format_cards, holds
from sixmax.cfr.packed_actions import Bits
from sixmax.ongoing.lookup import actions, blueprint_buckets, blueprint_rows
from sixmax.ongoing.policies import Policy
from sixmax.ongoing.translate import follow, real_actions, stand, translate


class Play(NamedTuple):
    """The strategy of every private hand at one decision.

    offered: the actions, FOLD, CALL and raises-to, ascending and each once
    played: float64[holes, actions], the distribution to draw from
    believed: float64[holes, actions], the likelihoods of Bayes' rule
    """

    offered: list[int]
    played: np.ndarray
    believed: np.ndarray

    def chance(self, action: int) -> np.ndarray:
        """The probability of ``action`` by hand, float64[holes]: 0 where it is not offered."""
        if action in self.offered:
            return self.played[:, self.offered.index(action)]
        return np.zeros(len(self.played))


def merged(offered: Sequence[int], rows: np.ndarray) -> Play:
    """The strategy ``rows`` float64[holes, actions]; several ``offered`` may be one action.

    Two raises of a tree may be one of the real game, and a fold that is free is a check.
    """
    each = sorted(set(offered))
    if each == list(offered):
        return Play(each, rows, rows)
    sums = np.zeros((len(rows), len(each)))
    for column, action in enumerate(offered):
        sums[:, each.index(action)] += rows[:, column]
    return Play(each, sums, sums)


class Hand:
    """A hand of ``game`` that is followed in the tree of ``run``; amounts are chips.

    betting: the real one; ``real`` is its int64[LENGTH]
    board: int8[cards] seen so far
    node, mine: of the tree, and its hand there, int64[LENGTH]
    """

    def __init__(self, run: Run, game: GameConfig | None = None):
        """``game`` has other stacks than the run's; None: the run's own."""
        self.run, self.betting = run, Betting(game or run.game)
        self.board = np.empty(0, np.int8)
        self.node, self.mine = 0, begin(run.game)

    def copy(self) -> Self:
        """An independent hand in this state."""
        twin = copy.copy(self)
        twin.betting, twin.mine = self.betting.copy(), self.mine.copy()
        return twin

    @property
    def real(self) -> np.ndarray:
        """The real hand."""
        return self.betting.hand

    @property
    def needs_cards(self) -> int:
        """The number of board cards to deal before the next action."""
        return 0 if self.betting.over else SEEN[self.betting.round] - len(self.board)

    def deal(self, cards: str | np.ndarray) -> None:
        """Deal the board cards of the next round: text, or int8[3 or 1]. Raises UserError."""
        ranks = self.run.ranks
        dealt = as_cards(cards, ranks)
        if len(dealt) != self.needs_cards or not len(dealt):
            raise UserError(
                f"board cards {format_cards(dealt, ranks)!r}: found {len(dealt)}, wanted "
                f"{self.needs_cards} at this point of the hand"
            )
        self.board = as_cards([*self.board, *dealt], ranks)

    def decisions(self, board: np.ndarray) -> Iterator[int]:
        """The seat of each decision to come, up to the end of the hand, or of ``board``.

        Whoever asks acts before asking again. The cards of ``board`` are dealt where they are due.
        """
        while not self.betting.over and SEEN[self.betting.round] <= len(board):
            if self.needs_cards:
                self.deal(board[len(self.board) : SEEN[self.betting.round]])
            yield self.betting.actor

    def meet(self) -> bool:
        """Let the tree's hand catch up; whether the same seat is to act there.

        If not, its round is over and the real one's is not.
        """
        node, met = stand(self.run.tree, self.node, self.mine, self.real)
        self.node = int(node)
        return bool(met)

    def offered(self) -> list[int]:
        """The actions of the tree as they are done in the real hand, in their order.

        A raise becomes that of the same share of the pot, within what is legal, and all-in all-in;
        where none is, and where a fold would be free, it is a check or call.
        # ASSUME check or call where the hands have not met.
        """
        if not self.meet():
            return [CALL]
        return real_actions(self.run.tree, self.node, self.mine, self.real).tolist()

    def sizes(self, action: int) -> tuple[int, int, float]:
        """The actions of the tree that ``action`` may become: smaller, larger, chance of the first.

        Where there is one alone it is both; where the hands have not met it is ``action``.
        """
        if not self.meet():
            return action, action, 1.0
        smaller, larger, share = translate(self.run.tree, self.node, self.mine, self.real, action)
        return int(smaller), int(larger), float(share)

    def distance(self, raise_to: int) -> float:
        """Chips from ``raise_to`` to the nearest raise that the tree offers; inf for none."""
        offered = actions(self.run.tree, self.node) if self.meet() else []
        return float(min((abs(raise_to - a) for a in offered if a > CALL), default=np.inf))

    def act(self, action: int, u: float | None = None) -> tuple[int, int] | None:
        """Do ``action``: FOLD, CALL or a raise-to. Raises UserError where it is illegal.

        ``u`` in [0, 1) draws among two sizes of the tree; None takes the likelier. Returns the node
        where the tree's hand followed, and the number of the action there; None where they have not
        met, and nothing was done.
        """
        before, tree = self.real.copy(), self.run.tree
        self.betting.act(action)
        node, met = stand(tree, self.node, self.mine, before)
        self.node = node = int(node)
        if not met:
            return None
        u = 0.5 if u is None else u
        self.node = int(follow(tree, node, self.mine, before, action, u)[0])
        return node, self.node - int(tree.node[node, 1])

    def tree_rows(self, policy: Policy, bits: Bits | None = None) -> np.ndarray:
        """The strategy of every hole over :meth:`offered`: float64[holes, actions].

        Blocked holes have zeros. ``bits`` are of the run's tree, for a policy that is pure.
        """
        if not self.meet():
            return (~holds(self.board, self.run.ranks)).astype(np.float64)[:, None]
        bucket = blueprint_buckets(self.run, self.board)
        return blueprint_rows(self.run, policy, self.node, bucket, bits)

    def rows(self, policy: Policy, bits: Bits | None = None) -> Play:
        """The same by real action, each once."""
        return merged(self.offered(), self.tree_rows(policy, bits))
