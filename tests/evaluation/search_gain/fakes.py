"""Searches that find what a test wants them to."""

import numpy as np

from search.holdem import SEARCH, small_run
from sixmax.base.rng import child
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.state import Betting
from sixmax.cards.deck import holds, hole_cards
from sixmax.evaluation.search_gain.duel import Duellists
from sixmax.evaluation.search_gain.round_tree import FixedStrategy
from sixmax.ongoing.hand import Play, merged
from sixmax.scores.statistics import Protocol
from sixmax.search.result import SearchResult

CONFIG = SEARCH.model_copy(
    update={
        "buckets": 0, "iterations": 200, "vector_iterations": [20, 20, 20, 50], "off_tree": None
    }
)  # fmt: skip
PROTOCOL = Protocol("whole hands", "net chips", "deal", 3, 100, "small")
CARDS = hole_cards(6)
POINTS = (CARDS // 4).sum(axis=1) + 5 * (CARDS[:, 0] // 4 == CARDS[:, 1] // 4)
STRONG, BEST = POINTS > 4, POINTS > 7


def finds(strategy, run, policy):
    """A search whose answers are of the class ``strategy``, a FixedStrategy."""

    def searcher(position, frozen, seed):
        return strategy(run, policy, position.state.board, position.state.before)

    return searcher


class Bluffer(FixedStrategy):
    """Bets and raises with the weakest buckets, else checks and folds, and so tells its hand."""

    def play(self, done):
        same = super().play(done)
        rows = np.zeros_like(same.rows)
        rows[(self._bucket >= 0) & (self._bucket < 2), -1] = rows[self._bucket >= 2, 0] = 1.0
        return Play(same.offered, rows)


def duellists(searcher, later=(0.75,)):
    """The players of a duel, of whom one searches by ``searcher``."""
    return Duellists(*small_run(3, later), CONFIG, searcher, 3)


class Drawn(SearchResult):
    """Raises as nobody else does, strong holes more; searched anew after every action.

    Where that is not the first time of the round, every hole does what suits the one held.
    """

    def __init__(self, position, frozen, seed):
        self.state, self.frozen = position.state, frozen

    def covers(self, done):
        return len(done) <= len(self.state.taken)

    def play(self, done):
        betting = Betting(self.state.game)
        for action in (*self.state.before, *done):
            betting.act(action)
        random = np.random.default_rng(child(1, "drawn", *self.state.board.tolist(), *done))
        offered = [FOLD, CALL] if betting.to_call else [CALL]
        if limits := betting.raise_range:
            low, high = limits
            offered += [min(high, low + int(step)) for step in random.integers(0, 700, 2)]
        if len(done) < len(self.state.taken):
            offered.append(self.state.taken[len(done)])
        strong = np.full(len(STRONG), BEST[self.frozen[0].hole]) if self.frozen else STRONG
        rows = 0.02 + 0.1 * random.random((len(STRONG), len(offered)))
        rows[:, 1 if betting.to_call else -1] += strong
        rows[:, 0] += ~strong
        rows[holds(self.state.board, 6)] = 0.0
        return merged(offered, rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-9))


def drawn(position, frozen, seed):
    """Drawn, which every hand finds alike."""
    return Drawn(position, (), seed)
