"""A bet that the blueprint's tree lacks: the opponent's winnings by it, by answer."""

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.cfr.methods import DCFR
from sixmax.evaluation.exploitability.exact_holdem import nash_conv
from sixmax.studies.flop_games.off_tree import _share_below, embedded, rows_of
from sixmax.studies.flop_games.reach import reach_to
from sixmax.studies.libratus import blueprint
from sixmax.studies.libratus.off_tree import ANSWERS, _without_bet, answered
from studies.flop_games.small import SETTINGS, with_bets


@pytest.fixture(scope="module")
def case():
    small = with_bets(1.5, "A")
    strategy = blueprint.solve(small, 0, 150, DCFR).strategy
    return small, strategy, embedded(small, strategy, with_bets(0.3, 1.5, "A"))


def loses(flop_game, strategy):
    return nash_conv(flop_game.tree, flop_game.layout, flop_game.cards, strategy).total / 2


def test_embedded__plays_as_before_and_never_bets_the_new_size(case):
    small, strategy, off = case
    before = nash_conv(small.tree, small.layout, small.cards, strategy)
    after = nash_conv(off.game.tree, off.game.layout, off.game.cards, off.strategy)
    np.testing.assert_allclose(after.values, before.values)
    assert after.total > 3 * before.total  # uniform play after the bet
    assert off.bets
    for bet in off.bets:
        names = [off.game.tree.describe(x) for x in (bet.child, bet.below, bet.above)]
        assert bet.below == bet.above, names  # smaller than all others


def test_answered__nested_solving_loses_a_fraction_of_what_translation_does(case):
    small, strategy, off = case
    base = loses(small, strategy)
    scores = {answer: loses(off.game, answered(off, answer, 300)) for answer in ANSWERS}
    assert scores["translation"] > 5 * scores["resolve"]
    assert scores["translation"] > 5 * scores["unsafe"]
    assert scores["resolve"] < scores["unsafe"]
    assert min(scores.values()) > base


@pytest.mark.parametrize("factor", [1e-2, 1e-6, 100.0])
def test_without_bet__is_the_same_however_often_we_come(case, factor):
    off = case[2]
    bet = off.bets[0]
    us = 1 - off.game.tree.seat(bet.node)
    reach = reach_to(off.game, off.strategy, bet.node)[us]
    expected = _without_bet(off, bet, reach)
    assert np.abs(expected).max() > 100  # chips
    np.testing.assert_allclose(_without_bet(off, bet, factor * reach), expected, atol=1e-9)


def test_answered__translation_between_two_sizes_mixes_them():
    """Half way by the mapping; the rows are those of the two sizes, and sum to one."""
    small = with_bets(0.5, 2)
    strategy = blueprint.solve(small, 0, 60, DCFR).strategy
    off = embedded(small, strategy, with_bets(0.5, 0.9, 2))
    result = answered(off, "translation", 1)
    bet = off.bets[0]
    share = _share_below(off.game, bet)
    assert share == pytest.approx((2 - 0.9) * 1.5 / (1.5 * 1.9), abs=0.02)  # chips are whole
    rows = [result[rows_of(off.game, x)] for x in (bet.child, bet.below, bet.above)]
    np.testing.assert_allclose(rows[0], share * rows[1] + (1 - share) * rows[2], atol=1e-12)
    assert np.abs(rows[1] - rows[2]).max() > 0.2


def test_answered__every_row_sums_to_one_where_hands_of_the_tree_are_over():
    """Three raises: after the bet there is one that neither size beside it leaves room for."""
    small = with_bets("A", raises=3, more=[1, "A"], stack=4000)
    off = embedded(
        small,
        blueprint.solve(small, 0, 5, DCFR).strategy,
        with_bets(0.3, "A", raises=3, more=[1, "A"], stack=4000),
    )
    result = answered(off, "translation", 1)
    for x in off.game.tree.decision_nodes():
        np.testing.assert_allclose(result[rows_of(off.game, int(x))].sum(axis=1), 1)


def test_answered__a_call_of_an_all_in_stays_a_call():
    """Beside the bet lie all-ins, which offer fold and call: no call of theirs becomes a raise."""
    small = with_bets("A")
    strategy = blueprint.solve(small, 0, 60, DCFR).strategy
    off = embedded(small, strategy, with_bets(1.5, "A"))
    bet = off.bets[0]
    result = answered(off, "translation", 1)
    own, twin = (result[rows_of(off.game, x)] for x in (bet.child, bet.above))
    assert own.shape[1] > twin.shape[1] == 2
    np.testing.assert_allclose(own[:, :2], twin)
    assert not own[:, 2:].any()


@pytest.mark.parametrize(
    ("sizes", "wanted"),
    [
        ([-1.0], "a bet above 0"),
        ([0.0], "a bet above 0"),
        ([float("nan")], "a bet above 0"),
        ([1.0], "the game has it"),
        ([0.3] * 40, "at most 14"),
    ],
)
def test_with_bets__refuses_in_one_line(sizes, wanted):
    with pytest.raises(UserError) as caught:
        SETTINGS.with_bets(sizes)
    assert wanted in str(caught.value)
    assert "\n" not in str(caught.value)


def test_with_bets__of_a_game_without_bets():
    with pytest.raises(UserError, match="no bet on the flop"):
        SETTINGS.model_copy(update={"flop": [[], ["A"]]}).with_bets([0.3])


def test_embedded__refuses_a_game_without_a_new_bet():
    small = with_bets(1.5, "A")
    strategy = np.zeros(small.layout.size)
    with pytest.raises(UserError, match="no bet that"):
        embedded(small, strategy, with_bets(1.5, "A"))
