"""The smallest game in which one value at a leaf is not enough, and several are."""

import numpy as np
import pytest

from sixmax.betting.tree import kind_of, seat_of
from sixmax.cfr.full.solve import solve_field
from sixmax.cfr.methods import CFR_PLUS
from sixmax.games.rock_paper_scissors import EQUILIBRIUM, PAYOFF, exploitability, rps
from sixmax.studies.validate.small_search import searched_rps


def test_rps__solved_in_full_is_its_equilibrium():
    game = rps()
    actual = solve_field(game.field, game.tree, game.layout, 2000, CFR_PLUS)[2000].average
    assert actual.reshape(2, 3) == pytest.approx(np.tile(EQUILIBRIUM, (2, 1)), abs=2e-3)
    assert exploitability(EQUILIBRIUM) == pytest.approx(0)
    assert exploitability(np.full(3, 1 / 3)) == pytest.approx(1 / 3)  # untrained: by rock


def test_search__one_value_at_the_leaf_knows_nothing():
    """Against a blueprint in equilibrium all three are worth 0, so nothing is ever learned."""
    actual = searched_rps(1, 2000)
    assert actual.game.payoff == pytest.approx(0)
    assert exploitability(actual.strategies.average[:3]) == pytest.approx(1 / 3)


def test_search__four_values_at_the_leaf_find_the_equilibrium():
    actual = searched_rps(4, 2000)
    assert actual.strategies.average[:3] == pytest.approx(EQUILIBRIUM, abs=5e-3)
    assert exploitability(actual.strategies.average[:3]) < 0.02 < 1 / 3


def test_search__a_lean_that_is_missing_leaves_a_hole():
    """Nobody may lean to scissors: paper seems safe, and scissors win against it."""
    for choices in (2, 3):
        assert exploitability(searched_rps(choices, 2000).strategies.average[:3]) > 1


def test_search__the_leaf_is_worth_what_the_continuation_wins():
    """Leaning to rock: (10, 2, 1) / 13."""
    result = searched_rps(4, 2000)
    lean = np.array([10, 2, 1]) / 13
    at = [x for x, c in enumerate(result.cut.chosen.tolist()) if c == [0, 1]]
    actual = {int(result.cut.origin[x]): result.game.payoff[0, x, 0] for x in at}
    assert list(actual) == [1, 2, 3]
    assert list(actual.values()) == pytest.approx(PAYOFF @ lean)


def test_search__the_second_player_does_not_see_what_it_may_not():
    actual = searched_rps(4, 2000)
    result = actual.cut.tree
    chooses = (kind_of(result.node[:, 0]) == 0) & (seat_of(result.node[:, 0]) == 1)
    assert chooses.sum() == 12  # three actions of the first player, four continuations of it
    assert len(set(result.node[chooses, 2].tolist())) == 1
