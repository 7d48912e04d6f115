"""A bet that the blueprint's tree lacks: the game with it, and translation."""

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.cfr.layout import entries
from sixmax.cfr.methods import DCFR
from sixmax.studies.flop_games.off_tree import _share_below, embedded, translate, without_bets
from sixmax.studies.flop_games.subgames import reach_to
from sixmax.studies.libratus import blueprint
from studies.flop_games.small import SETTINGS, missing_bet, with_bets


def translated(off):
    """The strategy of ``off`` with translation, and its rows after the first bet and its twins."""
    strategy, bet = off.strategy.copy(), off.bets[0]
    translate(off, bet, strategy)
    return bet, [strategy[entries(off.game.tree, off.game.layout, x)] for x in bet[2:]]


def test_embedded__plays_as_before_and_never_bets_the_new_size():
    small, strategy, off = missing_bet()
    before, after = small.nash_conv(strategy), off.game.nash_conv(off.strategy)
    np.testing.assert_allclose(after.values, before.values)
    assert after.total > 3 * before.total  # uniform play after the bet
    assert off.bets
    for bet in off.bets:
        names = [off.game.tree.describe(x) for x in (bet.child, bet.below, bet.above)]
        assert bet.below == bet.above, names  # smaller than all others


def test_embedded__refuses_a_game_without_a_new_bet():
    small = with_bets(1.5, "A")
    with pytest.raises(UserError, match="no bet that"):
        embedded(small, np.zeros(small.layout.size), with_bets(1.5, "A"))


@pytest.mark.parametrize("factor", [1e-2, 1e-6, 100.0])
def test_without_bets__is_the_same_however_often_we_come(factor):
    _, _, off = missing_bet()
    bet = off.bets[0]
    reach = reach_to(off.game, off.strategy, bet.node)[1 - bet.seat]
    expected = without_bets(off, bet, reach)
    assert np.abs(expected).max() > 100  # chips
    np.testing.assert_allclose(without_bets(off, bet, factor * reach), expected, atol=1e-9)


def test_translate__between_two_sizes_mixes_them():
    """Half way by the mapping; the rows are those of the two sizes, and sum to one."""
    small = with_bets(0.5, 2)
    strategy = blueprint.solve(small, 0, 60, DCFR).strategy
    off = embedded(small, strategy, with_bets(0.5, 0.9, 2))
    bet, (own, below, above) = translated(off)
    share = _share_below(off.game, bet)
    assert share == pytest.approx((2 - 0.9) * 1.5 / (1.5 * 1.9), abs=0.02)  # chips are whole
    np.testing.assert_allclose(own, share * below + (1 - share) * above, atol=1e-12)
    assert np.abs(below - above).max() > 0.2


def test_translate__every_row_sums_to_one_where_hands_of_the_tree_are_over():
    """Three raises: after the bet there is one that neither size beside it leaves room for."""
    more = {"raises": 3, "more": [1, "A"], "stack": 4000}
    small = with_bets("A", **more)
    strategy = blueprint.solve(small, 0, 5, DCFR).strategy
    off = embedded(small, strategy, with_bets(0.3, "A", **more))
    result, game = off.strategy.copy(), off.game
    for bet in off.bets:
        translate(off, bet, result)
    for x in game.tree.decision_nodes():
        rows = result[entries(game.tree, game.layout, int(x))]
        np.testing.assert_allclose(rows.sum(axis=1), 1)


def test_translate__a_call_of_an_all_in_stays_a_call():
    """Beside the bet lie all-ins, which offer fold and call: no call of theirs becomes a raise."""
    small = with_bets("A")
    off = embedded(small, blueprint.solve(small, 0, 60, DCFR).strategy, with_bets(1.5, "A"))
    _, (own, _, twin) = translated(off)
    assert own.shape[1] > twin.shape[1] == 2
    np.testing.assert_allclose(own[:, :2], twin)
    assert not own[:, 2:].any()


@pytest.mark.parametrize(
    ("flop", "sizes", "wanted"),
    [
        (SETTINGS.flop, [-1.0], "a bet above 0"),
        (SETTINGS.flop, [0.0], "a bet above 0"),
        (SETTINGS.flop, [float("nan")], "a bet above 0"),
        (SETTINGS.flop, [1.0], "the game has it"),
        (SETTINGS.flop, [0.3] * 40, "at most 14"),
        ([[], ["A"]], [0.3], "no bet on the flop"),
    ],
)
def test_with_bets__refuses_in_one_line(flop, sizes, wanted):
    with pytest.raises(UserError) as caught:
        SETTINGS.model_copy(update={"flop": flop}).with_bets(sizes)
    assert wanted in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("size", [0.2, 4.5, 50])
def test_opening__refuses_what_is_no_raise(size):
    with pytest.raises(UserError, match="wanted 200 to 999"):
        SETTINGS.opening(size)
