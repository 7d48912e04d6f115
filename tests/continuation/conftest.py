import numpy as np
import pytest

from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.betting.tree_build import build
from sixmax.cfr.layout import layout


@pytest.fixture(scope="session")
def game():
    """A tree with nodes of 1 to 5 actions, three seats and two rounds; its layout; a policy in
    which one infoset in ten was never trained."""
    rounds = [
        RoundSizes(sizes=[[0.5, 1, "A"], [1]], max_raises=2, max_players=3),
        RoundSizes(sizes=[[0.5, 1, 2], ["A"]], max_raises=2, max_players=2),
    ]
    seats = {"stacks": [2000] * 3, "blinds": [50, 100, 0], "antes": [0] * 3, "first": [2, 0]}
    config = GameConfig(**seats, rounds=rounds)
    tree = build(config)
    regret_layout = layout(tree, [13, 40])
    return tree, regret_layout, random_policy(tree, regret_layout, 0.1)


def random_policy(tree, regret_layout, untrained):
    """Rows that sum to 255 with some zeros in them, or are all zero."""
    from oracles.continuation import infosets

    random = np.random.default_rng(5)
    policy = np.zeros(regret_layout.size, np.uint8)
    for *_, at, kinds in infosets(tree, regret_layout):
        if random.random() >= untrained:
            weights = random.exponential(size=len(kinds)) * (random.random(len(kinds)) < 0.8)
            weights[random.integers(len(kinds))] += 0.1
            policy[at : at + len(kinds)] = random.multinomial(255, weights / weights.sum())
    return policy
