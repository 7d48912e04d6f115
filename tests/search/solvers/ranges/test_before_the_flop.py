"""Games from before the flop, where chance deals one of some flops."""

import numpy as np
import pytest

from oracles.exact import flop_learner
from sixmax.cfr.layout import entries
from sixmax.cfr.methods import CFR_PLUS, DCFR
from sixmax.studies.libratus import blueprint
from studies.flop_games.small import game, three
from threads import same_on_two_threads

pytestmark = pytest.mark.usefixtures("one_thread")


def free(of, x):
    """The buckets at a decision that are no blocked hands."""
    r = of.tree.round(x)
    if r == 0:
        return np.ones(len(of.cards.share), bool)
    cards = of.cards.boards[r - 1]
    left = np.zeros(cards.bucket.shape, bool)
    np.put_along_axis(left, cards.free.astype(np.int64), True, 1)
    return left.ravel()


def check(of, actual, expected):
    """Strategies, where hands hardly come but for rounding, and all means."""
    tree = of.tree
    for x in tree.decision_nodes():
        at = entries(tree, of.layout, int(x))[free(of, int(x))]
        np.testing.assert_allclose(actual.strategy[at], expected.strategy[at], atol=2e-3)
    for x in tree.decision_nodes():
        if tree.round(x) < of.last:
            for name in ("by_class", "by_flop")[: of.last]:
                pair = (getattr(result, name)[:, x] for result in (actual, expected))
                np.testing.assert_allclose(*pair, atol=0.1, err_msg=name)
    np.testing.assert_allclose(actual.by_hole, expected.by_hole, atol=0.1)
    assert np.abs(expected.by_hole).max() > 500  # chips


@pytest.mark.parametrize("method", [CFR_PLUS, DCFR])
@pytest.mark.parametrize("buckets", [0, 5, 20])
def test_run__is_that_of_whole_arrays(method, buckets):
    bucket = blueprint.buckets_of(game(), buckets) if buckets else None
    expected = flop_learner.solve(game(), bucket, 8, method)
    check(game(), blueprint.solve(game(), buckets, 8, method), expected)


@pytest.mark.parametrize("buckets", [0, 5])
def test_run__of_three_rounds_is_that_of_whole_arrays(buckets):
    bucket = blueprint.buckets_of(three(), buckets) if buckets else None
    expected = flop_learner.solve(three(), bucket, 4)
    check(three(), blueprint.solve(three(), buckets, 4), expected)


def test_run__is_the_same_on_two_threads():
    same_on_two_threads(lambda _: blueprint.solve(game(), 5, 5).strategy)
