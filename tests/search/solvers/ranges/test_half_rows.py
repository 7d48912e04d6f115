"""Rows of half width against numpy, and solutions by them against those of 32 bits."""

import numpy as np
import pytest

from search.solvers.ranges.small import BOARDS, RANKS, H, small_ranges, small_tree
from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.cfr.methods import CFR_PLUS, DCFR, METHODS
from sixmax.search.constraints import Alternative
from sixmax.search.solvers.ranges import half_rows
from sixmax.search.solvers.ranges.game import endgame, rows_on
from sixmax.search.solvers.ranges.half_rows import halved
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.search.solvers.ranges.tree_parts import NODE


@njit
def _packed(rows, half, first, n, draw):
    half_rows.pack(rows, half, first, n, len(rows) // n, draw)


@njit
def _unpacked(half, first, n, out):
    half_rows.unpack(half, first, n, len(out) // n, out)


def packed(row, at, draw):
    """A row as numpy packs it: whole numbers, and the exponent behind them."""
    largest = float(abs(row).max())
    exponent = max(int(np.floor(np.log2(largest))) - 14, -100) if largest else -100
    bits = [(at * 0x9E3779B1 % 2**32 ^ draw) + h & 0xFFFFFFFF for h in range(len(row))]
    bits = [(b ^ b >> 16) * 0x85EBCA6B & 0xFFFFFFFF for b in bits]
    bits = [(b ^ b >> 13) * 0xC2B2AE35 & 0xFFFFFFFF for b in bits]
    up = np.array([b >> 24 for b in bits], np.float32) / 256
    whole = np.floor(row * np.float32(2.0**-exponent) + up)
    return [*np.clip(whole, -32767, 32767), exponent]


@pytest.mark.parametrize("size", [1.0, 1e-9, 3e12])
def test_pack__is_the_twin_by_row(size):
    rows = np.random.default_rng(3).normal(0, size, (4, 21)).astype(np.float32)
    rows[1], rows[2, 5], rows[3] = 0, 32767.99 * 2.0**6, -rows[0]
    rows[3, 2] = -abs(rows[3]).max() * 1.9999
    half, draw = np.full(3 + 4 * 22 + 2, 7, np.int16), np.uint32(12345)
    _packed(rows.ravel(), half, 3, 21, draw)
    expected = [number for a, row in enumerate(rows) for number in packed(row, 3 + 22 * a, 12345)]
    assert half.tolist() == [7] * 3 + expected + [7] * 2


def test_unpack__loses_less_than_a_unit_and_packs_alike():
    rows = np.random.default_rng(4).normal(size=(3, 50)).astype(np.float32)
    rows[2, :4] = -32767.8, 101, -33, 5
    half, out = np.zeros(3 * 51, np.int16), np.zeros((3, 50), np.float32)
    _packed(rows.ravel(), half, 0, 50, np.uint32(1))
    _unpacked(half, 0, 50, out.ravel())
    lost = abs(out - rows).max(axis=1) / abs(rows).max(axis=1)
    assert (lost > 1e-6).all()
    assert (lost <= 2.0**-14).all()
    again = np.zeros_like(half)
    _packed(out.ravel(), again, 0, 50, np.uint32(99))
    np.testing.assert_array_equal(again, half)


def test_pack__is_right_in_the_mean():
    """Numbers of less than a unit are there as often as they are large."""
    row, sums = np.array([32767, 0.25, -0.6, 7.5], np.float32), np.zeros(4)
    half, out = np.zeros(5, np.int16), np.zeros(4, np.float32)
    for draw in range(4000):
        _packed(row, half, 0, 4, np.uint32(draw * 0x85EBCA77 % 2**32))
        _unpacked(half, 0, 4, out)
        sums += out
    np.testing.assert_allclose(sums / 4000, row, atol=0.03)
    assert out[1] in (0, 1)


def small_game(rounds):
    return endgame(small_tree(rounds), BOARDS[rounds], small_ranges(), ranks=RANKS)


@pytest.mark.parametrize(("rounds", "method"), [(1, "dcfr"), (2, "pcfr+"), (3, "linear")])
def test_solver__of_16_bits_plays_as_that_of_32(rounds, method):
    game, rule = small_game(rounds), METHODS[method]
    whole, half = (RangeSolver(of, rule).run(4) for of in (game, halved(game)))
    entries = game.rows.entries
    assert entries < len(half.total) < 1.2 * entries
    assert half.total.itemsize == 2
    for decision in game.public.decisions:
        r = game.tree.round(int(decision[NODE]))
        for place in range(*game.boards.first[r : r + 2]):
            expected = rows_on(whole.game, whole.total, decision, place)
            actual = rows_on(half.game, half.total, decision, place)
            np.testing.assert_array_equal(actual[0], expected[0])
            if not r:  # later, hands that hardly come are lost beside those that do
                assert abs(actual[1] - expected[1]).mean() < 0.04
    untrained = RangeSolver(game).nash_conv()
    expected, actual = (solver.run(26).nash_conv() for solver in (whole, half))
    assert expected.total < 0.3 * untrained.total
    np.testing.assert_allclose(actual.values, expected.values, atol=0.02)
    assert actual.total == pytest.approx(expected.total, rel=0.1)


@pytest.mark.parametrize("kind", ["resolve", "maxmargin"])
def test_solver__of_16_bits_solves_safely(kind):
    game, outside = small_game(2), Alternative(0, np.full(H, -2.0), kind)
    whole, half = (
        RangeSolver(of, CFR_PLUS, alternative=outside).run(30).strategy()
        for of in (game, halved(game))
    )
    assert abs(whole - half).mean() < 0.01
    assert abs(whole - RangeSolver(game, CFR_PLUS).run(30).strategy()).mean() > 0.01


def test_solver__of_16_bits_goes_on_in_the_next_round_with_32():
    game = small_game(2)
    solver = RangeSolver(halved(game), DCFR).run(20)
    first = next(
        int(row[NODE]) for row in game.public.decisions if game.tree.round(int(row[NODE])) == 1
    )
    for card in (1, 4):
        after = solver.after(first, card)
        whole = RangeSolver(game, DCFR).run(20).after(first, card)
        assert after.total.dtype == np.float32
        assert abs(after.strategy() - whole.strategy()).mean() < 0.01
        assert after.run(1).iterations == 21


def test_solver__of_16_bits_gets_no_worse_over_thousands_of_iterations():
    """By the nearest number late steps would be lost, and gains would grow again."""
    solver, gains = RangeSolver(halved(small_game(1)), DCFR), []
    for _ in range(3):
        gains.append(solver.run(1500).nash_conv().total)
    assert max(gains) < 0.02  # chips of a pot of 20; 12 untrained


def test_of_average__keeps_16_bits():
    game = small_game(2)
    solver = RangeSolver(halved(game), DCFR).run(20)
    again = RangeSolver.of_average(game, DCFR, solver.total.copy(), 20)
    assert again.total.dtype == np.int16
    np.testing.assert_array_equal(again.strategy(), solver.strategy())
    assert again.nash_conv().total == solver.nash_conv().total
    with pytest.raises(UserError, match="no regrets to go on from"):
        again.run(1)


def test_halved__refuses_buckets():
    tree, ranges = small_tree(2), small_ranges()
    few = np.zeros((8, H), np.int64)
    with pytest.raises(ValueError, match="rows by bucket: wanted 32 bits"):
        halved(endgame(tree, BOARDS[2], ranges, (None, few), RANKS))
