"""Depth-limited solving: listed pairs of hands or classes; an equilibrium of a small game."""

import numpy as np
import pytest

from search.holdem import first_round_game, whole_round
from search.solvers.limited import small
from search.solvers.ranges.small import H, listed_game
from sixmax.base.jit import set_threads
from sixmax.betting.tree import n_actions, seat_of
from sixmax.cfr.full.solve import solve_field
from sixmax.cfr.full.sweep import down, field, nash_conv, up
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CFR_PLUS, METHODS
from sixmax.cfr.policy import uniform
from sixmax.search.constraints import Alternative, FrozenRow
from sixmax.search.solvers.limited.solver import LimitedSolver, values_by_hole
from sixmax.search.subgame import leaf_nodes

pytestmark = pytest.mark.usefixtures("one_thread")
KINDS = ["classes", "hands"]


def game_of(kind, choices, choosers):
    """A round by hand on a turn, or by class before the flop; its tree, and beliefs by hole."""
    if kind == "hands":
        tree = small.one_round(small.small_cut(choices, choosers)[1])
        return small.small_round(choices, choosers), tree, small.BELIEFS.copy()
    _, game = first_round_game(choices, choosers)
    weights = np.random.default_rng(5).uniform(-0.3, 1, (2, len(game.hands.hole)))
    beliefs = np.maximum(weights, 0)[:, game.hands.of_hole]
    return game, whole_round(choices, choosers).tree, beliefs


def holes_of_hand(game):
    """The number of holes of each hand: float64[n]."""
    return np.bincount(game.hands.of_hole[game.hands.of_hole >= 0]).astype(float)


@pytest.mark.parametrize("method", ["dcfr", "cfr+"])
@pytest.mark.parametrize(
    ("kind", "choices", "choosers"),
    [("hands", 3, 2), ("hands", 2, 3), ("hands", 1, 3), ("classes", 3, 1), ("classes", 3, 2)],
)
def test_run__is_cfr_of_all_pairs(kind, choices, choosers, method):
    """Also where both choose, and the second does not see the choice of the first."""
    game, tree, beliefs = game_of(kind, choices, choosers)
    known, deals, pairs = small.listed(game, tree, beliefs)
    expected = solve_field(deals, tree, known, 6, METHODS[method])[6]
    solver = LimitedSolver(game, beliefs, METHODS[method]).run(2).run(4)
    small.compare(game, known, pairs, solver.strategy(), expected.average)
    untrained = small.rows_of(game, known, 0, uniform(tree, known))
    assert np.abs(solver.strategy()[: len(untrained)] - untrained).max() > 0.3


@pytest.mark.parametrize("kind", KINDS)
def test_run__keeps_the_frozen_row_of_the_hole_held(kind):
    game, tree, beliefs = game_of(kind, 2, 2)
    known, deals, pairs = small.listed(game, tree, beliefs)
    n, seat = n_actions(int(game.node[0, 0])), seat_of(int(game.node[0, 0]))
    hand, row = int(pairs[0, seat]), np.array([0.7, 0.3, 0.0, 0.0, 0.0][:n])
    fixed = np.full(known.size, np.nan)
    at = infoset(known, 0, seat, hand, int(game.node[0, 2]))
    fixed[at : at + n] = row
    expected = solve_field(deals, tree, known, 12, frozen=fixed)[12].average
    hole = int(np.flatnonzero(game.hands.of_hole == hand)[-1])
    solver = LimitedSolver(game, beliefs, CFR_PLUS, [FrozenRow(0, hole, row)]).run(12)
    small.compare(game, known, pairs, solver.strategy(), expected)
    with pytest.raises(ValueError, match="no decision of 1 actions"):
        LimitedSolver(game, beliefs, CFR_PLUS, [FrozenRow(0, hole, np.ones(1))])


@pytest.mark.parametrize("gadget", ["resolve", "maxmargin"])
@pytest.mark.parametrize("opponent", [0, 1])
@pytest.mark.parametrize("kind", KINDS)
def test_run__safely_is_the_gadget_on_all_pairs(kind, opponent, gadget):
    """The alternative of a class is the mean of its holes, and all of them enter by resolve."""
    game, tree, beliefs = game_of(kind, 2, 1 << opponent)
    held, holes = game.hands.of_hole >= 0, holes_of_hand(game)
    beliefs[opponent] = 1
    if gadget == "maxmargin":  # the opponent chooses a hand or class
        beliefs[opponent] /= holes[game.hands.of_hole]
    known, deals, pairs = small.listed(game, tree, beliefs)
    outside = np.random.default_rng(6).normal(size=len(held)) * (5 if kind == "hands" else 50)
    mean = np.bincount(game.hands.of_hole[held], outside[held]) / holes
    deals, entry = small.entered(gadget, opponent, mean, deals, pairs, len(holes))
    expected = solve_field(deals, tree, known, 10, entry=entry)[10].average
    alternative = Alternative(opponent, outside, gadget)
    solver = LimitedSolver(game, beliefs, CFR_PLUS, alternative=alternative).run(10)
    small.compare(game, known, pairs, solver.strategy(), expected, [1 - opponent])
    unsafe = LimitedSolver(game, beliefs, CFR_PLUS).run(10).strategy()
    assert np.abs(unsafe - solver.strategy()).max() > 0.1
    assert np.isnan(values_by_hole(solver, 0, True)[1 - opponent]).all()


@pytest.mark.parametrize("best", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_values_by_hole__are_those_of_all_pairs(kind, best):
    game, tree, beliefs = game_of(kind, 3, 2)
    known, deals, pairs = small.listed(game, tree, beliefs)
    solver = LimitedSolver(game, beliefs, CFR_PLUS).run(20)
    strategy = solve_field(deals, tree, known, 20)[20].average
    shape, n = (len(game.node), len(pairs)), len(game.hands.hole)
    nodes = [x for x in (0, int(game.node[0, 1])) if game.first[x] >= 0]
    for me in (0, 1):
        others, own, value = np.empty(shape), np.empty(shape), np.empty(shape)
        down(deals, strategy.copy(), me, others, own)
        up(deals, strategy.copy(), me, best, others, value, np.zeros(known.size))
        for node in nodes if kind == "hands" else [0]:
            actual = values_by_hole(solver, node, best)[me]
            left, won = (np.bincount(pairs[:, me], x[node], n) for x in (others, value))
            met = (beliefs[me, game.hands.hole] > 0) & (left > 1e-9)
            expected = np.divide(won, left, out=np.full(n, np.nan), where=met)
            hole = np.flatnonzero((game.hands.of_hole >= 0) & met[game.hands.of_hole])
            expected = expected[game.hands.of_hole[hole]]
            np.testing.assert_allclose(actual[hole], expected, rtol=1e-4, atol=1e-3)
            assert np.ptp(actual[hole]) > 5


def test_run__is_the_same_on_two_threads():
    game = small.small_round(3, 2)
    one = LimitedSolver(game, small.BELIEFS, CFR_PLUS).run(15).strategy()
    set_threads(2)
    two = LimitedSolver(game, small.BELIEFS, CFR_PLUS).run(15).strategy()
    np.testing.assert_array_equal(one, two)


@pytest.fixture(scope="module")
def equilibrium():
    """The turn and the river solved together: layout, deals, strategy, and the game's value."""
    tree, _ = small.small_cut()
    known, deals = listed_game(2, np.ones((2, H)), tree)
    game = field(tree, known, deals)
    strategy = solve_field(game, tree, known, 1000)[1000].average
    return known, deals, game, strategy, nash_conv(tree, known, deals, strategy).values


def own_continuation(equilibrium, hands):
    """The value of each leaf where both go on by the equilibrium: float64[2, l, n, n]."""
    known, deals, game, strategy, _ = equilibrium
    tree, part = small.small_cut()
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
    number, size = np.full(H, -1), len(hands.hole)
    number[hands.hole] = np.arange(size)
    pair = number[holes[0]] * size + number[holes[1]]
    own_values = []
    for leaf in part.origin[leaf_nodes(part.tree)]:
        weight, won = (np.bincount(pair, each[leaf], size**2) for each in (others, value))
        mean = np.divide(won, weight, out=np.zeros(size**2), where=weight > 0)
        own_values.append(mean.reshape(size, size))
    table = np.array(own_values)
    return np.stack([table.transpose(0, 2, 1), -table]).copy()


def test_run__with_the_equilibriums_own_continuation_has_the_value_of_the_whole_game(equilibrium):
    """Whatever a player does before the leaf, the equilibrium after it gives no more than the
    value of the game: so does the best of all (Modicum, section 4)."""
    hands = small.every_hand()
    game = small.small_round(1, 3, hands=hands, tables=own_continuation(equilibrium, hands))
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
