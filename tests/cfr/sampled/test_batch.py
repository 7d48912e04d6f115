"""The traversal against its slow twin, and what it must never do."""

import functools

import numpy as np
import pytest

from cfr.games import OFF, learner, random_regrets, run, small, three_handed
from oracles.cfr import Twin, counterfactual, head
from oracles.exact.enumeration import expected_log
from sixmax.base.rng import step, stream, unit
from sixmax.cfr.full.sweep import down, field, infosets, nash_conv
from sixmax.cfr.layout import infoset
from sixmax.cfr.policy import shares
from sixmax.cfr.sampled.log import apply_log, new_log
from sixmax.cfr.sampled.schedule import Pruning
from sixmax.cfr.sampled.train import _larger

ALWAYS = Pruning(0, 1.0, -50_000, -(10**9))
SEED = np.uint64(11)
GAMES = [lambda: small("kuhn", 3), lambda: small("leduc", 2), three_handed]


def kernel_sums(game, regret, deals, pruning, first=1, scale=1000.0, counted=1):
    """The change of each regret and counter by one batch, and [nodes, pruned]."""
    tree, _, layout, _ = game
    log = new_log(16384, 16384, 4)
    assert run(
        learner(tree, layout, pruning, SEED, scale, 1, counted), regret, deals, log, first, 2
    )
    gain = np.zeros(regret.size, np.int32)
    count = np.zeros(regret.size, np.int32)
    apply_log(gain, count, log, -(2**31) + 1, 1)
    return gain, count, log.used[:, 2:4].sum(axis=0)


def twin_sums(game, regret, deals, pruning, first=1, scale=1000.0, counted=1):
    tree, _, layout, _ = game
    twin = Twin(tree, layout, regret, pruning, scale, counted)
    seats = tree.columns.shape[1]
    with np.errstate(over="ignore"):
        for i in range(len(deals.rank) * seats):
            deal, me = i // seats, i % seats
            t = first + deal
            start = np.uint64(stream(SEED, np.uint64(t * seats + me)))
            twin.state = ~start
            twin.update_strategy(0, me, deals.bucket[deal])
            twin.state = np.uint64(step(start))
            prune = t > pruning.after and unit(twin.state) < pruning.share
            twin.traverse(0, me, deals.bucket[deal], deals.rank[deal], prune)
    return twin.gain, twin.count, twin.visits


@pytest.mark.parametrize("pruning", [OFF, ALWAYS])
@pytest.mark.parametrize("make", GAMES)
def test_batch__equals_slow_twin(make, pruning):
    game = make()
    tree, dealer, layout, _ = game
    regret = random_regrets(layout.size)
    deals = dealer.deal(np.uint64(5), 0, 20 if make is three_handed else 40)
    gain, count, (nodes, _) = kernel_sums(game, regret, deals, pruning)
    expected_gain, expected_count, expected_nodes = twin_sums(game, regret, deals, pruning)
    assert np.array_equal(count, expected_count)
    assert nodes == expected_nodes
    # Sums are rounded to whole units: the twin adds its products in another order.
    assert np.abs(gain - expected_gain).max() <= 1


def test_batch__moves_the_regrets_of_every_seat():
    game = small("kuhn", 3)
    tree, dealer, layout, _ = game
    gain, _, _ = kernel_sums(game, np.zeros(layout.size, np.int32), dealer.deal(SEED, 0, 300), OFF)
    for p in range(3):
        first = layout.base[0, p]
        slabs = gain[first : first + layout.buckets[0] * layout.columns[0, p]]
        assert np.count_nonzero(slabs) > slabs.size / 2


@pytest.mark.parametrize(("name", "seats"), [("kuhn", 2), ("kuhn", 3), ("leduc", 2)])
def test_batch__expectation_is_the_full_width_update(name, seats):
    """By enumeration of all deals and of every action that the opponents may be drawn to take."""
    tree, dealer, layout, _ = small(name, seats)
    regret, scale = random_regrets(layout.size), 1e6
    strategy = shares(tree, layout, np.maximum(regret, 0))
    actual, value = expected_log(tree, layout, dealer.deals, regret, scale)
    expected = np.zeros(layout.size)
    for me in range(seats):
        worth = counterfactual(tree, layout, dealer.deals, strategy, me)
        at, n = infosets(tree, layout, me)
        for row in (slice(first, first + k) for first, k in zip(at, n, strict=True)):
            expected[row] = worth[row] - (strategy[row] * worth[row]).sum()
    assert np.abs(expected).max() > 0.1
    assert np.abs(actual / scale - expected).max() < 1 / scale  # the log holds whole units
    assert value == pytest.approx(nash_conv(tree, layout, dealer.deals, strategy).values, abs=1e-9)


def columns_into_decisions(tree, layout):
    """Entries before the last round of actions, but for a node's first, that lead to decisions."""
    actual = []
    for x in range(len(tree.node)):
        kind, p, r, n = head(tree, x)
        if kind or r == tree.columns.shape[0] - 1:
            continue
        at = infoset(layout, r, p, np.arange(layout.buckets[r]), tree.node[x, 2])
        for a in range(1, n):
            if head(tree, int(tree.node[x, 1]) + a)[0] == 0:
                actual.extend(at + a)
    return np.array(actual)


def test_counters__of_more_rounds_than_the_paper_counts():
    game = small("leduc", 2)
    _, dealer, layout, _ = game
    regret, deals = random_regrets(layout.size), dealer.deal(np.uint64(5), 0, 60)
    _, one, _ = kernel_sums(game, regret, deals, OFF)
    _, both, _ = kernel_sums(game, regret, deals, OFF, counted=2)
    _, expected, _ = twin_sums(game, regret, deals, OFF, counted=2)
    assert np.array_equal(both, expected)
    later = slice(int(layout.start[1]), None)
    assert both[later].sum() > one[later].sum() == 0


def test_pruning__never_on_the_last_round_nor_for_actions_that_end_the_hand():
    game = three_handed()
    tree, dealer, layout, _ = game
    regret = np.full(layout.size, -60_000, np.int32)
    deals = dealer.deal(SEED, 0, 300)
    plain, _, (nodes, none_pruned) = kernel_sums(game, regret, deals, OFF)
    gain, _, (fewer_nodes, pruned) = kernel_sums(game, regret, deals, ALWAYS)
    assert none_pruned == 0
    assert pruned > 0
    assert fewer_nodes < nodes
    # With everything at one regret below the threshold, before the river only the first action, the
    # best of equals, and actions that end the hand are explored: no other column ever moves.
    others = columns_into_decisions(tree, layout)
    assert np.count_nonzero(plain[others]) > 50
    assert np.count_nonzero(gain[others]) == 0
    # On the last round, below the threshold, all is explored: Kuhn has one round only.
    kuhn = small("kuhn", 2)
    low = np.full(kuhn[2].size, -60_000, np.int32)
    deals = kuhn[1].deal(SEED, 0, 100)
    assert np.array_equal(
        kernel_sums(kuhn, low, deals, OFF)[0], kernel_sums(kuhn, low, deals, ALWAYS)[0]
    )


def test_pruning__on_its_share_of_iterations_and_for_the_whole_iteration():
    tree, dealer, layout, _ = three_handed()
    regret = np.full(layout.size, -60_000, np.int32)
    deals = dealer.deal(SEED, 0, 1)
    log = new_log(64, 64, 4)

    def prunes(t, after):
        """Whether the seat that acts first, which always gets to act, leaves something out."""
        pruning = Pruning(after, 0.95, -50_000, -(10**9))
        assert run(learner(tree, layout, pruning, SEED, 1.0, 0), regret, deals, log, t)
        return log.used[-1, 3] > 0  # the last chunk has the last of 3 work items

    assert abs(np.mean([prunes(t, 0) for t in range(1, 2001)]) - 0.95) < 0.02
    assert not any(prunes(t, 2000) for t in range(1, 2001))


@functools.cache
def sums_of_leduc():
    """Game, regrets and deals; their sums in one large log, and their sums by the twin."""
    game = small("leduc", 2)
    _, dealer, layout, _ = game
    regret, deals = random_regrets(layout.size), dealer.deal(SEED, 0, 400)
    kernel = kernel_sums(game, regret, deals, OFF)
    return game, regret, deals, kernel, twin_sums(game, regret, deals, OFF)


@pytest.mark.parametrize("room", [(2, 2), (2, 16384), (16384, 2)], ids=["both", "rows", "visits"])
def test_log__too_small_is_said_and_nothing_is_lost(room):
    """The same log, doubled until all fits, holds what one large log holds and the twin adds."""
    (tree, _, layout, _), regret, deals, kernel, twin = sums_of_leduc()
    kept = regret.copy()
    log, refused = new_log(*room, 4), 0
    while not run(learner(tree, layout, OFF, SEED), regret, deals, log, parts=2):
        log, refused = _larger(log), refused + 1
    assert refused > 1
    assert np.array_equal(regret, kept)
    gain, count = np.zeros_like(regret), np.zeros_like(regret)
    apply_log(gain, count, log, -(2**31) + 1, 1)
    expected, expected_count, nodes = kernel
    assert np.count_nonzero(expected) > 100
    assert np.array_equal(gain, expected)
    assert np.array_equal(count, expected_count)
    assert np.array_equal(log.used[:, 2:4].sum(axis=0), nodes)
    twin_gain, twin_count, _ = twin
    assert np.abs(gain - twin_gain).max() <= 1
    assert np.array_equal(count, twin_count)


@pytest.mark.parametrize(("name", "seats"), [("kuhn", 2), ("kuhn", 3), ("leduc", 2)])
def test_update_strategy__expectation_is_own_reach_times_strategy(name, seats):
    """The terms of the average of every player, however many (Algorithm 1)."""
    tree, dealer, layout, _ = small(name, seats)
    regret = random_regrets(layout.size)
    strategy = shares(tree, layout, np.maximum(regret, 0))
    actual, _ = expected_log(tree, layout, dealer.deals, regret, 1.0, counters=True)
    game, expected = field(tree, layout, dealer.deals), np.zeros(layout.size)
    others, own = np.empty((2, len(tree.node), len(game.chance)))
    for x in range(len(tree.node)):
        kind, p, r, n = head(tree, x)
        if kind:
            continue
        down(game, strategy, p, others, own)
        for a in range(n):
            at = game.offset[p, r] + tree.node[x, 2] + a
            np.add.at(expected, at, game.chance * own[x] * strategy[at])
    assert np.count_nonzero(expected) > layout.size / 8
    assert actual == pytest.approx(expected, abs=1e-12)
