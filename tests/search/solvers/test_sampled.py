"""Monte Carlo Linear CFR on subgames of a small deck."""

import functools

import numpy as np
import pytest

from search.holdem import RANKS, small_run
from sixmax.cards.deck import hole_cards, hole_id, n_holes
from sixmax.cards.evaluate import rank_holes
from sixmax.cfr.deals import Deals
from sixmax.cfr.full import solve as full
from sixmax.cfr.full.best_response import nash_conv, values
from sixmax.cfr.policy import uniform
from sixmax.continuation.compress import bit_layout, pack
from sixmax.game.tree import LEAF
from sixmax.jit import set_threads, threads_in_use
from sixmax.play.locate import places
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import solve as all_hands
from sixmax.search.solvers.sampled import Effort, FrozenRow, Ground, solve, strategy_at
from sixmax.search.subgame import build, public_state

HOLES = n_holes(RANKS)
RIVER = np.array([0, 5, 9, 14, 23], np.int8)


@functools.cache
def ground(seats):
    run, policy = small_run(seats)
    packed = pack(run.tree, run.layout, policy, 5.0, 3)
    bits = bit_layout(run.tree, run.layout)[0]
    return Ground(run.tree, run.layout, run.buckets, packed, RANKS, bits)


def subgame(seats, board, actions):
    run, _ = small_run(seats)
    state = public_state(run.game, board, actions)
    return build(state, run.game.rounds, places(run.game, run.tree), RANKS, 5)


def river():
    """Two players who checked to the river: 171 hands each, one bet."""
    return subgame(2, RIVER, [0, 0] * 3)


def flop():
    """Three players on the flop: with leaves at the turn."""
    return subgame(3, RIVER[:3], [0, 0, 0])


def every_deal(board):
    """All pairs of hands on ``board``, equally likely."""
    rank = np.empty(HOLES, np.int32)
    rank_holes(board, RANKS, rank)
    hole, free = hole_cards(RANKS), np.flatnonzero(rank >= 0)
    a, b = (x.ravel() for x in np.meshgrid(free, free))
    apart = ~(hole[a][:, :, None] == hole[b][:, None, :]).any(axis=(1, 2))
    pair = np.stack([a[apart], b[apart]], axis=1).astype(np.int32)
    return Deals(pair[:, :, None], rank[pair][:, None, :])


@pytest.mark.usefixtures("one_thread")
def test_solve__comes_near_an_equilibrium_of_the_river():
    """Exploitability over all deals, in chips of a pot of 200; uniform play beside it."""
    game, deals = river(), every_deal(RIVER)
    assert game.to_the_end
    found = solve(game, np.ones((2, HOLES)), ground(2), Effort(20_000, batch=50), 1)
    gap = {
        name: nash_conv(game.tree, game.layout, deals, strategy).total / 2
        for name, strategy in (
            ("uniform", uniform(game.tree, game.layout)), ("average", found.average),
        )
    }  # fmt: skip
    assert gap["uniform"] > 30
    assert gap["average"] < 6
    assert found.iterations == 20_000
    assert found.nodes > 20_000


@pytest.mark.usefixtures("one_thread")
def test_solve__too_few_iterations_lose_to_the_blueprint():
    """A river whose blueprint is an equilibrium, so that search can only lose to it: chips of a
    pot of 200, both seats in turn. Uniform play loses 15.4; 50 iterations are worth nothing."""
    game, deals = river(), every_deal(RIVER)
    blueprint = full.solve(game.tree, game.layout, deals, 100, full.CFR_PLUS)[100]

    def lost(strategy):
        total = 0.0
        for seat in (0, 1):
            mixed, where = blueprint.copy(), game.layout
            begin = where.base[0, seat]
            own = slice(begin, begin + where.columns[0, seat] * where.buckets[0])
            mixed[own] = strategy[own]
            total -= values(game.tree, where, deals, mixed)[seat]
        return total / 2

    effort = (Effort(n, batch=50) for n in (50, 1000, 20_000))
    few, more, many = (
        lost(solve(game, np.ones((2, HOLES)), ground(2), how, 1).last) for how in effort
    )
    untrained = lost(uniform(game.tree, game.layout))
    assert many < 2.5 < 5 < more < 10 < few < untrained < 16
    assert lost(blueprint) == pytest.approx(0)


@pytest.mark.usefixtures("one_thread")
def test_solve__last_iterate_stands_still_on_the_river_and_its_average_does_not():
    """Sampled: four times the work halves what is left of the average, and not of the last
    iterate. All hands at once: the last iterate converges too. Uniform play: 44 chips."""
    game, deals = river(), every_deal(RIVER)

    def gap(strategy):
        return nash_conv(game.tree, game.layout, deals, strategy).total / 2

    beliefs = np.ones((2, HOLES))
    once, again = (
        solve(game, beliefs, ground(2), Effort(n, batch=50), 1) for n in (20_000, 80_000)
    )
    assert gap(again.average) < 0.5 * gap(once.average) < 2
    assert gap(again.last) > 0.8 * gap(once.last) > 1.6 * gap(again.average)
    exact = all_hands(endgame(game.tree, RIVER, beliefs, ranks=RANKS), 300, full.DCFR)
    assert gap(exact.strategy(last=True)) < 0.1
    assert gap(exact.strategy()) < gap(exact.strategy(last=True))


@pytest.mark.usefixtures("one_thread")
def test_solve__with_leaves_is_the_same_again_and_holds_what_is_frozen():
    game, effort = flop(), Effort(2000, batch=100)
    assert (game.tree.node[:, 0] & 15 == LEAF).any()
    beliefs = np.ones((3, HOLES))
    first, again = (solve(game, beliefs, ground(3), effort, 1) for _ in range(2))
    other = solve(game, beliefs, ground(3), effort, 2)
    assert np.array_equal(first.last, again.last)
    assert np.array_equal(first.average, again.average)
    assert not np.array_equal(first.last, other.last)
    hole, row = hole_id(2, 6), np.array([0.25, 0.75])
    fixed = solve(game, beliefs, ground(3), effort, 1, [FrozenRow(0, hole, row)])
    for strategy in (fixed.last, fixed.average):
        rows = strategy_at(game.tree, game.layout, strategy, 0)
        np.testing.assert_allclose(rows[hole], row, atol=1e-6)
        assert len(np.unique(rows.round(6), axis=0)) > 20


def test_solve__threads_change_nothing():
    before, found = threads_in_use(), []
    for threads in (1, 2):
        set_threads(threads)
        found.append(solve(flop(), np.ones((3, HOLES)), ground(3), Effort(200, batch=100), 1))
    set_threads(before)
    assert np.array_equal(found[0].last, found[1].last)
    assert np.array_equal(found[0].average, found[1].average)


def test_solve__stops_after_its_seconds():
    effort = Effort(100_000_000, seconds=0.01, batch=100, discounts=1_000_000)
    found = solve(flop(), np.ones((3, HOLES)), ground(3), effort, 1)
    assert 0 < found.iterations < effort.iterations


def test_solve__frozen_row_of_another_node():
    with pytest.raises(ValueError, match="no decision of round 0 with 3 actions"):
        solve(
            flop(),
            np.ones((3, HOLES)),
            ground(3),
            Effort(100),
            1,
            [FrozenRow(0, 5, np.ones(3) / 3)],
        )
