"""Whole hands of a searching player against copies of the blueprint, and their AIVAT.

AIVAT is unbiased off the tree too, and seen to fail where it is not.
"""

import functools

import numpy as np
import pytest

from evaluation.scored import nonsense, table
from evaluation.search_gain.fakes import CONFIG, PROTOCOL, Drawn, duellists
from search.holdem import small_run, small_searcher
from sixmax.evaluation.aivat.recorded import Recorded, Taken
from sixmax.evaluation.search_gain import duel
from sixmax.evaluation.search_gain.duel import Duellists, play, play_hand
from sixmax.evaluation.search_gain.round_tree import fixed
from sixmax.games.holdem import deal_cards


def test_play__who_searches_and_finds_the_blueprint_wins_nothing():
    players = duellists(fixed(*small_run()))
    (result,) = play(players, PROTOCOL, 20)
    with pytest.raises(ValueError, match="1 deals, wanted at least 2"):
        play(players, PROTOCOL, 1)
    assert result.deals.total == result.deals.square == 0.0
    assert result.hands == 60


def test_play__same_seed_same_result_and_a_search_changes_it():
    one, two = (play(duellists(small_searcher(CONFIG)), PROTOCOL, 4)[0] for _ in range(2))
    assert one.deals == two.deals
    assert one.deals.square > 0


def test_play_hand__of_the_blueprint_alone_is_zero_sum():
    run, _ = small_run()
    for number in range(30):
        cards = deal_cards(1, number, run.game.seats, run.ranks)
        assert len(set(cards.tolist())) == len(cards)
        net, _ = play_hand(duellists(None), cards, number, -1, [])
        assert abs(net.sum()) < 1e-9
        assert np.abs(net).sum() > 0


RESULT, _, CHANCE, ACTION, AIVAT = range(5)
DEALS, SEED = 200, 3


@functools.cache
def columns(sense=True, mutant=None, deals=DEALS):
    """Of every deal, the mean over the seats: float64[deals, columns]; ``mutant`` of decisions."""
    run, place, player, values = table(3)
    scored = Recorded(run, place, values if sense else nonsense(values), (player, player), 2)
    result = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(duel, "result_of", lambda *given: result.append(given[-1].mean(axis=1)))
        if mutant:
            patch.setattr(duel, "Taken", lambda *args: mutant(Taken(*args)))
        players = Duellists(run, player.table, CONFIG, Drawn, SEED)
        play(players, PROTOCOL, deals, scored)
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
    """The planted mistake: the last action seems to be taken more often than it is."""
    result = columns(
        mutant=lambda taken: taken._replace(rows=(taken.rows + np.eye(taken.rows.shape[1])[-1]) / 2)
    )
    assert away(result, ACTION) > 3
    assert away(np.diff(result[:, [RESULT, AIVAT]]), 0) > 3
