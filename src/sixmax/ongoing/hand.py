"""A hand in progress, and a strategy at its decisions, for all private hands at once.

Agents, searches, pages and scores that meet a real hand keep a :class:`Hand`. It knows no private
cards.
"""

import copy
import functools
from collections.abc import Iterator, Sequence
from typing import NamedTuple, Self

import numpy as np

from sixmax.abstraction.board_lookup import board_tables, buckets_on_board
from sixmax.base.errors import UserError
from sixmax.betting.config import SEEN, GameConfig
from sixmax.betting.rules import CALL, begin
from sixmax.betting.state import Betting
from sixmax.blueprint.run import Run
from sixmax.cards.deck import as_cards, format_cards, holds, hole_cards, n_holes
from sixmax.cfr.layout import entries, infoset
from sixmax.cfr.packed_actions import Bits, read_action
from sixmax.ongoing.policies import Policy, mixed
from sixmax.ongoing.translate import follow, real_actions, stand, translate

_cards = functools.cache(hole_cards)


def blueprint_buckets(run: Run, board: np.ndarray) -> np.ndarray:
    """The bucket of every hole on ``board`` int8[0, 3, 4 or 5]: int32[holes], -1 where blocked."""
    out = np.empty(n_holes(run.ranks), np.int32)
    tables = board_tables(run.buckets, run.ranks)
    buckets_on_board(tables, np.array(board, np.int8), _cards(run.ranks), out)
    return out


def blueprint_rows(
    run: Run, policy: np.ndarray | Policy, node: int, bucket: np.ndarray, bits: Bits | None = None
) -> np.ndarray:
    """The strategy of every hole at decision ``node``: float64[holes, actions]; rows sum to 1.

    ``policy`` is uint8[layout.size], or a Policy: a pure one needs the ``bits`` of the run's tree.
    ``bucket`` is of :func:`blueprint_buckets`. Blocked holes have zeros. Raises ValueError where
    ``node`` is no decision.
    """
    policy = policy if isinstance(policy, Policy) else mixed(run, policy)
    tree, dealt = run.tree, bucket >= 0
    if not tree.is_decision(node):
        raise ValueError(f"node {node} is no decision")
    if policy.pure:
        each, place = np.unique(bucket[dealt], return_inverse=True)
        first = infoset(policy, tree.round(node), tree.seat(node), each, bits.slot[node])
        n = len(tree.children(node))
        of_hole = np.eye(n)[[read_action(policy.table, int(at), n) for at in first]][place]
    else:
        weight = policy.table[entries(tree, policy, node, bucket[dealt])].astype(np.float64)
        total = weight.sum(axis=1, keepdims=True)
        of_hole = np.where(total > 0, weight / np.maximum(total, 1), 1 / weight.shape[1])
    rows = np.zeros((len(bucket), of_hole.shape[1]))
    rows[dealt] = of_hole
    return rows


class Play(NamedTuple):
    """The strategy of every private hand at one decision."""

    offered: list[int]  # the actions, FOLD, CALL and raises-to, ascending and each once
    rows: np.ndarray  # float64[holes, actions]: to draw from, and the likelihoods of Bayes' rule

    def chance(self, action: int) -> np.ndarray:
        """The probability of ``action`` by hand, float64[holes]: 0 where it is not offered."""
        if action in self.offered:
            return self.rows[:, self.offered.index(action)]
        return np.zeros(len(self.rows))


def merged(offered: Sequence[int], rows: np.ndarray) -> Play:
    """The strategy ``rows`` float64[holes, actions]; several ``offered`` may be one action.

    Two raises of a tree may be one of the real game, and a fold that is free is a check.
    """
    each = sorted(set(offered))
    if each == list(offered):
        return Play(each, rows)
    sums = np.zeros((len(rows), len(each)))
    for column, action in enumerate(offered):
        sums[:, each.index(action)] += rows[:, column]
    return Play(each, sums)


class Hand:
    """A hand of ``game`` that is followed in the tree of ``run``; amounts are chips."""

    def __init__(self, run: Run, game: GameConfig | None = None):
        """``game`` has other stacks than the run's; None: the run's own."""
        self.run, self.betting = run, Betting(game or run.game)  # the real betting
        self.board = np.empty(0, np.int8)  # the cards seen so far
        self.node, self.mine = 0, begin(run.game)  # of the tree, and its hand there, int64[LENGTH]

    def copy(self) -> Self:
        """An independent hand in this state."""
        twin = copy.copy(self)
        twin.betting, twin.mine = self.betting.copy(), self.mine.copy()
        return twin

    @property
    def real(self) -> np.ndarray:
        """The real hand, int64[LENGTH]."""
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
        """The seat of each decision up to the end of the hand, or of ``board``, which is dealt.

        The caller acts before it asks for the next.
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

        A raise becomes that of the same share of the pot, within what is legal; where none is, and
        where a fold would be free, it is a check or call.
        # ASSUME check or call where the hands have not met.
        """
        if not self.meet():
            return [CALL]
        return real_actions(self.run.tree, self.node, self.mine, self.real).tolist()

    def sizes(self, action: int) -> tuple[int, int, float]:
        """The actions of the tree that ``action`` may become: smaller, larger, chance of the first.

        One alone is both; where the hands have not met it is ``action``.
        """
        if not self.meet():
            return action, action, 1.0
        smaller, larger, share = translate(self.run.tree, self.node, self.mine, self.real, action)
        return int(smaller), int(larger), float(share)

    def distance(self, raise_to: int) -> float:
        """Chips from ``raise_to`` to the nearest raise that the tree offers; inf for none."""
        offered = self.run.tree.offered(self.node) if self.meet() else []
        return float(min((abs(raise_to - a) for a in offered if a > CALL), default=np.inf))

    def act(self, action: int, u: float | None = None) -> tuple[int, int] | None:
        """Do ``action``: FOLD, CALL or a raise-to. Raises UserError where it is illegal.

        ``u`` in [0, 1) draws among two sizes of the tree; None takes the likelier. Returns the node
        where the tree's hand followed, and the number of the action there; None where they have not
        met.
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
        """The strategy over :meth:`offered` as :func:`blueprint_rows`: float64[holes, actions]."""
        if not self.meet():
            return (~holds(self.board, self.run.ranks)).astype(np.float64)[:, None]
        bucket = blueprint_buckets(self.run, self.board)
        return blueprint_rows(self.run, policy, self.node, bucket, bits)

    def rows(self, policy: Policy, bits: Bits | None = None) -> Play:
        """The same by real action, each once."""
        return merged(self.offered(), self.tree_rows(policy, bits))
