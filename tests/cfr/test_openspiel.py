"""Our strategies in OpenSpiel's games: its judgement must be ours."""

import pytest

pytest.importorskip("pyspiel")

from cfr.games import PLAIN, random_strategy, small
from oracles.judges import openspiel
from sixmax.cfr.full.solve import solve
from sixmax.cfr.full.sweep import nash_conv
from sixmax.cfr.policy import shares, uniform

pytestmark = pytest.mark.usefixtures("one_thread")
GAMES = [("kuhn", 2), ("kuhn", 3), ("leduc", 2)]


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_openspiel__values_and_nash_conv_of_any_strategy(name, seats):
    tree, dealer, layout, _ = small(name, seats)
    strategies = [random_strategy(tree, layout, 9), solve(tree, layout, dealer.deals, 30)[30]]
    for strategy in strategies:
        actual = nash_conv(tree, layout, dealer.deals, strategy)
        game, policy = openspiel.policy(name, tree, layout, strategy)
        assert actual.total == pytest.approx(openspiel.nash_conv(game, policy), abs=1e-9)
        assert actual.values == pytest.approx(openspiel.values(game, policy), abs=1e-9)


@pytest.mark.parametrize(("name", "seats", "bound"), [("kuhn", 3, 0.05), ("leduc", 2, 0.3)])
def test_openspiel__agrees_that_sampled_training_converges(name, seats, bound):
    """Untrained: 2.0625 and 4.747."""
    game = small(name, seats)
    game = game.counting(len(game.tree.columns))
    game.train(PLAIN._replace(batch=10), 1, 50_000, 3)
    strategy = shares(game.tree, game.layout, game.table.count)
    expected = openspiel.nash_conv(*openspiel.policy(name, game.tree, game.layout, strategy))
    assert expected < bound
    assert game.nash_conv(game.table.count).total == pytest.approx(expected, abs=1e-9)


def test_openspiel__leduc_for_three():
    """Values in seconds; its NashConv of the uniform strategy, 12.611221340388, took it 95 s."""
    tree, dealer, layout, _ = small("leduc", 3)
    actual = nash_conv(tree, layout, dealer.deals, uniform(tree, layout))
    assert actual.total == pytest.approx(12.611221340388, abs=1e-11)
    strategy = random_strategy(tree, layout, 9)
    actual = nash_conv(tree, layout, dealer.deals, strategy)
    game, policy = openspiel.policy("leduc", tree, layout, strategy)
    assert actual.values == pytest.approx(openspiel.values(game, policy), abs=1e-9)


@pytest.mark.slow
def test_openspiel__leduc_for_three_converges():
    """Two minutes of OpenSpiel's. Untrained: 12.611."""
    tree, dealer, layout, _ = small("leduc", 3)
    strategy = solve(tree, layout, dealer.deals, 100)[100]
    expected = openspiel.nash_conv(*openspiel.policy("leduc", tree, layout, strategy))
    actual = nash_conv(tree, layout, dealer.deals, strategy).total
    assert actual == pytest.approx(expected, abs=1e-9)
    assert actual < 0.1
