"""Values of ends, against two loops over hands."""

import itertools

import numpy as np
import pytest

from oracles.cards import holes
from search.holdem import RANKS as SMALL
from search.holdem import first_round_game
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


@pytest.mark.parametrize("me", [0, 1])
def test_value_ends__of_classes_are_the_sums_over_their_holes(me):
    """Each hole of a class comes equally often, and faces the holes that share no card with it."""
    kept, game = first_round_game()
    rng, cards, of = np.random.default_rng(3), holes(SMALL), game.hands.of_hole
    n = len(game.hands.hole)
    prior, reach = rng.random(n), rng.random((len(game.node), n))
    prior[:3], reach[:, 5] = 0, 0
    value = np.zeros(reach.shape)
    value_ends(game, me, prior, reach, value)
    weight, members = prior * reach, np.bincount(of, minlength=n)
    expected, met = np.zeros(reach.shape), np.zeros(n)
    for i, j in itertools.product(range(len(cards)), repeat=2):
        if set(cards[i]) & set(cards[j]):
            continue
        a, b = of[i], of[j]
        share = 1 / (members[a] * members[b])
        met[a] += share * prior[b]
        for k, x in enumerate(game.folds):
            expected[x, a] += share * weight[x, b] * game.kept[me, k]
        for k, x in enumerate(game.shown):
            chips = game.tie[me, k] + game.win[me, k] * kept.lead[a, b]
            expected[x, a] += share * weight[x, b] * chips
        for k, x in enumerate(game.leaves):
            expected[x, a] += share * weight[x, b] * game.tables[me, k, b, a]
    np.testing.assert_allclose(value, expected, atol=1e-4)
    assert all(map(len, (game.leaves, game.shown, game.folds)))
    np.testing.assert_allclose(compatible(game.hands, prior, np.ones(n)), met)
