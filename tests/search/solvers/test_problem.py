"""The results of every solver beside strategies: the value of each hand of both players."""

import numpy as np
import pytest

from oracles.search import hand_values
from search.holdem import HOLES, RANKS, RIVER, SEARCH, every_deal, flop, problem, river, subgame
from search.solvers.small_games import leduc
from sixmax.cards.deck import hole_cards, hole_id
from sixmax.cfr.full.solve import solve
from sixmax.cfr.full.sweep import nash_conv
from sixmax.cfr.methods import LINEAR
from sixmax.cfr.policy import uniform
from sixmax.search.solvers import exact_small
from sixmax.search.solvers.problem import Alternative, FrozenRow
from sixmax.search.solvers.ranges import solver as ranges
from sixmax.search.solvers.sampled import Effort, solve_for


@pytest.mark.usefixtures("one_thread")
def test_values__by_ranges_are_exact():
    """Every deal of a river, unequal beliefs, a frozen row: hands of no belief have values too."""
    game, beliefs = river(), np.random.default_rng(3).random((2, HOLES)) ** 2
    beliefs[0, :30] = 0
    frozen = [FrozenRow(0, hole_id(20, 21), np.array([0.1, 0.9]))]
    solution = ranges.solve(problem(game, beliefs=beliefs, frozen=frozen), SEARCH)
    expected = hand_values(game.tree, game.layout, every_deal(RIVER), beliefs, solution.average)
    free = ~np.isin(hole_cards(RANKS), RIVER).any(axis=1)
    assert np.isnan(solution.values[:, ~free]).all()
    np.testing.assert_allclose(solution.values[:, free], expected[:, free], atol=0.01)
    assert np.abs(expected[:, free]).max() > 100


@pytest.mark.usefixtures("one_thread")
def test_values__by_samples_come_near_the_exact_ones():
    """In chips, of a pot of 200; NaN for hands of no belief. Mean error of a hand: 6."""
    game, beliefs = river(), np.random.default_rng(3).random((2, HOLES)) ** 2
    beliefs[0, :30] = 0
    solution = solve_for(problem(game, beliefs=beliefs), Effort(2000, batch=50))
    expected = hand_values(game.tree, game.layout, every_deal(RIVER), beliefs, solution.average)
    actual = solution.values
    assert actual is solution.values, "computed once"
    assert np.isnan(actual[0, :30]).all()
    met = np.isfinite(actual)
    assert met.sum() > 200
    off = np.where(met, actual - expected, 0)
    assert np.average(np.abs(off), weights=beliefs * met) < 12
    assert np.abs(np.average(off, weights=beliefs * met, axis=1)).max() < 2


@pytest.mark.usefixtures("one_thread")
def test_values__with_leaves_sum_to_zero_and_are_none_of_who_has_folded():
    """Three players on the flop; each deal hands out all of the pot, so three known hands do."""
    beliefs = np.zeros((3, HOLES))
    holes = hole_id(2, 6), hole_id(3, 7), hole_id(10, 11)
    for seat, hole in enumerate(holes):
        beliefs[seat, hole] = 1
    values = solve_for(problem(flop(), beliefs=beliefs), Effort(200)).values
    assert np.isfinite(values).sum() == 3
    assert sum(values[seat, hole] for seat, hole in enumerate(holes)) == pytest.approx(0)
    assert max(abs(values[seat, hole]) for seat, hole in enumerate(holes)) > 20
    values = solve_for(problem(subgame(3, RIVER[:3], [-1, 0, 0])), Effort(200)).values
    assert np.isnan(values).all(axis=1).tolist() == [False, False, True]


def test_values__of_a_small_game_add_up_to_that_of_the_game():
    """Leduc poker solved from the start: cards are equally likely, and a king is worth most."""
    small = leduc()
    plan = exact_small.Plan(iterations=50, rounds=2)
    blueprint = uniform(small.tree, small.layout)
    game_search = exact_small.Search(small.tree, small.layout, small.game, blueprint, plan)
    actual = game_search.search(0, small.game.chance).solution.values
    whole = solve(small.tree, small.layout, small.deals, 50, LINEAR)[50]
    expected = nash_conv(small.tree, small.layout, small.deals, whole).values
    assert actual.shape == (2, 3)
    np.testing.assert_allclose(actual.mean(axis=1), expected, atol=1e-9)
    assert (np.diff(actual) > 0.2).all()


def test_solve__by_samples_refuses_to_be_safe_and_knows_the_root_alone():
    safe = problem(river())._replace(alternative=Alternative(0, np.zeros(HOLES)))
    with pytest.raises(ValueError, match="found an alternative, wanted None"):
        solve_for(safe, Effort(100))
    solution = solve_for(problem(river()), Effort(100))
    for node, best in ((1, False), (0, True)):
        with pytest.raises(ValueError, match="this solver has the root's values alone"):
            solution.values_at(node, best)
