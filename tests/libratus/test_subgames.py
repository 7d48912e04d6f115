"""Every technique on a game of twenty cards: guarantees, and where they come from."""

import numpy as np
import pytest

from libratus.small import coarse, game
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import DCFR
from sixmax.evaluation.exploitability.two_round_holdem import Walk, nash_conv
from sixmax.game.tree import children
from sixmax.libratus import blueprint
from sixmax.libratus.subgames import TECHNIQUES, gifts, reach_to, solved


def loses(strategy):
    return nash_conv(game().tree, game().layout, game().cards, strategy).total / 2


@pytest.fixture(scope="module")
def scores():
    return {name: loses(solved(game(), coarse(), t, 200)) for name, t in TECHNIQUES.items()}


def test_solved__safe_techniques_with_bounds_never_lose_more(scores):
    none = loses(coarse())
    for name, technique in TECHNIQUES.items():
        if technique.gadget and not technique.estimate:
            assert scores[name] < 0.9 * none
    assert scores["maxmargin"] < scores["resolve"]


def test_solved__unsafe_spoils_what_safe_keeps():
    """A blueprint close to an equilibrium: unsafe solving does not come back to it."""
    exact = blueprint.solve(game(), 0, 400, DCFR)
    assert loses(solved(game(), exact, TECHNIQUES["unsafe"], 100)) > 2 * loses(exact)
    assert loses(solved(game(), exact, TECHNIQUES["resolve"], 1000)) < 1.5 * loses(exact)


def test_reach_to__is_the_product_of_own_actions():
    root = game().roots[-1]
    reach = reach_to(game(), coarse(), root)
    tree, layout = game().tree, game().layout
    expected, node = np.ones((2, len(game().cards.share))), root
    while node:
        before = int(tree.parent[node])
        seat = int(tree.node[before, 0]) >> 4 & 15
        at = infoset(layout, 0, seat, np.arange(expected.shape[1]), int(tree.node[before, 2]))
        expected[seat] *= coarse()[at + node - int(tree.node[before, 1])]
        node = before
    np.testing.assert_allclose(reach[:, 1], expected[:, game().cards.of_hole])
    assert 0 < expected.min() < 0.01 < 0.9 < expected.max()
    first = children(tree, root)[1]
    after = reach_to(game(), coarse(), first)
    assert (after <= reach).all()
    assert (after < 0.9 * reach).any()


def test_gifts__are_none_for_the_best_action_and_its_loss_for_others():
    """At the first decision: its value by a best response less that of the action."""
    tree, cards = game().tree, game().cards
    walk = Walk(tree, game().layout, cards, coarse(), 0)
    ones = np.ones(len(cards.share))
    root_value = walk.preflop(0, ones)[1] / (cards.share @ ones)
    for root in game().roots:
        node = root
        while tree.parent[node]:
            node = int(tree.parent[node])
        child = walk.preflop(node, ones)[1] / (cards.share @ ones)
        actual = gifts(game(), coarse(), root, 0, False)
        assert (actual >= root_value - child - 1e-9).all()
        assert (actual >= 0).all()
    assert max(gifts(game(), coarse(), root, 0, False).max() for root in game().roots) > 10
