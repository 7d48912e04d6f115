"""The mode that is not reproducible: on one thread and one item at a time it must be."""

import numpy as np
import pytest
from benchmarks import unsynchronised

from cfr.games import PLAIN, small, three_handed
from sixmax.cfr.full.best_response import nash_conv
from sixmax.cfr.policy import shares, uniform
from sixmax.cfr.sampled.train import new_table, train
from sixmax.jit import set_threads

PRUNED = PLAIN._replace(
    discount_every=40, discount_until=300, prune_after=100, prune_share=0.95,
    prune_threshold=-200_000, regret_floor=-250_000,
)  # fmt: skip


def test_unsynchronised__on_one_thread_is_training_in_batches_of_one():
    """The twin: frozen for one iteration, which is what a thread of its own adds at a time."""
    set_threads(1)
    tree, dealer, where, expected = three_handed()
    stats = train(tree, where, dealer, expected, PRUNED, 7, 1, 400)
    actual = new_table(where)
    found = unsynchronised.train(tree, where, dealer, actual, PRUNED._replace(batch=20), 7, 1, 400)
    assert found == stats
    assert stats.pruned > 100
    assert (expected.regret == PRUNED.regret_floor).any()
    assert np.array_equal(actual.regret, expected.regret)
    assert np.array_equal(actual.count, expected.count)


def test_unsynchronised__kuhn_converges_on_two_threads():
    """Untrained: NashConv 11/12 (OpenSpiel 2.0.2)."""
    set_threads(2)
    tree, dealer, where, table = small("kuhn", 2)
    untrained = nash_conv(tree, where, dealer.deals, uniform(tree, where))
    assert untrained.total == pytest.approx(11 / 12)
    unsynchronised.train(tree, where, dealer, table, PLAIN._replace(batch=1000), 1, 1, 100_000)
    strategy = shares(tree, where, table.count)
    assert nash_conv(tree, where, dealer.deals, strategy).total < 0.05


def test_unsynchronised__refuses_to_cut_a_batch():
    tree, dealer, where, table = small("kuhn", 2)
    with pytest.raises(ValueError, match="cut a batch"):
        unsynchronised.train(tree, where, dealer, table, PLAIN._replace(batch=50), 1, 1, 99)
