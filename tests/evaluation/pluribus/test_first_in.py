"""First-in play by hand, and totals of preflop play against every deal one by one."""

import numpy as np
import pytest

from evaluation.small_games import drawn, random_policy
from oracles import evaluation as oracle
from oracles.continuation import infosets
from sixmax.betting.config import GameConfig, RoundSizes, positions
from sixmax.evaluation import ranges
from sixmax.evaluation.pluribus import first_in
from sixmax.evaluation.pluribus.decisions import GAME


def blinds_game(seats, classes, max_raises=2):
    """Blinds 50 and 100, two raise sizes, one round; ``classes`` hands."""
    config = GameConfig(
        stacks=[1500] * seats,
        blinds=[50, 100, *[0] * (seats - 2)],
        antes=[0] * seats,
        first=[2 % seats],
        rounds=[RoundSizes(sizes=[[0.5, "A"]], max_raises=max_raises, max_players=seats)],
    )
    return drawn(config, 1, 50, classes, 9)


@pytest.fixture(scope="module")
def six():
    return blinds_game(6, 4, max_raises=1)


def test_first_in__who_and_in_which_order(six):
    spots = ranges.first_in(six, np.zeros(six.layout.size, np.uint8))
    names = [positions(6, 2)[s.seat] for s in spots]
    assert names == ["UTG", "HJ", "CO", "BTN", "SB"]
    assert set(first_in.PLURIBUS_RAISE) == set(first_in.PLURIBUS_LIMP) == set(names)
    for spot in spots:
        assert spot.action[:2].tolist() == [-1, 0]
        assert not spot.trained.any()
        np.testing.assert_allclose(spot.strategy, 1 / spot.action.size)


def test_first_in__frequencies_weighted_by_class(six):
    policy = np.zeros(six.layout.size, np.uint8)
    root = six.layout.base[0, 2] + six.tree.node[0, 2]
    step = six.layout.columns[0, 2]
    policy[root : root + 4] = [255, 0, 0, 0]  # class 0 folds
    policy[root + step : root + step + 4] = [0, 255, 0, 0]  # class 1 limps
    policy[root + 2 * step : root + 2 * step + 4] = [0, 0, 153, 102]  # class 2 raises
    result = first_in.record(six, policy, np.array([6, 4, 12, 18]), True)
    spot = result["first_in"][0]  # the last class was never trained: uniform
    assert spot["fold"] == pytest.approx(100 * (6 + 18 / 4) / 40)
    assert spot["limp"] == pytest.approx(100 * (4 + 18 / 4) / 40)
    assert spot["raise"] == pytest.approx(100 * (12 + 18 / 2) / 40)
    assert spot["raise_sizes"] == pytest.approx([100 * (7.2 + 4.5) / 40, 100 * (4.8 + 4.5) / 40])
    assert spot["trained"] == pytest.approx(100 * 22 / 40)
    assert spot["classes"]["raise"] == [0.0, 0.0, 100.0, 50.0]
    assert spot["pluribus"] == {"limp": 0.1, "raise": 18.3}
    assert spot["raise_to_chips"] == [225, 1500]


def test_first_in__without_blinds_nobody_can_fold_first(kuhn3):
    assert ranges.first_in(kuhn3, np.zeros(kuhn3.layout.size, np.uint8)) == []


@pytest.mark.parametrize("seats", [2, 3])
def test_totals__against_every_deal_one_by_one(seats):
    game = blinds_game(seats, 3)
    policy, weight = random_policy(game, 7), np.array([6.0, 4.0, 12.0])
    actual = first_in.totals(game.tree, game.layout, policy, weight)
    agent = oracle.policy_agent(game.tree, game.layout, policy)
    vpip, pfr, three_bet, defends = oracle.preflop_totals(game.tree, agent, weight)
    np.testing.assert_allclose(actual.vpip, vpip, rtol=1e-9)
    np.testing.assert_allclose(actual.pfr, pfr, rtol=1e-9)
    assert actual.three_bet == pytest.approx(three_bet)
    assert actual.bb_defends == pytest.approx(defends)


def test_totals__a_situation_that_never_comes_up_is_no_number():
    game = blinds_game(3, 2)
    policy = np.zeros(game.layout.size, np.uint8)
    for *_, at, kinds in infosets(game.tree, game.layout):
        policy[at + kinds.index(0)] = 255  # everybody calls
    whole = first_in.totals(game.tree, game.layout, policy, np.ones(2))
    np.testing.assert_allclose(whole.vpip, [1, 0, 1])  # the big blind checks
    np.testing.assert_allclose(whole.pfr, 0)
    assert np.isnan(whole.three_bet)
    assert first_in.record(game, policy, np.ones(2), False)["totals"]["three_bet"] is None


SIX = GAME.model_dump()
OTHERS = {
    "straddle": {"blinds": [50, 100, 200, 0, 0, 0]},
    "small blind of a third": {"blinds": [50, 150, 0, 0, 0, 0], "stacks": [15_000] * 6},
    "no small blind": {"blinds": [0, 100, 0, 0, 0, 0]},
    "blinds at other seats": {"blinds": [0, 50, 100, 0, 0, 0], "first": [3, 1, 1, 1]},
    "antes": {"antes": [10] * 6},
    "50 big blinds": {"stacks": [5_000] * 6},
    "one short stack": {"stacks": [5_000] + [10_000] * 5},
    "five seats": {"stacks": [10_000] * 5, "blinds": [50, 100, 0, 0, 0], "antes": [0] * 5},
    "two rounds": {"first": [2, 0], "rounds": SIX["rounds"][:2]},
}


def test_like_pluribus__its_own_game_in_any_unit():
    assert first_in.like_pluribus(GameConfig(**SIX), 13)
    assert not first_in.like_pluribus(GameConfig(**SIX), 9)
    unit = {"stacks": [200] * 6, "blinds": [1, 2, 0, 0, 0, 0]}
    assert first_in.like_pluribus(GameConfig(**{**SIX, **unit}), 13)


@pytest.mark.parametrize("change", OTHERS.values(), ids=OTHERS)
def test_like_pluribus__no_other_game(change):
    assert not first_in.like_pluribus(GameConfig(**{**SIX, **change}), 13)
