"""AIVAT of hands that are searched: unbiased off the tree too, and seen to fail where it is not."""

import functools

import numpy as np
import pytest

from evaluation.scored import nonsense, table
from evaluation.search_gain.test_duel import CONFIG, how
from sixmax.cards.deck import holds, hole_cards
from sixmax.evaluation.aivat.recorded import Recorded, Taken
from sixmax.evaluation.search_gain import duel
from sixmax.evaluation.search_gain.duel import play
from sixmax.game.betting import Betting
from sixmax.game.rules import CALL, FOLD
from sixmax.rng import child
from sixmax.search.public_hand import Play, SearchResult

RESULT, _, CHANCE, ACTION, AIVAT = range(5)
DEALS, SEED = 200, 3
CARDS = hole_cards(6)
POINTS = (CARDS // 4).sum(axis=1) + 5 * (CARDS[:, 0] // 4 == CARDS[:, 1] // 4)
STRONG, BEST = POINTS > 4, POINTS > 7


BELIEVED = {}  # by the identity of what is played


class Drawn(SearchResult):
    """Raises as nobody else does, strong holes more. Searched anew after every action; where that
    is not the first time of the round, every hole does what suits the one that is held."""

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
        rows = rows / np.maximum(rows.sum(axis=1, keepdims=True), 1e-9)
        BELIEVED[id(rows)] = rows, rows[:, ::-1]
        return Play(offered, rows, rows[:, ::-1])


@functools.cache
def columns(sense=True, mutant=None, deals=DEALS):
    """Of every deal, the mean over the seats: float64[deals, columns]; ``mutant`` of decisions."""
    run, where, player, values = table(3)
    scored = Recorded(
        run.game, where, run.dealer, values if sense else nonsense(values), (player, player), 2
    )
    result = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duel, "result_of", lambda *given: result.append(given[-1].mean(axis=1)))
        if mutant:
            patch.setattr(duel, "Taken", lambda *args: mutant(Taken(*args)))
        play(run, player.table, CONFIG, Drawn, how(), deals, SEED, scored=scored)
    return np.stack(result, axis=1)


def away(result, column):
    """Standard errors from 0."""
    return abs(result[:, column].mean()) / (result[:, column].std() / np.sqrt(len(result)))


@pytest.mark.parametrize("sense", [True, False])
def test_play__corrections_are_nothing_on_average(sense):
    result = columns(sense)
    assert np.count_nonzero(result[:, RESULT]) > DEALS / 3
    assert away(result, CHANCE) < 4
    assert away(result, ACTION) < 4
    assert away(np.diff(result[:, [RESULT, AIVAT]]), 0) < 4
    if sense:
        assert result[:, AIVAT].var() < result[:, RESULT].var()


def test_play__rows_that_were_not_played_are_found_out():
    """The planted mistake: what beliefs are updated with, in place of what is drawn from."""
    result = columns(
        mutant=lambda taken: taken._replace(rows=BELIEVED.get(id(taken.rows), [taken.rows])[-1])
    )
    assert away(result, ACTION) > 3
    assert away(np.diff(result[:, [RESULT, AIVAT]]), 0) > 3
