"""The person's AIVAT: the stage's for a stranger, and unbiased among different agents."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from evaluation.scored import nonsense, table
from session.person import Person, play
from sixmax.agents.registry import uniform
from sixmax.base.rng import child, stream
from sixmax.betting.config import SEEN
from sixmax.betting.state import Betting
from sixmax.evaluation.aivat.recorded import Taken
from sixmax.evaluation.aivat.scored_match import ScoredGame, columns
from sixmax.evaluation.match.duplicate import path, whole_hands
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows
from sixmax.session.luck import AIVAT, Luck
from sixmax.session.session import Session

DEALS, SEED = 20, 3


def test_columns__equal_those_of_the_stage_for_a_stranger(run):
    """On the same hands: a stranger at random among copies of the blueprint."""
    _, game, player, values = table(3)
    pair, seats = (uniform(game), player), 3
    ends = whole_hands(pair, game, run.dealer, SEED, 0, DEALS).end
    expected = columns(
        ScoredGame(pair, game, run.dealer, values), SEED, 0, DEALS, copies=True, ends=ends
    )
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
        offered, rows = game.tree.offered(x), None
        if betting.actor != stranger:
            bucket = blueprint_buckets(run, cards[6:][: SEEN[betting.round]])
            rows = blueprint_rows(run, policy, x, bucket)
        taken.append(Taken(offered, action, rows))
        x = int(game.tree.node[x, 1]) + offered.index(action)
        betting.act(action)
    return taken


@pytest.mark.parametrize("sound", [True, False])
def test_result__is_unbiased_whatever_the_values(run, sound):
    """Two different agents and raises off the tree: no correction on the mean."""
    values = table(3)[3]
    luck = Luck(run, values if sound else nonsense(values))
    session = Session(run, ["blueprint", "call"], seed=1, luck=luck)
    play(session, 250, Person(1))
    hands, result = list(session._unscored), session.result()
    assert result.adjusted.n == result.won.n == 250
    assert shift_in_errors(session._adjusted, session._won) < 4
    other = [luck.columns(*each[:2], list(map(first, each[2])), each[3])[AIVAT] for each in hands]
    wrong = np.array(other) * 1000 / run.big_blind
    if sound:  # so many hands tell policies that are not the agents' by their shift
        assert shift_in_errors(wrong, session._adjusted) > 4


def shift_in_errors(adjusted, won):
    """The mean change by AIVAT, in standard errors."""
    more = np.array(adjusted) - np.array(won)
    return abs(more.mean()) / (more.std(ddof=1) / np.sqrt(len(more)))


def first(taken):
    """The decision of an agent that would mostly take the first action, a fold or check."""
    if taken.rows is None:
        return taken
    rows = np.ones_like(taken.rows)
    rows[:, 0] = 9.0
    return taken._replace(rows=rows)


def test_result__sound_values_take_luck_off(run, luck):
    session = Session(run, ["blueprint", "call"], seed=2, luck=luck)
    play(session, 60, Person(2))
    result = session.result()
    assert result.adjusted.standard_error < 0.8 * result.won.standard_error


def test_columns__two_tables_at_once_have_the_scores_of_one(run, luck):
    """A server has one Luck for its tables, whose threads score hands in one work space."""
    session = Session(run, ["blueprint", "random"], seed=7, luck=luck)
    play(session, 8, Person(4))
    hands = list(session._unscored)
    expected = [luck.columns(*hand) for hand in hands]
    switch = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(2) as pool:
            ends = pool.map(lambda some: [luck.columns(*hand) for hand in some], [hands, hands])
            for actual in ends:
                np.testing.assert_array_equal(actual, expected)
    finally:
        sys.setswitchinterval(switch)


def test_columns__the_first_is_the_chips_won(run, luck):
    session = Session(run, ["blueprint", "random"], seed=5, luck=luck)
    records = play(session, 10, Person(3))
    for record, hand in zip(records, session._unscored, strict=True):
        columns = luck.columns(*hand)
        assert columns[0] == pytest.approx(record.payoffs[hand[1]])
        assert columns[AIVAT] == pytest.approx(columns[1] + columns[2] + columns[3])
