"""The methods on ranges: by their equations on all pairs of hands, and by the exact engine."""

import numpy as np
import pytest

import sixmax as sx
from oracles.cfr import EQUATIONS, full_width
from search.solvers.ranges import small
from search.solvers.ranges.small import BOARDS, H, listed_game, small_ranges, small_tree
from sixmax.cfr.full.solve import solve_field
from sixmax.cfr.full.sweep import field
from sixmax.cfr.layout import infoset, layout
from sixmax.cfr.methods import CARRIED, DCFR, DCFR_EXACT, METHODS
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver

pytestmark = pytest.mark.usefixtures("one_thread")
PREDICTIVE = [name for name, method in CARRIED.items() if method.ahead]


def solver_of(rounds, method, iterations, buckets=()):
    game = endgame(small_tree(rounds), BOARDS[rounds], small_ranges(), buckets, small.RANKS)
    return RangeSolver(game, METHODS[method].over(iterations))


def by_hole(known, strategy, seat, holes):
    """The rows of round 0 of some holes."""
    here = slice(known.base[0, seat], infoset(known, 0, seat, H, 0))
    return strategy[here].reshape(H, -1)[holes]


@pytest.mark.parametrize("method", EQUATIONS)
def test_run__is_its_equations_on_all_pairs_of_a_river(method):
    tree = small_tree(1)
    known, deals = listed_game(1, small_ranges(), tree)
    solver = solver_of(1, method, 3)
    for average, last in full_width(tree, known, deals, method, 3):
        solver.run(1)
        for seat in (0, 1):
            holes = np.unique(deals.bucket[:, seat, 0])
            for expected, flag in ((average, False), (last, True)):
                actual = by_hole(known, solver.strategy(flag), seat, holes)
                np.testing.assert_allclose(actual, by_hole(known, expected, seat, holes), atol=1e-3)
    assert solver.nash_conv().total < 0.9 * solver_of(1, method, 3).nash_conv().total


def entries_of(game, player):
    """The entries of a player's rows in every round."""
    rows, first, begin = game.rows, game.boards.first, game.hands[player].begin
    for r, size in enumerate(rows.buckets):
        hands, columns = np.diff(begin[first[r : r + 2]])[0], rows.columns[r, player]
        at = rows.base[r, player] + (0 if size else begin[first[r]] * columns)
        yield from range(at, at + (size or hands) * columns)


RIVERS = len(small.boards_after(BOARDS[2])[1])
FEW = np.random.default_rng(4).integers(0, 6, (RIVERS, H), np.int32)
BUCKETS = {"none": (), "shared by rivers": (None, FEW), "in both rounds": (FEW[:1], FEW)}


@pytest.mark.parametrize("buckets", BUCKETS.values(), ids=BUCKETS)
@pytest.mark.parametrize("method", PREDICTIVE)
def test_run__expects_the_regrets_that_cfr_finds_for_the_same_strategies(method, buckets):
    """On a turn: m of CFR, by rows of hands and of buckets; then z is (z + m), discounted."""
    solver, plain = (solver_of(2, name, 8, buckets) for name in (method, "cfr"))
    for t in range(1, 6):
        z, plain.regret[:] = solver.regret.copy(), solver._table(last=True)
        before = plain.regret.copy()
        solver.run(1)
        plain.run(1)
        m, first = solver.expected - solver.regret, list(entries_of(solver.game, 0))
        # The second player meets the first one's new strategy, which differs.
        np.testing.assert_allclose(m[first], (plain.regret - before)[first], atol=1e-5)
        kept = np.where(z + m > 0, *solver.method.factors(t))
        np.testing.assert_allclose(solver.regret, kept * (z + m), atol=1e-5)
        assert 0.1 < len(first) / len(m) < 0.9
        assert np.abs(m[first]).max() > 0.1


@pytest.mark.parametrize("method", PREDICTIVE)
def test_run__by_bucket_in_its_first_round_is_that_of_listed_buckets(method):
    """The hands of a bucket play alike, and learn from what all of them gain."""
    tree, few = small_tree(1), np.random.default_rng(2).integers(0, 4, H)
    known, deals = listed_game(1, small_ranges(), tree)
    coarse = layout(tree, [4])
    solved = solve_field(
        field(tree, coarse, deals._replace(bucket=few[deals.bucket].astype(np.int32))), tree,
        coarse, 4, METHODS[method],
    )[4]  # fmt: skip
    solver = solver_of(1, method, 4, (few[None].astype(np.int32),)).run(4)
    for seat in (0, 1):
        holes = np.unique(deals.bucket[:, seat, 0])
        for strategy, last in ((solved.average, False), (solved.last, True)):
            first = slice(coarse.base[0, seat], infoset(coarse, 0, seat, 4, 0))
            expected = strategy[first].reshape(4, -1)[few[holes]]
            actual = by_hole(known, solver.strategy(last), seat, holes)
            np.testing.assert_allclose(actual, expected, atol=1e-3)


@pytest.mark.parametrize("method", EQUATIONS)
def test_run__exploitability_falls(method):
    untrained = solver_of(1, method, 1).nash_conv().total
    some, many = (solver_of(1, method, n).run(n).nash_conv().total for n in (30, 300))
    assert some < 0.2 * untrained
    assert many < 0.2 * some


def test_exact__leaves_less_to_win_than_dcfr_after_as_many_iterations():
    """On turns of two drawn ranges, 12 pots deep: by a fifth in the geometric mean."""
    random, bets, ratio = np.random.default_rng(1), [[1, "A"], ["A"]], []
    for _ in range(4):
        board = random.choice(52, 4, replace=False).astype(np.int8)
        ranges = random.random((2, 1326)) * (random.random((2, 1326)) < 0.1)
        game = endgame(sx.endgame(board, 200, 2500, ranges, bets, 2).tree, board, ranges)
        left = [RangeSolver(game, method).run(200).nash_conv() for method in (DCFR_EXACT, DCFR)]
        ratio.append(left[0].total / left[1].total)
    assert np.exp(np.mean(np.log(ratio))) < 0.8


@pytest.mark.parametrize("method", ["hs-dcfr", "hs-pdcfr+"])
def test_run__in_several_calls_is_one_planned_run(method):
    one, parts = solver_of(2, method, 9).run(9), solver_of(2, method, 9).run(4).run(0).run(5)
    assert one.total.tobytes() == parts.total.tobytes()
    assert one.regret.tobytes() == parts.regret.tobytes()
    other = solver_of(2, method, 90).run(9)
    assert not np.array_equal(one.total, other.total)


def test_solver__keeps_what_its_method_needs_and_no_more():
    for method, rule in CARRIED.items():
        solver = solver_of(1, method, 1)
        assert len(solver.expected) == (len(solver.regret) if rule.state else 0)
    game = solver.game
    with pytest.raises(ValueError, match="wanted the number of iterations that are planned"):
        RangeSolver(game, METHODS["hs-dcfr"])
    with pytest.raises(ValueError, match="wanted a method that discounts or predicts"):
        RangeSolver(game, METHODS["dcfr"]._replace(update=print))
