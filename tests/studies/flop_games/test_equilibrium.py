"""CFR hand by hand is the CFR of whole arrays; subgames keep what is fixed."""

import numpy as np
import pytest

from sixmax.base.jit import set_threads
from sixmax.cfr.methods import CFR_PLUS, DCFR
from sixmax.evaluation.exploitability.exact_holdem import RangeWalk, nash_conv
from sixmax.studies.flop_games import trunk
from sixmax.studies.flop_games.equilibrium import Below, FlopEffort, equilibrium, learn
from sixmax.studies.flop_games.off_tree import rows_of
from sixmax.studies.libratus import blueprint
from sixmax.studies.modicum.makers import range_of, respond
from studies.flop_games.small import game


def gains(strategy):
    of = game()
    return nash_conv(of.tree, of.layout, of.cards, strategy).total


@pytest.mark.parametrize("method", [CFR_PLUS, DCFR])
def test_equilibrium__is_that_of_the_learner_of_libratus(method):
    """Hands that hardly ever come apart, where rounding decides: so by a few iterations."""
    slow, fast = blueprint.solve(game(), 0, 8, method).strategy, equilibrium(game(), 8, method)
    np.testing.assert_allclose(fast, slow, atol=1e-4)


def test_equilibrium__comes_near():
    assert gains(equilibrium(game(), 300)) < 0.005 * gains(equilibrium(game(), 1))


def test_equilibrium__is_the_same_on_two_threads():
    set_threads(2)
    both = equilibrium(game(), 5)
    set_threads(1)
    np.testing.assert_array_equal(equilibrium(game(), 5), both)


def test_learn__keeps_the_rows_that_are_fixed():
    """The first player always limps two times in ten; the other then answers worse play."""
    of = game()
    top = trunk.trunk(of, 0, None, of.roots, None)
    fixed = np.full((top.rows, len(of.cards.share)), np.nan)
    first, row = int(top.first[0]), [0.2, 0.3, 0.5]
    fixed[first : first + 3] = np.array(row)[:, None]
    free, kept = np.empty(of.layout.size), np.empty(of.layout.size)
    learn(of, free, Below(0, of.roots), FlopEffort(100))
    learn(of, kept, Below(0, of.roots, fixed=fixed), FlopEffort(100))
    actual = kept[rows_of(of, 0)]
    np.testing.assert_allclose(actual, np.tile(row, (len(actual), 1)))
    assert gains(kept) > 5 * gains(free)


def test_equilibrium__hands_that_hardly_come_to_a_flop_play_it_well_too():
    """They lose less to a best response of their own, against the range that they would meet."""
    of, lost = game(), []
    for spread in (0.0, 0.001):
        strategy, total = equilibrium(of, 200, spread=spread), 0.0
        for root in of.roots:
            never = range_of(of, strategy, root, 1) < 1e-3
            theirs = range_of(of, strategy, root, 0)[of.cards.of_hole]
            held = np.broadcast_to(theirs, of.cards.boards[0].bucket.shape)
            walk = RangeWalk(of.tree, of.layout, of.cards, strategy, 1)
            own = walk.board(root, held, of.cards.boards)[0]
            best = respond(of, strategy.copy(), 1, root, range_of(of, strategy, root, 0))
            total += (best - own)[:, never[of.cards.of_hole]].sum()
        lost.append(total)
    assert lost[1] < 0.5 * lost[0], lost
