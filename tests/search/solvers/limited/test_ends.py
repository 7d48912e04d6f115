"""Values of ends, against two loops over hands."""

import numpy as np
import pytest

from oracles.cards import holes
from search.solvers.limited.small import RANKS, small_round
from sixmax.search.solvers.limited.ends import compatible, value_ends

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize("me", [0, 1])
def test_value_ends__is_the_sum_over_hands_that_share_no_card(me):
    game = small_round()
    rng, cards = np.random.default_rng(3), [holes(RANKS)[h] for h in game.hands.hole]
    n = len(cards)
    prior, reach = rng.random(n), rng.random((len(game.node), n))
    prior[:3] = 0
    value = np.zeros(reach.shape)
    value_ends(game, me, prior, reach, value)
    expected = np.zeros(reach.shape)
    weight = prior * reach
    for i, mine in enumerate(cards):
        for j, theirs in enumerate(cards):
            if set(mine) & set(theirs):
                continue
            for k, x in enumerate(game.folds):
                expected[x, i] += weight[x, j] * game.kept[me, k]
            for k, x in enumerate(game.shown):
                chips = game.tie[me, k] + game.win[me, k] * game.lead[i, j]
                expected[x, i] += weight[x, j] * chips
            for k, x in enumerate(game.leaves):
                chips = game.tables[me, k, game.hands.of[j], game.hands.of[i]]
                expected[x, i] += weight[x, j] * chips
    np.testing.assert_allclose(value, expected, atol=1e-4)
    assert all(map(len, (game.leaves, game.shown, game.folds)))
    left = [sum(prior[j] for j, b in enumerate(cards) if not set(a) & set(b)) for a in cards]
    np.testing.assert_allclose(compatible(game.hands, prior, np.ones(n)), left)
