"""Depth-limited solving: listed pairs of hands, and the equilibrium of a small game."""

import numpy as np
import pytest

from search.solvers.limited.small import (
    BELIEFS,
    compare,
    entered,
    every_hand,
    listed,
    one_round,
    rows_of,
    small_cut,
    small_round,
)
from search.solvers.ranges.small import H, listed_game
from sixmax.base.jit import set_threads
from sixmax.betting.tree import n_actions, seat_of
from sixmax.cfr.full.solve import solve_field
from sixmax.cfr.full.sweep import down, field, nash_conv, up
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CFR_PLUS, METHODS
from sixmax.cfr.policy import uniform
from sixmax.search.solvers.limited.solver import LimitedSolver, values_by_hole
from sixmax.search.solvers.problem import Alternative, FrozenRow
from sixmax.search.subgame import leaf_nodes

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize(("choices", "choosers"), [(3, 2), (2, 3), (1, 3)])
@pytest.mark.parametrize("method", ["dcfr", "cfr+"])
def test_run__is_cfr_of_all_pairs_of_hands(choices, choosers, method):
    """Also where both choose, and the second does not see the choice of the first."""
    game, tree = small_round(choices, choosers), one_round(small_cut(choices, choosers)[1])
    known, deals, pairs = listed(game, tree)
    expected = solve_field(deals, tree, known, 6, METHODS[method])[6]
    solver = LimitedSolver(game, BELIEFS, METHODS[method]).run(2).run(4)
    compare(game, known, pairs, solver.strategy(), expected.average)
    compare(game, known, pairs, solver.strategy(last=True), expected.last)
    untrained = rows_of(game, known, 0, uniform(tree, known))
    assert np.abs(solver.strategy()[: len(untrained)] - untrained).max() > 0.3


def test_run__keeps_frozen_rows():
    game, tree = small_round(2, 2), one_round(small_cut(2, 2)[1])
    known, deals, pairs = listed(game, tree)
    hand = int(pairs[0, 0])
    n, seat = n_actions(int(game.node[0, 0])), seat_of(int(game.node[0, 0]))
    row = np.array([0.7, 0.3, 0.0][:n])
    fixed = np.full(known.size, np.nan)
    at = infoset(known, 0, seat, hand, int(game.node[0, 2]))
    fixed[at : at + n] = row
    expected = solve_field(deals, tree, known, 12, frozen=fixed)[12].average
    frozen = [FrozenRow(0, int(game.hands.hole[hand]), row)]
    solver = LimitedSolver(game, BELIEFS, CFR_PLUS, frozen).run(12)
    compare(game, known, pairs, solver.strategy(), expected)
    with pytest.raises(ValueError, match="no decision of 1 actions"):
        LimitedSolver(game, BELIEFS, CFR_PLUS, [FrozenRow(0, frozen[0].hole, np.ones(1))])


@pytest.mark.parametrize("kind", ["resolve", "maxmargin"])
@pytest.mark.parametrize("opponent", [0, 1])
def test_run__safely_is_the_gadget_on_all_pairs(kind, opponent):
    game, tree = small_round(2, 1 << opponent), one_round(small_cut(2, 1 << opponent)[1])
    beliefs = BELIEFS.copy()
    beliefs[opponent] = 1
    known, deals, pairs = listed(game, tree, beliefs)
    n = len(game.hands.hole)
    outside = np.random.default_rng(6).normal(size=H) * 5
    deals, entry = entered(kind, opponent, outside[game.hands.hole], deals, pairs, n)
    expected = solve_field(deals, tree, known, 10, entry=entry)[10].average
    alternative = Alternative(opponent, outside, kind)
    solver = LimitedSolver(game, beliefs, CFR_PLUS, alternative=alternative).run(10)
    compare(game, known, pairs, solver.strategy(), expected, [1 - opponent])
    unsafe = LimitedSolver(game, beliefs, CFR_PLUS).run(10).strategy()
    assert np.abs(unsafe - solver.strategy()).max() > 0.1
    assert np.isnan(values_by_hole(solver, 0, True)[1 - opponent]).all()


def test_values_by_hole__are_those_of_all_pairs():
    game, tree = small_round(3, 2), one_round(small_cut(3, 2)[1])
    known, deals, pairs = listed(game, tree)
    solver = LimitedSolver(game, BELIEFS, CFR_PLUS).run(20)
    strategy = solve_field(deals, tree, known, 20)[20].average
    shape = len(game.node), len(pairs)
    for me in (0, 1):
        for best in (False, True):
            others, own, value = np.empty(shape), np.empty(shape), np.empty(shape)
            response = strategy.copy()
            down(deals, response, me, others, own)
            up(deals, response, me, best, others, value, np.zeros(known.size))
            for node in (0, int(game.node[0, 1])):
                if game.first[node] < 0:
                    continue
                actual = values_by_hole(solver, node, best)[me]
                hands = pairs[:, me]
                left = np.bincount(hands, others[node], len(game.hands.hole))
                won = np.bincount(hands, value[node], len(game.hands.hole))
                own_prior = BELIEFS[me, game.hands.hole] > 0
                met = own_prior & (left > 1e-9)
                hit = actual[game.hands.hole[met]]
                np.testing.assert_allclose(hit, won[met] / left[met], atol=1e-3)


def test_run__is_the_same_on_two_threads():
    game = small_round(3, 2)
    one = LimitedSolver(game, BELIEFS, CFR_PLUS).run(15).strategy()
    set_threads(2)
    two = LimitedSolver(game, BELIEFS, CFR_PLUS).run(15).strategy()
    np.testing.assert_array_equal(one, two)


@pytest.fixture(scope="module")
def equilibrium():
    """The turn and the river solved together: layout, deals, strategy, and the game's value."""
    tree, _ = small_cut()
    known, deals = listed_game(2, np.ones((2, H)), tree)
    game = field(tree, known, deals)
    strategy = solve_field(game, tree, known, 1000)[1000].average
    return known, deals, game, strategy, nash_conv(tree, known, deals, strategy).values


def own_continuation(equilibrium, hands):
    """The value of each leaf where both go on by the equilibrium: float64[2, l, n, n]."""
    known, deals, game, strategy, _ = equilibrium
    tree, part = small_cut()
    reached = strategy.copy()  # the leaves are reached by every hand
    for x in tree.decision_nodes():
        head, n = int(tree.node[x, 0]), n_actions(int(tree.node[x, 0]))
        if not head >> 8 & 15:
            at = infoset(known, 0, seat_of(head), np.arange(H), int(tree.node[x, 2]))
            reached[at[:, None] + np.arange(n)] = 1 / n
    shape = len(tree.node), len(game.chance)
    others, own, value = np.empty(shape), np.empty(shape), np.empty(shape)
    down(game, reached, 0, others, own)
    up(game, reached, 0, False, others, value, np.zeros(known.size))
    holes = (game.offset[:, 0] - known.base[0][:, None]) // known.columns[0][:, None]
    number = np.full(H, -1)
    number[hands.hole] = np.arange(len(hands.hole))
    pair = number[holes[0]] * len(hands.hole) + number[holes[1]]
    size = len(hands.hole)
    own_values = []
    for x in leaf_nodes(part.tree):
        leaf = int(part.origin[x])
        weight = np.bincount(pair, others[leaf], size**2)
        won = np.bincount(pair, value[leaf], size**2)
        mean = np.divide(won, weight, out=np.zeros(size**2), where=weight > 0)
        own_values.append(mean.reshape(size, size))
    table = np.array(own_values)
    return np.stack([table.transpose(0, 2, 1), -table]).copy()


def test_run__with_the_equilibriums_own_continuation_has_the_value_of_the_whole_game(equilibrium):
    """Whatever a player does before the leaf, the equilibrium after it gives no more than the
    value of the game: so does the best of all (Modicum, section 4)."""
    hands = every_hand()
    game = small_round(1, 3, hands=hands, tables=own_continuation(equilibrium, hands))
    expected = equilibrium[-1]
    solver = LimitedSolver(game, np.ones((2, H)), CFR_PLUS).run(1000)
    actual = [_value(solver, me) for me in (0, 1)]
    np.testing.assert_allclose(actual, expected, atol=2e-3)
    gains = [_value(solver, me, best=True) - actual[me] for me in (0, 1)]
    assert 0 <= sum(gains) < 4e-3
    untrained = LimitedSolver(game, np.ones((2, H)), CFR_PLUS)
    assert abs(_value(untrained, 0) - expected[0]) > 1


def _value(solver, me, best=False):
    """Net chips of a player in the round, over all pairs of hands."""
    value, left = solver.values(me, 0, best)
    return value @ solver.prior[me] / (left @ solver.prior[me])
