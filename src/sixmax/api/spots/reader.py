"""An agent's strategy along the path of a hand, and the beliefs that follow from it."""

from collections.abc import Iterable

import numpy as np

from sixmax.agents.rows import rows_at
from sixmax.api.run import Agent
from sixmax.api.spots.walk import Decision, Walk
from sixmax.api.strategy import Strategy
from sixmax.betting.config import SEEN
from sixmax.betting.tree import round_of
from sixmax.cards.deck import n_holes
from sixmax.search import bayes


class Reader:
    """Reads one agent along the path of a :class:`Walk` in the game of its run."""

    def __init__(self, agent: Agent, walk: Walk):
        self._agent, self._walk = agent, walk
        self._reach = np.ones((walk.betting.seats, n_holes(walk.run.ranks)))
        self._played: list[tuple[int, np.ndarray, int]] = []  # seat, rows, the action's number

    def path(self) -> Iterable[Strategy]:
        """The strategy at each decision made, in order; call it once, before :meth:`here`."""
        for decision in self._walk.decisions:
            rows = self._rows(decision)
            strategy = self._merged(decision, rows)
            if decision.played >= 0:
                seat = decision.before.actor
                self._reach[seat] = self._reach[seat] * rows[:, decision.played]
                self._played.append((seat, rows, decision.played))
            yield strategy

    def here(self) -> Strategy:
        """The strategy at the end of the path."""
        decision = self._walk.here()
        return self._merged(decision, self._rows(decision))

    def reach(self, seat: int) -> np.ndarray:
        """How often each hole of ``seat`` would have played its part of the path: float64[…]."""
        return self._reach[seat]

    def beliefs(self, tremble: float) -> np.ndarray:
        """The beliefs at the end of the path, by Bayes' rule: float64[seats, holes].

        Each action may be a mistake with the probability ``tremble``, as in a search.
        """
        seats, ranks = len(self._reach), self._walk.run.ranks
        out = bayes.before_the_deal(seats, ranks)
        for seat, rows, action in self._played:
            out = bayes.after_action(out, seat, bayes.trembling(rows, action, tremble))
        return bayes.after_cards(out, self._walk.board, ranks)

    def _bucket(self, decision: Decision) -> np.ndarray:
        board = self._walk.board[: SEEN[decision.before.round]]
        return self._agent.of.buckets(board.tobytes())

    def _rows(self, decision: Decision) -> np.ndarray:
        """The probabilities of the tree's actions: float64[holes, actions]."""
        bucket, rows = self._bucket(decision), np.zeros((self._reach.shape[1], 1))
        dealt = bucket >= 0
        if decision.node < 0:
            # ASSUME check or call where the tree's round is over before the real one.
            rows[dealt] = 1.0
            return rows
        run, opened = self._walk.run, self._agent.of
        in_round = round_of(int(run.tree.node[decision.node, 0]))
        table = np.empty((int(run.layout.buckets[in_round]), len(decision.offered)))
        rows_at(self._agent.policy, opened.game, decision.node, table)
        rows = np.zeros((len(bucket), table.shape[1]))
        rows[dealt] = table[bucket[dealt]]
        return rows

    def _merged(self, decision: Decision, rows: np.ndarray) -> Strategy:
        """Two actions of the tree may be done as one: a fold that is free is a check."""
        offered, place = np.unique(decision.offered, return_inverse=True)
        merged = np.zeros((len(rows), len(offered)))
        for k, at in enumerate(place):
            merged[:, at] += rows[:, k]
        before = decision.before
        return Strategy(
            before.names[before.actor], offered.tolist(), merged, self._reach[before.actor],
            self._bucket(decision), self._walk.run.ranks,
        )  # fmt: skip
