import numpy as np
import pytest

from oracles import evaluation as oracle
from sixmax.agents.rule import context, rule_book, rule_policy, sampled_strength
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.betting.tree import is_decision, n_actions, round_of
from sixmax.betting.tree_build import build
from sixmax.cfr.deals import Deals, TableDealer
from sixmax.cfr.layout import layout
from sixmax.games import GAMES
from sixmax.ongoing.policies import act, match_game


@pytest.fixture(scope="module")
def six():
    """Six seats, 100 bucket preflop of equal weight, bucket 0 the strongest."""
    rounds = [
        RoundSizes(sizes=[[0.5, "A"]], max_raises=2, max_players=6),
        RoundSizes(sizes=[[0.5, 0.75, "A"]], max_raises=2, max_players=2),
    ]
    config = GameConfig(
        stacks=[10000] * 6, blinds=[50, 100, 0, 0, 0, 0], antes=[0] * 6, first=[2, 0], rounds=rounds
    )
    strength = np.tile(np.linspace(0.99, 0.01, 100), (2, 1))
    return config, *opened(config, strength)


def opened(config, strength):
    """The game, and the bot's policy in it."""
    tree = build(config)
    game = match_game(tree, layout(tree, np.full(len(config.rounds), strength.shape[1])))
    return game, rule_policy(config, game, strength, np.ones(strength.shape[1]))


def child(tree, x, *actions):
    """The node after ``actions``: "f", "c", "r" for the first raise or "R" for the last."""
    for a in actions:
        n = n_actions(int(tree.node[x, 0]))
        kinds = np.sign(tree.action[tree.node[x, 1] : tree.node[x, 1] + n]).tolist()
        at = {"f": 0, "c": kinds.index(0), "r": kinds.index(1) if 1 in kinds else -1, "R": n - 1}
        x = int(tree.node[x, 1]) + at[a]
    return x


def does(six, x, bucket):
    """The action of the bot: -1, 0, or raise-to in chips."""
    _, game, policy = six
    tree = game.tree
    return int(tree.action[tree.node[x, 1] + act(policy, game, x, bucket, 0.0)])


@pytest.mark.parametrize("name", ["kuhn3", "leduc3", "uneven"])
def test_context__every_node_from_its_own_path(name, request):
    game = request.getfixturevalue(name)
    actual = context(game.config, game.tree)
    expected = oracle.context(game.config, game.tree)
    assert len(expected) == is_decision(game.tree.node[:, 0]).sum()
    for x, row in expected.items():
        assert tuple(actual[x].tolist()) == row


def test_rule_policy__opens_more_hands_the_later_its_seat(six):
    tree = six[1].tree
    raisers = []
    for folds in range(5):  # UTG HJ CO BTN SB
        x = child(tree, 0, *"f" * folds)
        actions = [does(six, x, b) for b in range(100)]
        assert set(actions) == {-1, 225 if folds < 4 else 200}
        raisers.append(sum(a > 0 for a in actions))
    assert raisers == [15, 19, 26, 40, 35]


def test_rule_policy__against_a_raise_it_reraises_calls_or_folds_by_strength(six):
    x = child(six[1].tree, 0, "r")
    actions = [does(six, x, b) for b in range(100)]
    assert all(a > 0 for a in actions[:5])
    assert actions[5:16] == [0] * 11
    assert actions[16:] == [-1] * 84


def test_rule_policy__big_blind_defends_wider_and_checks_for_free(six):
    facing = child(six[1].tree, 0, *"ffff", "r")
    assert sum(does(six, facing, b) >= 0 for b in range(100)) == 30
    option = child(six[1].tree, 0, *"ffff", "c")
    assert [does(six, option, b) for b in (50, 99)] == [0, 0]


def test_rule_policy__after_the_flop(six):
    flop = child(six[1].tree, 0, *"ffff", "c", "c")  # blinds only: pot 200
    assert round_of(six[1].tree.node[flop, 0]) == 1
    strong, weak = 10, 60
    assert does(six, flop, strong) == 100 + 150  # three quarters of the pot
    assert does(six, flop, weak) == 0
    facing = child(six[1].tree, flop, "r")  # half the pot: odds of 1 to 4, and caution
    assert does(six, facing, 0) > 0
    assert does(six, facing, 50) == 0
    assert does(six, facing, 75) == -1


def test_rule_policy__more_opponents_want_a_stronger_hand():
    rounds = [RoundSizes(sizes=[["1 chips"]], max_raises=1, max_players=3)] * 2
    bets = []
    for seats in (2, 3):
        config = GameConfig(
            stacks=[9] * seats, blinds=[0] * seats, antes=[1] * seats, first=[0, 0], rounds=rounds
        )
        game, policy = opened(config, np.tile(np.linspace(0.99, 0.01, 100), (2, 1)))
        x = child(game.tree, 0, *"c" * seats)
        bets.append(sum(act(policy, game, x, b, 0.0) == 1 for b in range(100)))
    # above 1.25 of an equal share: .625 alone, the root of 1.25 / 3 against two
    assert bets == [37, 35]


def test_rule_policy__nodes_and_buckets_as_the_rules_say(six):
    config, game, policy = six
    strength = np.tile(np.linspace(0.99, 0.01, 100), (2, 1))
    better = rule_book(config, game.tree, strength, np.ones(100)).better
    random = np.random.default_rng(1)
    decisions = game.tree.decision_nodes()
    nodes = random.choice(decisions, 1000, replace=False).tolist()
    seen = oracle.context(config, game.tree, nodes)
    for x in nodes:
        for b in random.choice(100, 10, replace=False).tolist():
            expected = oracle.rule_action(config, game.tree, strength, better, x, b, seen[x])
            assert act(policy, game, x, b, 0.0) == expected


def test_sampled_strength__kuhn():
    """Three players, cards 0-3: card c beats a random other with probability c / 3."""
    actual = sampled_strength(TableDealer(Deals(*GAMES["kuhn"].deals(3))), 1)
    np.testing.assert_allclose(actual, [[0, 1 / 3, 2 / 3, 1]], atol=0.01)


def test_sampled_strength__ties_count_half():
    deals = Deals(np.zeros((1, 2, 1), np.int32), np.zeros((1, 1, 2), np.int32))
    assert sampled_strength(TableDealer(deals), 1).tolist() == [[0.5]]
