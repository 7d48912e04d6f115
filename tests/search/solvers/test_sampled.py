"""Monte Carlo Linear CFR on subgames of a small deck."""

import numpy as np
import pytest

from leaf_function.small import network, small_source
from search.holdem import HOLES, RANKS, RIVER, every_deal, flop, problem, river
from sixmax.betting.tree import LEAF, kind_of, offers_fold
from sixmax.cards.deck import holds, hole_id
from sixmax.cfr.full import solve as full
from sixmax.cfr.full.sweep import nash_conv
from sixmax.cfr.layout import strategy_at
from sixmax.cfr.methods import CFR_PLUS, DCFR
from sixmax.cfr.policy import uniform
from sixmax.leaf_function.network import LeafFunction
from sixmax.search.constraints import Alternative, FrozenRow
from sixmax.search.solvers.deal import hands_alike
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.search.solvers.sampled import Effort, solve_for
from threads import same_on_two_threads


def gap(game, strategy):
    """The exploitability over all deals of the river, in chips."""
    return nash_conv(game.tree, game.layout, every_deal(RIVER), strategy).total / 2


@pytest.mark.usefixtures("one_thread")
def test_solve__too_few_iterations_lose_to_the_blueprint():
    """A river whose blueprint is an equilibrium, so that search can only lose to it: chips of a
    pot of 200, both seats in turn. Uniform play loses 15.4; 50 iterations are worth little."""
    game, deals = river(), every_deal(RIVER)
    blueprint = full.solve(game.tree, game.layout, deals, 100, CFR_PLUS)[100]

    def lost(strategy):
        total = 0.0
        for seat in (0, 1):
            mixed, layout = blueprint.copy(), game.layout
            begin = layout.base[0, seat]
            own = slice(begin, begin + layout.columns[0, seat] * layout.buckets[0])
            mixed[own] = strategy[own]
            total -= nash_conv(game.tree, layout, deals, mixed).values[seat]
        return total / 2

    effort = (Effort(n, batch=50) for n in (50, 1000, 20_000))
    few, more, many = (lost(solve_for(problem(game), each).average) for each in effort)
    untrained = lost(uniform(game.tree, game.layout))
    assert many < 2.5 < more < 6 < few < untrained < 16
    assert lost(blueprint) == pytest.approx(0)


@pytest.mark.usefixtures("one_thread")
def test_solve__four_times_the_work_halves_what_is_left():
    """Of the exploitability over all deals. The solver of all hands at once comes nearer."""
    game, beliefs = river(), np.ones((2, HOLES))
    once, again = (solve_for(problem(game), Effort(n, batch=50)) for n in (20_000, 80_000))
    assert (game.to_the_end, once.iterations) == (True, 20_000)
    assert gap(game, uniform(game.tree, game.layout)) > 30
    assert gap(game, again.average) < 0.5 * gap(game, once.average) < 2
    exact = RangeSolver(endgame(game.tree, RIVER, beliefs, ranks=RANKS), DCFR).run(300)
    assert gap(game, exact.strategy()) < gap(game, exact.strategy(last=True)) < 0.1


@pytest.mark.usefixtures("one_thread")
def test_solve__with_leaves_is_the_same_again_and_holds_what_is_frozen():
    game, effort = flop(), Effort(2000, batch=100)
    assert (kind_of(game.tree.node[:, 0]) == LEAF).any()
    first, again = (solve_for(problem(game), effort) for _ in range(2))
    third = solve_for(problem(game, seed=2), effort)
    assert np.array_equal(first.average, again.average)
    assert not np.array_equal(first.average, third.average)
    hole, row = hole_id(2, 6), np.array([0.25, 0.75])
    like = hands_alike(RIVER[:3], RANKS)
    fixed = solve_for(problem(game, frozen=[FrozenRow(0, hole, row)]), effort)
    rows = strategy_at(game.tree, game.layout, fixed.average, 0)
    np.testing.assert_allclose(rows[hole], row, atol=1e-6)
    assert np.array_equal(rows, rows[like])
    assert len(np.unique(rows.round(6), axis=0)) > 10


def test_solve__threads_change_nothing():
    asked = problem(flop())
    same_on_two_threads(lambda _: solve_for(asked, Effort(200, batch=100)).average)


@pytest.mark.parametrize(("share", "folds"), [(-1.5, True), (1.5, False)])
def test_solve__plays_by_a_learned_value_of_leaves(share, folds):
    """Leaves that pay a pot and a half are come to, those that cost it are not: the player who
    faces a bet calls or folds nearly always. The same bits for any number of threads."""
    game, net = flop(), network(3)
    net = net._replace(last=0 * net.last, last_bias=0 * net.last_bias + np.float32(share))
    function = LeafFunction(net, np.zeros((RANKS**2, 2), np.float32), RANKS, 4)
    places = small_source(3).places
    asked = problem(game)
    leaves = asked.leaf_values._replace(function=function, places=places)
    asked, effort = asked._replace(leaf_values=leaves), Effort(3000, batch=100)
    average = same_on_two_threads(lambda _: solve_for(asked, effort).average)
    faced = next(x for x in game.tree.decision_nodes() if offers_fold(int(game.tree.node[x, 0])))
    dealt = ~holds(RIVER[:3], RANKS)
    fold = strategy_at(game.tree, game.layout, average, faced)[dealt, 0].mean()
    assert fold > 0.8 if folds else fold < 0.2, "untrained: a half"


def test_solve__stops_after_its_seconds():
    effort = Effort(100_000_000, seconds=0.01, batch=100, discounts=1_000_000)
    solution = solve_for(problem(flop()), effort)
    assert 0 < solution.iterations < effort.iterations


def test_solve__frozen_row_of_another_node():
    frozen = [FrozenRow(0, 5, np.ones(3) / 3)]
    with pytest.raises(ValueError, match="no decision of round 0 with 3 actions"):
        solve_for(problem(flop(), frozen=frozen), Effort(100))


def test_solve__by_samples_refuses_to_be_safe_and_has_no_values():
    safe = problem(river())._replace(alternative=Alternative(0, np.zeros(HOLES)))
    with pytest.raises(ValueError, match="found an alternative, wanted None"):
        solve_for(safe, Effort(100))
    solution = solve_for(problem(river()), Effort(100))
    with pytest.raises(ValueError, match="no values of hands"):
        solution.values_at(0)
