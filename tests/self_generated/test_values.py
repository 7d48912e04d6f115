"""The first round solved with kept values, and values of leaves that are known."""

import itertools

import numpy as np
import pytest

from search.holdem import NO_BOARD, RANKS, drawn, first_round_game, small_run, whole_round
from sixmax.base.jit import read_only
from sixmax.betting.tree import n_actions, round_of, seat_of
from sixmax.cfr.layout import infoset, section
from sixmax.cfr.methods import DCFR
from sixmax.search.solvers.first_round import ranges_at
from sixmax.search.solvers.limited.hands import hands_on
from sixmax.search.solvers.limited.solver import LimitedSolver
from sixmax.self_generated.values import estimated, leaf_starts, solve, weakened, won

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


def by_blueprint():
    """The classes of hands before the flop, and the ranges that come to the leaves."""
    run, policy = small_run(2)
    hands = hands_on(NO_BOARD, run.buckets, RANKS)
    return hands, ranges_at(run, policy, drawn().node)


@pytest.mark.parametrize("seat", [0, 1])
def test_weakened__no_class_beats_the_base_and_those_that_did_not_stay(seat):
    (hands, ranges), (base, values) = by_blueprint(), drawn().chips[seat, :2]
    actual, sign = weakened(hands, ranges, seat, base, values), 1 - 2 * seat
    for i, weight in enumerate(ranges[1 - seat]):
        before, after, old = (
            sign * ((hands.apart * m) @ weight if seat == 0 else weight @ (hands.apart * m))
            for m in (values[i], actual[i], base[i])
        )
        np.testing.assert_allclose(after, np.minimum(before, old), rtol=1e-4, atol=0.5)
        assert 0 < (before > old).sum() < RANKS**2
    mine, gained = (won(hands, ranges, seat, m - base) for m in (actual, values))
    assert mine < 0
    assert mine < gained


def test_won__is_a_mean_over_the_hands_that_come_to_a_leaf():
    """One chip at every leaf is the probability to come to any."""
    hands, ranges = by_blueprint()
    ones, holes = np.ones(drawn().chips.shape[2:]), np.bincount(hands.of_hole)
    actual = won(hands, ranges, 0, ones)
    expected = sum(a @ hands.apart @ b for a, b in zip(*ranges, strict=True))
    expected /= holes @ hands.apart @ holes
    assert actual == pytest.approx(expected)
    assert 0 < actual < 1
    assert won(hands, ranges, 1, ones) == pytest.approx(-actual)


def first(number):
    """The first values of those drawn."""
    return drawn()._replace(chips=drawn().chips[:, :number])


@pytest.mark.parametrize("chooser", [0, 1])
def test_solve__a_player_with_more_to_choose_from_wins_more(chooser):
    run, _ = small_run(2)
    one, two, three = (solve(run, first(n), chooser, 1500).value for n in (1, 2, 3))
    assert one + 5 < two < three - 2  # chips


@pytest.mark.parametrize("chooser", [0, 1])
def test_solve__has_the_rows_of_the_one_who_does_not_choose(chooser):
    run, _ = small_run(2)
    rows, us = solve(run, first(2), chooser, 100).strategy, 1 - chooser
    _, game = first_round_game(2, 1 << chooser)
    expected = LimitedSolver(game, np.ones((2, len(game.hands.of_hole))), DCFR).run(100)
    subgame = whole_round(2, 1 << chooser).tree
    assert len(rows) == run.layout.start[1]
    assert not rows[section(run.layout, 0, chooser)].any()
    for x in np.flatnonzero(round_of(run.tree.node[:, 0]) == 0):
        head = int(run.tree.node[x, 0])
        if not n_actions(head) or seat_of(head) != us:
            continue
        at = infoset(run.layout, 0, us, np.arange(RANKS**2), run.tree.node[x, 2])
        row = rows[at[:, None] + np.arange(n_actions(head))]
        at_node = game.first[subgame.find(run.tree.path(int(x)))]
        same = expected.strategy()[at_node : at_node + n_actions(head)].T
        np.testing.assert_allclose(row, same)  # a class is a bucket of the run
    assert rows.std() > 0.1, "hands that differ play alike"


def test_solve__of_another_tree_than_the_blueprint_s_is_refused():
    run, _ = small_run(2)
    action = run.tree.action.copy()
    action[run.tree.node[0, 1] + 2] += 1
    with pytest.raises(ValueError, match="other actions than the blueprint's"):
        solve(run._replace(tree=run.tree._replace(action=read_only(action))), first(2), 0, 1)


def test_ranges_at__are_the_products_of_the_rows_on_the_way():
    run, policy = small_run(2)
    hands, ranges = by_blueprint()
    for i, node in enumerate(drawn().node):
        for seat in (0, 1):
            actual, expected = ranges[seat, i], np.ones(RANKS**2)
            taken = run.tree.path(int(node))
            way = [run.tree.find(taken[:k]) for k in range(len(taken) + 1)]
            for x, y in itertools.pairwise(way):
                head = int(run.tree.node[x, 0])
                if seat_of(head) != seat:
                    continue
                place = list(run.tree.children(x)).index(y)
                for c in range(RANKS**2):
                    at = int(infoset(run.layout, 0, seat, c, run.tree.node[x, 2]))
                    row = policy[at : at + n_actions(head)].astype(float)
                    expected[c] *= row[place] / row.sum()
            np.testing.assert_allclose(actual, expected * np.bincount(hands.of_hole))
