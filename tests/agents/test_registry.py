"""Agents by their names: the stores that they need, and policies that look at no cards."""

import numpy as np
import pytest

from sixmax.agents.registry import calling, folding, stores
from sixmax.betting.config import GameConfig
from sixmax.betting.tree import is_decision, n_actions
from sixmax.betting.tree_build import build
from sixmax.cfr.layout import layout
from sixmax.ongoing.policies import chances, match_game


def play(policy, game, path):
    """The action taken after ``path``: fold -1, call 0, or a raise."""
    tree = game.tree
    x = tree.find(path)
    assert is_decision(tree.node[x, 0])
    share = np.zeros(n_actions(tree.node[x, 0]))
    chances(policy, game, x, 0, share)
    assert sorted(share)[-2:] == [0, 1]
    return int(tree.action[tree.node[x, 1] + share.argmax()])


@pytest.mark.parametrize(
    ("make", "limps", "expected"),
    [
        (calling, True, [0, 0, 0, 0]),
        (calling, "blinds", [-1, 0, 0, 0]),  # under the gun there is no call, and it raises nothing
        (folding, True, [-1, -1, 0, -1]),
        (folding, "blinds", [-1, -1, 0, -1]),
    ],
)
def test_always__first_in_the_small_blind_a_free_check_and_after_a_raise(make, limps, expected):
    sizes = {"sizes": [[1], ["A"]], "max_raises": 2, "max_players": 3, "limps": limps}
    game = GameConfig(stacks=[100] * 3, blinds=[5, 10, 0], antes=[0] * 3, first=[2], rounds=[sizes])
    tree = build(game)
    of_match = match_game(tree, layout(tree, np.ones(1, np.int64)))
    policy = make(of_match)
    paths = [], [-1], [-1, 0], [35]
    assert [play(policy, of_match, path) for path in paths] == expected


def test_stores__what_a_match_needs():
    assert stores("blueprint", "rule") == ["blueprint/strategy.zarr"]
    assert stores("snapshot-00004", "random") == ["blueprint/snapshot/00004.zarr"]
    assert stores("continuation-fold", "continuation-call") == ["continuation/strategies.zarr"]
    assert stores("random", "call") == []
