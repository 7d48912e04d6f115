"""Values of hands by a solver's strategies."""

import numpy as np

from oracles.cards import ends, holes
from search.solvers.ranges.small import BOARDS, RANKS, H, small_ranges, small_tree
from sixmax.betting.rules import CALL
from sixmax.search.solvers.problem import FrozenRow
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.search.solvers.ranges.values import action_values


def check_down(weight):
    """Net chips of each hand in a pot of 20 that is checked down, against ``weight`` float[H]."""
    of, out = holes(RANKS), np.full(H, np.nan)
    for hand, (left, won) in ends(BOARDS[1], dict(zip(of, weight, strict=True)), RANKS).items():
        out[of.index(hand)] = 10 * (2 * won - left) / left
    return out


def test_action_values__keep_the_rows_that_are_frozen():
    """The second player checks behind with every hand, as frozen, though it learned to bet."""
    tree, ranges = small_tree(1), small_ranges()
    game = endgame(tree, BOARDS[1], ranges, ranks=RANKS)
    check = tree.offered(0).index(CALL)
    behind = tree.children(0)[check]
    row = np.array([float(action == CALL) for action in tree.offered(behind)])
    frozen = [FrozenRow(behind, int(hole), row) for hole in game.hands[1].first]
    values, _ = action_values(RangeSolver(game, frozen=frozen).run(100), 0)
    held = np.isfinite(values[check])
    assert held.sum() > 10
    np.testing.assert_allclose(values[check, held], check_down(ranges[1])[held], atol=1e-4)
    free, _ = action_values(RangeSolver(game).run(100), 0)
    assert np.nanmax(np.abs(free[check] - values[check])) > 1
