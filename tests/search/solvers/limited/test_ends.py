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


def ends(game, me, lead, mine, theirs):
    """Nodes, and net chips there of ``me``; each player has a hand, and its class at leaves."""
    assert all(map(len, (game.leaves, game.shown, game.folds)))
    shown = game.tie[me] + game.win[me] * lead[mine[0], theirs[0]]
    leaves = game.tables[me, :, theirs[1], mine[1]]
    for nodes, chips in ((game.folds, game.kept[me]), (game.shown, shown), (game.leaves, leaves)):
        yield from zip(nodes, chips, strict=True)


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
    weight, of = prior * reach, game.hands.of
    for (i, mine), (j, theirs) in itertools.product(enumerate(cards), repeat=2):
        if not set(mine) & set(theirs):
            for x, chips in ends(game, me, game.lead, (i, of[i]), (j, of[j])):
                expected[x, i] += weight[x, j] * chips
    np.testing.assert_allclose(value, expected, atol=1e-4)
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
        for x, chips in ends(game, me, kept.lead, (a, a), (b, b)):
            expected[x, a] += share * weight[x, b] * chips
    np.testing.assert_allclose(value, expected, atol=1e-4)
    np.testing.assert_allclose(compatible(game.hands, prior, np.ones(n)), met)
