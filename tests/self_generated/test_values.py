"""Values of leaves by roll-outs, where they are known; and their weakening."""

import numpy as np
import pytest

from search.holdem import RANKS, small_run
from search.solvers.first_round_values import NO_BOARD, drawn
from sixmax.betting.tree import n_actions, round_of, seat_of
from sixmax.cfr.layout import infoset, section
from sixmax.search.solvers.limited.hands import hands_on
from sixmax.self_generated.trunk import range_at
from sixmax.self_generated.values import estimated, leaf_starts, weakened, won

pytestmark = pytest.mark.usefixtures("one_thread")


def sure(run, seat, action):
    """A policy in which ``seat`` takes its first (0) or last (-1) action in each later round."""
    policy = small_run(2)[1].copy()
    for x in run.tree.decision_nodes():
        head = int(run.tree.node[x, 0])
        if seat_of(head) != seat or round_of(head) == 0:
            continue
        bucket = np.arange(run.layout.buckets[round_of(head)])
        at = infoset(run.layout, round_of(head), seat, bucket, run.tree.node[x, 2])
        policy[at[:, None] + np.arange(n_actions(head))] = 0
        policy[at + (n_actions(head) - 1) * (action < 0)] = 255
    return policy


def rows_of(run, seat):
    """The entries of ``seat``: bool[layout.size]."""
    mine = np.zeros(run.layout.size, bool)
    for r in range(4):
        mine[section(run.layout, r, seat)] = True
    return mine


@pytest.mark.parametrize("seat", [0, 1])
def test_estimated__of_one_who_folds_to_every_bet_are_his_chips_in_the_pot(seat):
    run, _ = small_run(2)
    bettor, folder = sure(run, 1 - seat, -1), sure(run, seat, 0)
    both = np.where(rows_of(run, seat), folder, bettor)
    actual = estimated(run, both, 200, 1)
    node = leaf_starts(run)
    put = run.tree.node[node, 3]  # of the first to act, and both have put in the same
    assert (put > 0).all()
    expected = (-put if seat == 0 else put).astype(float)
    np.testing.assert_allclose(actual - expected[:, None, None], 0, atol=0.05)
    assert actual.shape == (len(node), RANKS**2, RANKS**2)


def test_estimated__is_of_the_deals_that_the_seed_draws():
    run, policy = small_run(2)
    first = estimated(run, policy, 300, 1)
    np.testing.assert_array_equal(first, estimated(run, policy, 300, 1))
    assert np.ptp(first) > 100
    assert not np.array_equal(first, estimated(run, policy, 300, 2))


@pytest.mark.parametrize("seat", [0, 1])
def test_weakened__no_class_beats_the_base_and_those_that_did_not_stay(seat):
    run, policy = small_run(2)
    node, (base, values) = drawn().node, drawn().chips[seat, :2]
    actual = weakened(run, policy, seat, node, base, values)
    hands, sign = hands_on(NO_BOARD, run.buckets, RANKS), 1 - 2 * seat
    for i, x in enumerate(node):
        weight = range_at(run, policy, hands, int(x), 1 - seat)
        before, after, old = (
            sign * ((hands.apart * m) @ weight if seat == 0 else weight @ (hands.apart * m))
            for m in (values[i], actual[i], base[i])
        )
        np.testing.assert_allclose(after, np.minimum(before, old), rtol=1e-4, atol=0.5)
        assert 0 < (before > old).sum() < RANKS**2
    mine, gained = (won(run, policy, seat, node, m - base) for m in (actual, values))
    assert mine < 0
    assert mine < gained


def test_won__is_a_mean_over_the_hands_that_come_to_a_leaf():
    """One chip at every leaf is the probability to come to any."""
    run, policy = small_run(2)
    node = drawn().node
    ones = np.ones(drawn().chips.shape[2:])
    actual = won(run, policy, 0, node, ones)
    hands = hands_on(NO_BOARD, run.buckets, RANKS)
    holes = np.bincount(hands.of_hole)
    expected = sum(
        range_at(run, policy, hands, int(x), 0)
        @ hands.apart
        @ range_at(run, policy, hands, int(x), 1)
        for x in node
    ) / (holes @ hands.apart @ holes)
    assert actual == pytest.approx(expected)
    assert 0 < actual < 1
    assert won(run, policy, 1, node, ones) == pytest.approx(-actual)
