"""Full-width CFR against the numbers that the world knows."""

import numpy as np
import pytest

from cfr.games import small
from sixmax.cfr.full.solve import solve, solve_field
from sixmax.cfr.full.sweep import field, nash_conv
from sixmax.cfr.methods import CFR, CFR_PLUS, DCFR, METHODS
from sixmax.cfr.policy import uniform
from sixmax.games import GAMES
from sixmax.games.game import around

# OpenSpiel 2.0.2, alternating updates, to the digits printed. Late in Leduc the order of the deals
# decides, by rounding alone. In ten orders: CFR+ .000233 to .000259, Linear .0119 to .0197 and
# .0049 to .0075, DCFR .007754 to .007759, .00096 to .00121 and .00014 to .00021.
# Untrained: Kuhn .4583, Leduc 2.374, Kuhn for three 2.0625.
PRINTED = [
    (name, seats, method, table)
    for name in ("kuhn", "leduc")
    for seats, known in GAMES[name].known.items()
    for method, table in known.printed.items()
]


@pytest.mark.parametrize(("name", "seats", "method", "table"), PRINTED)
def test_solve__scores_what_openspiel_scores(name, seats, method, table):
    """Exploitability (NashConv / 2) for two players, NashConv for three."""
    game = small(name, seats)
    solved = solve(game.tree, game.layout, game.dealer.deals, max(table), METHODS[method], table)
    assert list(solved) == list(table)
    for t, printed in table.items():
        actual = game.nash_conv(solved[t]).total / (2 if seats == 2 else 1)
        low, high = around(printed)
        assert low <= actual <= high, t


def test_solve__leduc_reaches_its_value():
    """-0.085606424078 to the first player (linear programme); uniform: -0.078."""
    tree, dealer, layout, _ = small("leduc", 2)
    actual = solve(tree, layout, dealer.deals, 2000, CFR_PLUS)[2000]
    result = nash_conv(tree, layout, dealer.deals, actual)
    assert result.total < 3e-4
    # A player who wins at most g more by a best response is within g of the value of the game.
    assert result.values[0] == pytest.approx(-0.085606424078, abs=result.gains.max())


def test_solve__stops_are_those_of_a_shorter_run():
    tree, dealer, layout, _ = small("leduc", 2)
    long = solve(tree, layout, dealer.deals, 20, DCFR, [20, 5, 5])
    assert list(long) == [5, 20]
    assert np.array_equal(long[5], solve(tree, layout, dealer.deals, 5, DCFR)[5])


def test_solve__the_first_iteration_averages_the_uniform_strategy():
    tree, dealer, layout, _ = small("kuhn", 3)
    first = solve(tree, layout, dealer.deals, 1)[1]
    # Each averages before it moves for the first time, though the others may have moved by then.
    assert np.array_equal(first, uniform(tree, layout))


@pytest.mark.parametrize("at", [[0], [11]])
def test_solve__refuses_iterations_that_are_not_there(at):
    tree, dealer, layout, _ = small("kuhn", 2)
    with pytest.raises(ValueError, match="wanted numbers from 1 to 10"):
        solve(tree, layout, dealer.deals, 10, CFR, at)


def test_solve_field__what_is_frozen_stays_and_the_others_answer_it():
    """Kuhn, the first player uniform: a player who answers wins as much as a best response."""
    tree, dealer, layout, _ = small("kuhn", 2)
    frozen = np.full(layout.size, np.nan)
    end = layout.base[0, 0] + layout.columns[0, 0] * layout.buckets[0]
    frozen[layout.base[0, 0] : end] = 0.5
    game = field(tree, layout, dealer.deals)
    actual = solve_field(game, tree, layout, 500, CFR_PLUS, (), frozen)[500]
    for strategy in actual:
        assert np.array_equal(strategy[layout.base[0, 0] : end], frozen[layout.base[0, 0] : end])
    uniformly = nash_conv(tree, layout, dealer.deals, uniform(tree, layout))
    expected = uniformly.values[1] + uniformly.gains[1]
    assert nash_conv(tree, layout, dealer.deals, actual.average).values[1] == pytest.approx(
        expected, abs=1e-3
    )
    assert expected > 0.4 > -1 / 18
