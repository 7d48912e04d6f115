"""Our players and strategies at OpenSpiel's table, which judges them alike."""

import numpy as np
import pytest

pytest.importorskip("pyspiel", reason="open_spiel is not installed")

import pyspiel

from cfr.games import random_strategy, small
from evaluation.seated import Wild, players, searchers
from oracles.judges import openspiel as judge
from search.holdem import RANKS, small_run
from sixmax.agents.openspiel.bot import SixmaxBot, StrategyBot, play, strategy_of
from sixmax.agents.openspiel.holdem import load
from sixmax.base.errors import UserError
from sixmax.cfr.full.sweep import nash_conv
from sixmax.cfr.policy import uniform
from sixmax.hands.record import shift, turned_rules
from sixmax.scores.statistics import Sums, interval


class Recording(Wild):
    """Plays wildly, and keeps what it is told."""

    def __init__(self):
        self.heard = []

    def begin(self, number, seat, hole, game, seed):
        super().begin(number, seat, hole, game, seed)
        self.heard.append([("seat", seat), ("hole", *map(int, hole))])

    def deal(self, cards):
        self.heard[-1].append(("board", *map(int, cards)))

    def see(self, action):
        super().see(action)
        self.heard[-1].append(action)


def table(seats, **changes):
    """The small run, and its game as OpenSpiel has it, seats as the ACPC counts them."""
    run, _ = small_run(seats)
    game = load(turned_rules(run.game, shift(run.game)), RANKS)
    if changes:
        game = pyspiel.load_game("universal_poker", {**game.get_parameters(), **changes})
    return run, game


@pytest.mark.parametrize("seats", [2, 3])
def test_bot__hears_the_hand_as_it_was_played(seats):
    """Seats, cards and actions, against those of OpenSpiel's own history."""
    run, game = table(seats)
    own = [Recording() for _ in range(seats)]
    bots = [SixmaxBot(one, run, game, k, seed=k) for k, one in enumerate(own)]
    histories = []

    class Watched:
        def __init__(self, game):
            self._game = game

        def __getattr__(self, name):
            return getattr(self._game, name)

        def new_initial_state(self):
            histories.append(self._game.new_initial_state())
            return histories[-1]

    won = play(Watched(game), bots, 30, 1)
    np.testing.assert_allclose(won.sum(axis=1), 0, atol=1e-9)
    assert np.abs(won).max() > 200
    for k, one in enumerate(own):
        heard = iter(one.heard)
        for state in histories:
            steps = state.full_history()
            if not any(step.player == k for step in steps):
                continue  # it was never asked: walked over in the big blind
            (_, seat), (_, *hole), *events = next(heard)
            assert seat == (k + shift(run.game)) % seats
            assert hole == state.history()[2 * k : 2 * k + 2]
            expected = [s.action for s in steps if s.player >= 0]
            actions = [e for e in events if not isinstance(e, tuple)]
            words = {-1: 0, 0: 1}
            actual = [words.get(a, a) for a in actions]
            assert actual == expected[: len(actual)], "and no more than it could see"
            board = [c for e in events if isinstance(e, tuple) for c in e[1:]]
            dealt = [s.action for s in steps[2 * seats :] if s.player < 0]
            assert board == dealt[: len(board)]


@pytest.mark.parametrize("seats", [2, 3])
def test_bot__the_blueprint_plays_at_any_betting_abstraction(seats):
    for abstraction in ("fullgame", "fcpa", "fchpa"):
        run, game = table(seats, bettingAbstraction=abstraction)
        _, (blueprint, *_) = players(seats, ["blueprint"])
        bots = [SixmaxBot(blueprint, run, game, 0)]
        bots += [pyspiel.make_uniform_random_bot(k, k) for k in range(1, seats)]
        won = play(game, bots, 40, 2)
        low, high = interval(Sums.of(won[:, 0]))
        assert low < won[:, 0].mean() < high
        assert np.abs(won[:, 0]).max() >= 100


def test_bot__plays_by_search_and_is_repeatable():
    run, game = table(2)
    results = []
    for _ in range(2):
        _, once, (searcher, _) = searchers(2)
        bots = [SixmaxBot(searcher, run, game, 0, seed=3), SixmaxBot(Wild(), run, game, 1)]
        results.append(play(game, bots, 8, 2))
        assert once.searches > 0
    np.testing.assert_array_equal(*results)


def test_bot__openspiel_can_evaluate_it():
    run, game = table(3)
    bots = [SixmaxBot(Wild(), run, game, k) for k in range(3)]
    returns = [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed) for seed in range(20)]
    assert all(abs(sum(net)) < 1e-9 for net in returns)
    assert len({tuple(net) for net in returns}) > 10


def test_bot__another_game_is_refused():
    run, _ = table(2)
    other = run.game.model_copy(update={"blinds": [25, 50]})
    with pytest.raises(UserError, match=r"has blinds \[25, 50\]"):
        SixmaxBot(Wild(), run, load(other, RANKS), 0)
    with pytest.raises(UserError, match="13 ranks, wanted the run's 6"):
        SixmaxBot(Wild(), run, load(run.game, 13), 0)


GAMES = [("kuhn", 2), ("kuhn", 3), ("leduc", 2)]


def drawn(name, seats):
    tree, dealer, layout, _ = small(name, seats)
    strategy = random_strategy(tree, layout, 9)
    return tree, dealer, layout, strategy, judge.load(name, seats)


@pytest.mark.parametrize(("name", "seats"), GAMES)
def test_strategy__there_and_back_is_the_same(name, seats):
    """The way there is judged by the oracle's own mapping, over every information state."""
    tree, _, layout, strategy, game = drawn(name, seats)
    bots = [StrategyBot(tree, layout, strategy, game, k) for k in range(seats)]
    _, policy = judge.policy(name, tree, layout, strategy)
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


class Listener(pyspiel.Bot):
    """Takes the first action, and keeps those that it is told of."""

    def __init__(self):
        super().__init__()
        self.told = []

    def step(self, state):
        return state.legal_actions()[0]

    def inform_action(self, state, player, action):
        self.told.append((player, action))


def test_play__tells_each_bot_the_actions_of_the_others():
    bots = [Listener(), Listener()]
    play(pyspiel.load_game("kuhn_poker"), bots, 3, 1)  # both pass
    assert [bot.told for bot in bots] == [[(1, 0)] * 3, [(0, 0)] * 3]


def test_strategy_bot__another_game_is_refused():
    tree, _, layout, strategy, _ = drawn("leduc", 2)
    for other in ("kuhn_poker", "tic_tac_toe", "leduc_poker(players=3)"):
        with pytest.raises(UserError, match="wanted leduc_poker for 2 players"):
            StrategyBot(tree, layout, strategy, pyspiel.load_game(other), 0)
