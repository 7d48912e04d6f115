"""Kuhn and Leduc: a strategy goes to OpenSpiel and comes back, and both judge it alike."""

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed")

import pyspiel

from cfr.games import small
from oracles.judges import openspiel
from sixmax.agents.openspiel.bot import play
from sixmax.agents.openspiel.small_games import StrategyBot, strategy_of
from sixmax.base.errors import UserError
from sixmax.cfr.full.best_response import nash_conv
from sixmax.cfr.policy import shares, uniform
from sixmax.scores.statistics import Sums, interval

GAMES = [("kuhn", 2), ("kuhn", 3), ("leduc", 2)]


def drawn(name, seats):
    tree, dealer, layout, _ = small(name, seats)
    strategy = shares(tree, layout, np.random.default_rng(9).random(layout.size) ** 3)
    return tree, dealer, layout, strategy, openspiel.load(name, seats)


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_strategy__there_and_back_is_the_same(name, seats):
    """The way there is judged by the oracle's own mapping, over every information state."""
    tree, _, layout, strategy, game = drawn(name, seats)
    bots = [StrategyBot(tree, layout, strategy, game, k) for k in range(seats)]
    _, policy = openspiel.policy(name, tree, layout, strategy)
    asked = set()

    def walk(state):
        if state.is_terminal():
            return
        if not state.is_chance_node() and (key := state.information_state_string()) not in asked:
            asked.add(key)
            actual = dict(bots[state.current_player()].get_policy(state))
            expected = policy.action_probabilities(state)
            assert actual == pytest.approx(expected)
        for action in state.legal_actions():
            walk(state.child(action))

    walk(game.new_initial_state())
    back = strategy_of(bots, tree, layout, game)
    reached = back > 0
    np.testing.assert_allclose(back[reached], strategy[reached])
    assert len(asked) == {"kuhn": {2: 12, 3: 48}, "leduc": {2: 936}}[name][seats]


def test_strategy_of__openspiels_random_bot_is_our_uniform_strategy():
    """Known: NashConv 4.7472222, by OpenSpiel."""
    tree, dealer, layout, _, game = drawn("leduc", 2)
    bots = [pyspiel.make_uniform_random_bot(k, 1) for k in range(2)]
    actual = strategy_of(bots, tree, layout, game)
    assert nash_conv(tree, layout, dealer.deals, actual).total == pytest.approx(4.7472222, abs=1e-6)
    expected = uniform(tree, layout)
    np.testing.assert_allclose(actual[actual > 0], expected[actual > 0])


def test_play__leduc_at_openspiels_table_wins_what_our_sweeps_say():
    tree, dealer, layout, strategy, game = drawn("leduc", 2)
    mixed = strategy_of(
        [StrategyBot(tree, layout, strategy, game, 0), pyspiel.make_uniform_random_bot(1, 1)],
        tree, layout, game,
    )  # fmt: skip
    expected = nash_conv(tree, layout, dealer.deals, mixed).values[0]
    bots = [StrategyBot(tree, layout, strategy, game, 0), pyspiel.make_uniform_random_bot(1, 1)]
    won = play(game, bots, 4000, 1)[:, 0]
    sums = Sums.of(won)
    low, high = interval(sums)
    assert high - low < 0.5
    assert abs(won.mean() - expected) < 3 * sums.standard_error


def test_strategy_bot__another_game_is_refused():
    tree, _, layout, strategy, _ = drawn("leduc", 2)
    for other in ("kuhn_poker", "tic_tac_toe", "leduc_poker(players=3)"):
        with pytest.raises(UserError, match="wanted leduc_poker for 2 players"):
            StrategyBot(tree, layout, strategy, pyspiel.load_game(other), 0)
