"""The kernels of CFR on a public tree, one call each, against the obvious sums by node."""

from typing import NamedTuple

import numpy as np
import pytest

from cfr.games import small
from sixmax.cfr.full import public_tree
from sixmax.cfr.regret import Tables

HANDS, STEP = 3, np.array([0.8, 0.3, 2.5])


class Game(NamedTuple):
    node: np.ndarray
    first: np.ndarray


def case(blind):
    """Kuhn's tree with random tables; ``blind``: the second player cannot tell check from bet."""
    tree = small("kuhn", 2)[0]
    first, rows = np.full(len(tree.node), -1), 0
    for x in tree.decision_nodes():
        again = blind and x == 2
        first[x] = first[1] if again else rows
        rows += 0 if again else len(tree.children(x))
    rng = np.random.default_rng(7)
    regret, total = rng.normal(size=(rows, HANDS)), rng.random((rows, HANDS))
    strategy = rng.random((rows, HANDS))
    value = rng.normal(size=(len(tree.node), HANDS))
    return tree, Game(tree.node, first), regret, total, strategy, value


def nodes_by_row(tree, game):
    """The decisions of each first row, and their seat."""
    result = {}
    for x in np.flatnonzero(game.first >= 0):
        result.setdefault(int(game.first[x]), []).append(int(x))
    return [(first, nodes, tree.seat(nodes[0])) for first, nodes in result.items()]


def matched(rows):
    """Regret matching of float64[actions, hands], hand by hand."""
    positive = np.maximum(rows, 0)
    return np.array([
        column / column.sum() if column.any() else np.full(len(column), 1 / len(column))
        for column in positive.T
    ]).T  # fmt: skip


def test_down__is_the_product_of_the_actions_of_each_seat():
    tree, game, *_, strategy, _ = case(False)
    actual = np.ones((2, len(tree.node), HANDS))
    public_tree.down(game, strategy, actual)
    for x in range(len(tree.node)):
        expected, y = np.ones((2, HANDS)), x
        while y > 0:
            before = int(tree.parent[y])
            row = game.first[before] + y - tree.node[before, 1]
            expected[tree.seat(before)] *= strategy[row]
            y = before
        np.testing.assert_allclose(actual[:, x], expected)


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("best", [False, True])
def test_up_and_respond__sum_below_the_other_and_weigh_or_choose_below_me(me, best):
    tree, game, *_, strategy, value = case(False)

    def expected(x):
        if game.first[x] < 0:
            return value[x]
        below = np.array([expected(y) for y in tree.children(x)])
        if tree.seat(x) != me:
            return below.sum(axis=0)
        rows = strategy[game.first[x] : game.first[x] + len(below)]
        return below.max(axis=0) if best else (rows * below).sum(axis=0)

    actual = value.copy()
    if best:
        public_tree.respond(game, me, actual)
    else:
        public_tree.up(game, strategy, me, actual)
    for x in range(len(tree.node)):
        np.testing.assert_allclose(actual[x], expected(x))


@pytest.mark.parametrize("me", [0, 1])
@pytest.mark.parametrize("blind", [False, True])
def test_learn__adds_up_what_cannot_be_told_apart_and_leaves_the_other_seat(me, blind):
    tree, game, regret, total, strategy, value = case(blind)
    own = np.random.default_rng(8).random(value.shape)
    after = [regret.copy(), total.copy(), strategy.copy()]
    tables = Tables(after[2], after[0], after[1], np.zeros((0, *regret.shape)))
    public_tree.learn(game, me, STEP, own, value, tables)
    shared = 0
    for first, nodes, seat in nodes_by_row(tree, game):
        shared += len(nodes) > 1
        rows = slice(first, first + len(tree.children(nodes[0])))
        if seat != me:
            for actual, before in zip(after, (regret, total, strategy), strict=True):
                np.testing.assert_array_equal(actual[rows], before[rows])
            continue
        new = regret[rows] + sum(value[list(tree.children(x))] - value[x] for x in nodes)
        new *= np.where(new > 0, STEP[0], STEP[1])
        np.testing.assert_allclose(after[0][rows], new)
        came = STEP[2] * sum(own[x] for x in nodes)
        np.testing.assert_allclose(after[1][rows], total[rows] + came * strategy[rows])
        np.testing.assert_allclose(after[2][rows], matched(new))
    assert shared == blind


def test_match__is_even_where_no_regret_is_positive():
    tree, game, regret, *_ = case(False)
    regret[game.first[0] : game.first[0] + 2, 1] = [-1, 0]
    actual = np.full_like(regret, np.nan)
    public_tree.match(game, regret, actual)
    for first, nodes, _ in nodes_by_row(tree, game):
        rows = slice(first, first + len(tree.children(nodes[0])))
        np.testing.assert_allclose(actual[rows], matched(regret[rows]))
    assert actual[game.first[0] : game.first[0] + 2, 1].tolist() == [0.5, 0.5]
