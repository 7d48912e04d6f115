"""Alternatives of safe solving: gifts of earlier mistakes by bounds and estimates; reach."""

import itertools

import numpy as np

from sixmax.betting.tree import seat_of
from sixmax.cfr.full.sweep import down, field, up
from sixmax.cfr.layout import infoset
from sixmax.evaluation.exploitability.exact_holdem import RangeWalk
from sixmax.studies.flop_games.game import open_game
from sixmax.studies.flop_games.reach import reach_to
from sixmax.studies.libratus import blueprint
from sixmax.studies.libratus.alternatives import alternatives, gifts
from studies.flop_games.small import FEW, THREE, coarse, game, listed


def test_reach_to__is_the_product_of_own_actions():
    root = game().roots[-1]
    reach = reach_to(game(), coarse().strategy, root)
    tree, layout = game().tree, game().layout
    expected, node = np.ones((2, len(game().cards.share))), root
    while node:
        before = int(tree.parent[node])
        seat = int(tree.node[before, 0]) >> 4 & 15
        at = infoset(layout, 0, seat, np.arange(expected.shape[1]), int(tree.node[before, 2]))
        expected[seat] *= coarse().strategy[at + node - int(tree.node[before, 1])]
        node = before
    np.testing.assert_allclose(reach[:, 1], expected[:, game().cards.of_hole])
    assert 0 < expected.min() < 0.01 < 0.9 < expected.max()
    first = tree.children(root)[1]
    after = reach_to(game(), coarse().strategy, first)
    assert (after <= reach).all()
    assert (after < 0.9 * reach).any()


def test_alternatives__reach_adds_the_gifts():
    root = game().roots[-1]
    reach = reach_to(game(), coarse().strategy, root)
    bound, more = (alternatives(game(), coarse(), root, reach, 1, False, m) for m in (False, True))
    gift = gifts(game(), coarse(), root, 1, False)
    np.testing.assert_allclose(more - bound, gift, atol=1e-9)
    assert gift.max() > 10


def test_gifts__are_the_loss_of_the_action_that_was_taken():
    """Where a seat decides once: its value by a best response less that of the action, no more."""
    tree, cards = game().tree, game().cards
    met = 0
    for seat, root in itertools.product((0, 1), game().roots):
        if len(steps := steps_of(game(), root, seat)) != 1:
            continue
        before, child = steps[0]
        reach = reach_by_class(before, 1 - seat)
        walk = RangeWalk(tree, game().layout, cards, coarse().strategy, seat)
        left = cards.share @ reach
        values = [walk.preflop(x, reach)[1] / left for x in (before, child)]
        actual = gifts(game(), coarse(), root, seat, False)
        expected = np.maximum(values[0] - values[1], 0)[cards.of_hole]
        np.testing.assert_allclose(actual, np.tile(expected, (len(actual), 1)), atol=1e-9)
        met += actual.max() > 10
    assert met > 1


def test_gifts__in_three_rounds_are_those_of_listed_deals():
    """By best responses over all deals: the value of a decision less that of the action taken."""
    few = open_game(THREE.game(), 2, 1, FEW)
    strategy = blueprint.solve(few, 5, 20)
    deals = listed(few)
    deal = field(few.tree, few.layout, deals)
    table = np.concatenate([a.reshape(len(deals.rank), -1) for a in deals], axis=1)
    bucket = deals.bucket[np.unique(table, axis=0, return_index=True)[1]]  # as field() merges them
    shape = len(few.tree.node), len(bucket)
    on_flop = 0
    for seat in (0, 1):
        others, own, value = np.empty((3, *shape))
        down(deal, strategy.strategy, seat, others, own)
        up(deal, strategy.strategy.copy(), seat, True, others, value, np.zeros(few.layout.size))
        for root in few.roots:
            expected = np.zeros(shape[1])
            for before, child in steps_of(few, root, seat):
                in_round = few.tree.round(before)
                hand = bucket[:, seat, in_round]
                worth = [
                    np.bincount(hand, w) for w in (value[before] - value[child], others[before])
                ]
                expected += np.divide(*worth, out=np.zeros(len(worth[0])), where=worth[1] > 0)[hand]
                on_flop += in_round
            actual = gifts(few, strategy, root, seat, False).ravel()[bucket[:, seat, 2]]
            comes = others[root] > 0
            np.testing.assert_allclose(actual[comes], np.maximum(expected, 0)[comes], atol=1e-7)
    assert on_flop > 3
    assert expected.max() > 10


def steps_of(of, node, seat):
    """The decisions of ``seat`` on the way to ``node``, each with the child that follows."""
    steps = []
    while node:
        before = int(of.tree.parent[node])
        if of.tree.seat(before) == seat:
            steps.append((before, node))
        node = before
    return steps[::-1]


def reach_by_class(node, seat):
    tree, reach = game().tree, np.ones(len(game().cards.share))
    while node:
        before = int(tree.parent[node])
        head, first, slot, _ = (int(n) for n in tree.node[before])
        if seat_of(head) == seat:
            at = infoset(game().layout, 0, seat, np.arange(len(reach)), slot)
            reach *= coarse().strategy[at + node - first]
        node = before
    return reach


def test_gifts__by_estimates_are_those_of_the_mean_values():
    for seat, root in itertools.product((0, 1), game().roots):
        value = coarse().by_class[seat]
        expected = sum(value[x] - value[y] for x, y in steps_of(game(), root, seat))
        actual = gifts(game(), coarse(), root, seat, True)
        by_hole = np.broadcast_to(np.maximum(expected, 0), game().cards.share[0].shape)
        wanted = np.tile(by_hole[game().cards.of_hole], (len(actual), 1))
        np.testing.assert_allclose(actual, wanted, atol=1e-9)
