"""The person's AIVAT: that of the stage for a stranger, and unbiased among different agents."""

import numpy as np
import pytest

from evaluation.scored import nonsense, table
from session.person import Person, play
from sixmax.evaluation.agents.baselines import uniform
from sixmax.evaluation.aivat.recorded import Taken
from sixmax.evaluation.aivat.scored_match import columns
from sixmax.evaluation.match.duplicate import whole_hands
from sixmax.evaluation.match.match_hands import path
from sixmax.game.betting import Betting
from sixmax.game.config import SEEN
from sixmax.play.lookup import actions, blueprint_buckets, blueprint_rows
from sixmax.rng import child, stream
from sixmax.session.luck import AIVAT, Luck
from sixmax.session.session import Session

DEALS, SEED = 20, 3


def test_columns__equal_those_of_the_stage_for_a_stranger(run):
    """On the same hands: a stranger at random among copies of the blueprint."""
    _, game, player, values = table(3)
    pair, seats = (uniform(game), player), 3
    ends = whole_hands(pair, game, run.dealer, SEED, 0, DEALS).end
    expected = columns(pair, game, run.dealer, values, SEED, 0, DEALS, copies=True, ends=ends)
    cards = run.dealer.cards(child(SEED, "deals"), 0, DEALS)[:, : 2 * seats + 5]
    luck = Luck(run, values)
    for i in range(DEALS):
        for hero in range(seats):
            taken = decisions(run, game, int(ends[i, hero]), cards[i], hero, player.table)
            state = np.uint64(stream(child(SEED, "boards"), np.uint64(i * seats + hero)))
            actual = luck.columns(cards[i], hero, taken, state)
            np.testing.assert_allclose(actual, expected[i, hero], rtol=1e-6, atol=1e-3)


def decisions(run, game, end, cards, stranger, policy):
    """The decisions that lead to ``end``; those of the copies with their rows."""
    betting, x, taken = Betting(run.game), 0, []
    for action in (a for part in path(game.tree, end) for a in part):
        offered, rows = actions(game.tree, x), None
        if betting.actor != stranger:
            bucket = blueprint_buckets(run, cards[6:][: SEEN[betting.round]])
            rows = blueprint_rows(run, policy, x, bucket)
        taken.append(Taken(offered, action, rows))
        x = int(game.tree.node[x, 1]) + offered.index(action)
        betting.act(action)
    return taken


def test_result__is_unbiased_whatever_the_values(run):
    """Two different agents, raises off the tree, and values of nonsense: no correction on mean."""
    session = Session(run, ["blueprint", "random"], seed=1, luck=Luck(run, nonsense(table(3)[3])))
    play(session, 250, Person(1))
    result = session.result()
    won, adjusted = np.array(session._won), np.array(session._adjusted)
    assert len(adjusted) == result.adjusted.n == 250
    less = adjusted - won
    error = less.std(ddof=1) / np.sqrt(len(less))
    assert abs(less.mean()) < 4 * error
    assert error > 100  # the nonsense shows


def test_result__sound_values_take_luck_off(run, luck):
    session = Session(run, ["blueprint", "call"], seed=2, luck=luck)
    play(session, 60, Person(2))
    result = session.result()
    assert result.adjusted.standard_error < 0.8 * result.won.standard_error


def test_columns__the_first_is_the_chips_won(run, luck):
    session = Session(run, ["blueprint", "random"], seed=5, luck=luck)
    records = play(session, 10, Person(3))
    for record, hand in zip(records, session._unscored, strict=True):
        columns = luck.columns(*hand)
        assert columns[0] == pytest.approx(record.payoffs[hand[1]])
        assert columns[AIVAT] == pytest.approx(columns[1] + columns[2] + columns[3])
