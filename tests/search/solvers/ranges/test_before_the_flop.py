"""Games from before the flop, where chance deals one of some flops: beside two other engines."""

import numpy as np
import pytest

from sixmax.cards.deck import classes, n_holes
from sixmax.cards.isomorphism import boards
from sixmax.cfr.methods import CFR_PLUS, DCFR
from sixmax.search.solvers.ranges.boards import Flops
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.studies.flop_games.equilibrium import FlopEffort, equilibrium
from sixmax.studies.libratus import blueprint
from studies.flop_games.small import RANKS, game

pytestmark = pytest.mark.usefixtures("one_thread")


def laid_out(bucket=None):
    """The game of the tests of flop games, of twenty cards and three flops."""
    of = game()
    flops = Flops(boards(RANKS, 3).cards[of.flops], of.chance)
    later = () if bucket is None else (bucket.astype(np.int32),)
    buckets, ranges = (classes(RANKS)[None], *later), np.ones((2, n_holes(RANKS)))
    return endgame(of.tree, [], ranges, buckets, RANKS, final=3, flops=flops)


@pytest.mark.parametrize("method", [CFR_PLUS, DCFR])
def test_run__by_class_before_the_flop_is_the_equilibrium_of_flop_games(method):
    strategy = equilibrium(game(), FlopEffort(8, method))
    actual, expected = (
        RangeSolver(laid_out(), method).run(8).nash_conv(),
        game().nash_conv(strategy),
    )
    np.testing.assert_allclose(actual.values, expected.values, atol=1e-3)
    np.testing.assert_allclose(actual.gains, expected.gains, atol=2e-3)
    assert expected.gains.min() > 10  # chips: far from the end, where all strategies are alike


@pytest.mark.parametrize("method", [CFR_PLUS, DCFR])
def test_run__buckets_that_flops_share_are_those_of_the_learner_of_libratus(method):
    """Regrets of all flops are added first, and then discounted."""
    bucket = blueprint.buckets_of(game(), 20)
    strategy = blueprint.solve(game(), 20, 8, method).strategy
    actual = RangeSolver(laid_out(bucket), method).run(8).nash_conv()
    expected = game().nash_conv(strategy)
    np.testing.assert_allclose(actual.values, expected.values, atol=1e-3)
    assert np.abs(expected.values).min() > 3
