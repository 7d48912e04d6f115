"""The first round by class: CFR of all pairs of classes, values by hole, safe solving."""

import numpy as np
import pytest

from search.holdem import HOLES
from search.solvers.first_round_values import first_round_game, whole_round
from search.solvers.limited.small import compare, entered, listed
from sixmax.betting.tree import n_actions, seat_of
from sixmax.cfr.full.solve import solve_field
from sixmax.cfr.full.sweep import down, up
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CFR_PLUS, METHODS
from sixmax.search.solvers.limited.solver import LimitedSolver, values_by_hole
from sixmax.search.solvers.problem import Alternative, FrozenRow

pytestmark = pytest.mark.usefixtures("one_thread")


def by_class(game, seed):
    """Weights that the holes of a class share: float64[2, holes]."""
    weights = np.random.default_rng(seed).uniform(-0.3, 1, (2, len(game.hands.hole)))
    return np.maximum(weights, 0)[:, game.hands.of_hole]


@pytest.mark.parametrize("method", ["dcfr", "cfr+"])
@pytest.mark.parametrize("chooser", [0, 1])
def test_run__is_cfr_of_all_pairs_of_classes(chooser, method):
    _, game = first_round_game(3, 1 << chooser)
    tree, beliefs = whole_round(3, 1 << chooser).tree, by_class(game, 5)
    known, deals, pairs = listed(game, tree, beliefs)
    expected = solve_field(deals, tree, known, 6, METHODS[method])[6]
    solver = LimitedSolver(game, beliefs, METHODS[method]).run(2).run(4)
    compare(game, known, pairs, solver.strategy(), expected.average)
    compare(game, known, pairs, solver.strategy(last=True), expected.last)


def test_run__freezes_the_class_of_the_hole_held():
    _, game = first_round_game(2, 2)
    tree, beliefs = whole_round(2, 2).tree, by_class(game, 5)
    known, deals, pairs = listed(game, tree, beliefs)
    n, seat = n_actions(int(game.node[0, 0])), seat_of(int(game.node[0, 0]))
    hand, row = int(pairs[0, seat]), np.array([0.7, 0.3, 0.0, 0.0, 0.0][:n])
    fixed = np.full(known.size, np.nan)
    at = infoset(known, 0, seat, hand, int(game.node[0, 2]))
    fixed[at : at + n] = row
    expected = solve_field(deals, tree, known, 12, frozen=fixed)[12].average
    hole = int(np.flatnonzero(game.hands.of_hole == hand)[-1])
    solver = LimitedSolver(game, beliefs, CFR_PLUS, [FrozenRow(0, hole, row)]).run(12)
    compare(game, known, pairs, solver.strategy(), expected)


@pytest.mark.parametrize("kind", ["resolve", "maxmargin"])
@pytest.mark.parametrize("opponent", [0, 1])
def test_run__safely_is_the_gadget_on_all_pairs_of_classes(kind, opponent):
    """The alternative of a class is the mean of its holes, and all of them enter by resolve."""
    _, game = first_round_game(2, 1 << opponent)
    tree, beliefs = whole_round(2, 1 << opponent).tree, by_class(game, 5)
    beliefs[opponent] = 1
    if kind == "maxmargin":  # the opponent chooses a class
        beliefs[opponent] /= np.bincount(game.hands.of_hole)[game.hands.of_hole]
    known, deals, pairs = listed(game, tree, beliefs)
    n = len(game.hands.hole)
    outside = np.random.default_rng(6).normal(size=HOLES) * 50
    mean = np.bincount(game.hands.of_hole, outside) / np.bincount(game.hands.of_hole)
    deals, entry = entered(kind, opponent, mean, deals, pairs, n)
    expected = solve_field(deals, tree, known, 10, entry=entry)[10].average
    alternative = Alternative(opponent, outside, kind)
    solver = LimitedSolver(game, beliefs, CFR_PLUS, alternative=alternative).run(10)
    compare(game, known, pairs, solver.strategy(), expected, [1 - opponent])
    unsafe = LimitedSolver(game, beliefs, CFR_PLUS).run(10).strategy()
    assert np.abs(unsafe - solver.strategy()).max() > 0.1


def test_values_by_hole__are_those_of_all_pairs_of_classes():
    _, game = first_round_game(3, 2)
    tree, beliefs = whole_round(3, 2).tree, by_class(game, 5)
    known, deals, pairs = listed(game, tree, beliefs)
    solver = LimitedSolver(game, beliefs, CFR_PLUS).run(20)
    strategy = solve_field(deals, tree, known, 20)[20].average
    shape, n = (len(game.node), len(pairs)), len(game.hands.hole)
    for me in (0, 1):
        for best in (False, True):
            others, own, value = np.empty(shape), np.empty(shape), np.empty(shape)
            down(deals, strategy.copy(), me, others, own)
            up(deals, strategy.copy(), me, best, others, value, np.zeros(known.size))
            actual = values_by_hole(solver, 0, best)[me]
            left = np.bincount(pairs[:, me], others[0], n)
            won = np.bincount(pairs[:, me], value[0], n)
            held = beliefs[me, game.hands.hole] > 0
            known_values = (won[held] / left[held])[np.cumsum(held) - 1][game.hands.of_hole]
            mine = held[game.hands.of_hole]
            np.testing.assert_allclose(actual[mine], known_values[mine], rtol=1e-4, atol=1e-2)
            assert np.ptp(actual[mine]) > 50
