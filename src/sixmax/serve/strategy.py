"""A strategy at a decision for every hand, and how often each hand comes there."""

import functools
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from sixmax.betting.config import SEEN
from sixmax.betting.tree import round_of
from sixmax.cards.deck import classes, format_cards, holds, hole_cards, n_holes
from sixmax.evaluation.agents.rows import rows_at
from sixmax.search import bayes
from sixmax.serve.library import Library, Opened
from sixmax.serve.walk import Decision, Walk

DIGITS = 4  # of probabilities sent to the browser


class Strategy(NamedTuple):
    """The strategy of every hole at one decision.

    offered: the actions as they are done in the real hand, ascending, each once
    rows: float64[holes, offered]; zeros for blocked holes
    reach: float64[holes], the probability that the seat would have played its part of the path
    bucket: int32[holes], the blueprint's; -1 for blocked holes
    """

    offered: list[int]
    rows: np.ndarray
    reach: np.ndarray
    bucket: np.ndarray

    @property
    def weight(self) -> np.ndarray:
        """The weight of each hole in the seat's range: its reach, or 1 where no hole has any.

        float64[holes]; 0 for blocked holes.
        """
        free = self.bucket >= 0
        return np.where(free, self.reach if (self.reach * free).any() else 1.0, 0.0)

    @property
    def total(self) -> np.ndarray:
        """The frequency of each action over the range: float64[offered]."""
        return self.weight @ self.rows / max(self.weight.sum(), 1e-300)


class Reader:
    """Reads one strategy along the path of a :class:`Walk` in the game of its run."""

    def __init__(self, library: Library, opened: Opened, walk: Walk):
        self._library, self._opened, self._walk = library, opened, walk
        self._reach = np.ones((walk.betting.seats, n_holes(opened.run.ranks)))
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

    def beliefs(self, tremble: float) -> np.ndarray:
        """The beliefs at the end of the path, by Bayes' rule: float64[seats, holes].

        Each action may be a mistake with the probability ``tremble``, as in a search.
        """
        seats, ranks = len(self._reach), self._opened.run.ranks
        out = bayes.before_the_deal(seats, ranks)
        for seat, rows, action in self._played:
            out = bayes.after_action(out, seat, bayes.trembling(rows, action, tremble))
        return bayes.after_cards(out, self._walk.board, ranks)

    def _bucket(self, decision: Decision) -> np.ndarray:
        board = self._walk.board[: SEEN[decision.before.round]]
        return self._library.buckets(self._opened, board)

    def _rows(self, decision: Decision) -> np.ndarray:
        """The probabilities of the tree's actions: float64[holes, actions]."""
        bucket, rows = self._bucket(decision), np.zeros((self._reach.shape[1], 1))
        dealt = bucket >= 0
        if decision.node < 0:
            # ASSUME check or call where the tree's round is over before the real one.
            rows[dealt] = 1.0
            return rows
        _, run, game, policy = self._opened
        in_round = round_of(int(run.tree.node[decision.node, 0]))
        table = np.empty((int(run.layout.buckets[in_round]), len(decision.offered)))
        rows_at(policy, game, decision.node, table)
        rows = np.zeros((len(bucket), table.shape[1]))
        rows[dealt] = table[bucket[dealt]]
        return rows

    def _merged(self, decision: Decision, rows: np.ndarray) -> Strategy:
        """Two actions of the tree may be done as one: a fold that is free is a check."""
        offered, place = np.unique(decision.offered, return_inverse=True)
        merged = np.zeros((len(rows), len(offered)))
        for k, at in enumerate(place):
            merged[:, at] += rows[:, k]
        bucket = self._bucket(decision)
        return Strategy(offered.tolist(), merged, self._reach[decision.before.actor], bucket)


def by_class(rows: np.ndarray, weight: np.ndarray, free: np.ndarray, ranks: int) -> np.ndarray:
    """The mean of ``rows`` float64[holes, …] in each hand class by ``weight`` float64[holes].

    Where no hole of a class has weight, that of its ``free`` ones, bool[holes] or 0 and 1; NaN
    where none is free. Returns float64[classes, …].
    """
    label, count = classes(ranks), ranks * ranks
    some = np.bincount(label, weight, count) > 0
    by = np.where(some[label], weight, free)
    with np.errstate(invalid="ignore", divide="ignore"):
        sums = [np.bincount(label, by * column, count) for column in rows.T]
        return np.stack(sums, axis=1) / np.bincount(label, by, count)[:, None]


def grid(strategy: Strategy, ranks: int) -> dict:
    """The chart of a strategy as plain JSON values, and from the flop on every combo.

    ``classes``: frequencies by hand class, in the order of sixmax.cards.deck.class_names, null for
    a class that the board leaves no combo of. ``reach``: of a class, the mean over its combos.
    """
    free = strategy.bucket >= 0
    rows = by_class(strategy.rows, strategy.weight * free, free, ranks)
    reach = by_class(strategy.reach[:, None], free.astype(float), free, ranks)[:, 0]
    return {
        "offered": strategy.offered,
        "total": rounded(strategy.total),
        "combos_in_range": round(float((strategy.reach * free).sum()), 1),
        "classes": [None if row[0] != row[0] else row for row in rounded(rows)],  # NaN != NaN
        "reach": rounded(np.nan_to_num(reach)),
        "combos": np.bincount(classes(ranks), free, ranks * ranks).astype(int).tolist(),
        "holes": None if free.all() else _holes(strategy, ranks),
    }


def _holes(strategy: Strategy, ranks: int) -> dict[int, list]:
    """By class, its free combos: cards, bucket, reach, frequencies."""
    label, names, holes = classes(ranks), _hole_names(ranks), {}
    free = np.flatnonzero(strategy.bucket >= 0)
    rows = np.round(strategy.rows[free], DIGITS).tolist()
    reach = np.round(strategy.reach[free], DIGITS).tolist()
    for hole, part, row in zip(free, reach, rows, strict=True):
        combo = [names[hole], int(strategy.bucket[hole]), part, row]
        holes.setdefault(int(label[hole]), []).append(combo)
    return holes


@functools.cache
def _hole_names(ranks: int) -> list[str]:
    """The cards of each hole, the higher first: "AhKd"."""
    return [format_cards(pair[::-1], ranks) for pair in hole_cards(ranks)]


def range_grid(belief: np.ndarray, board: np.ndarray, ranks: int) -> list[float]:
    """``belief`` float64[holes] by hand class: a combo's probability beside the largest.

    ``board`` is int8[cards]. 1 is the likeliest class, combo for combo.
    """
    free = ~holds(board, ranks)
    mean = np.nan_to_num(by_class(belief[:, None], free.astype(float), free, ranks)[:, 0])
    return rounded(mean / max(mean.max(), 1e-300))


def rounded(values: np.ndarray) -> list:
    """``values``, floats of any shape, as a list, to DIGITS places."""
    return np.round(values, DIGITS).tolist()
