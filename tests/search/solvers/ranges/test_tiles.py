"""Regret matching and learning of eight hands at a time, against numpy hand by hand."""

import numpy as np
import pytest
from numba import TypingError

from sixmax.base.jit import njit
from sixmax.base.vectors import TILE
from sixmax.search.solvers.ranges.tiles import add_up, learn, match


@njit
def _match_all(shares, reach, table, at):
    first, size, actions, row, source, child = at
    for h in range(0, size, TILE):
        match(shares, reach, table, (h, first, size, actions, row, source, child))


@pytest.mark.parametrize("actions", [1, 2, 5])
@pytest.mark.parametrize("hands", [1, 8, 21])
def test_match__shares_of_the_positive_regrets_and_reach(hands, actions):
    random, wide = np.random.default_rng(hands), hands + -hands % TILE
    table = random.normal(size=3 + actions * hands + TILE).astype(np.float32)
    table[3 : 3 + actions * hands : hands] = -1  # the first hand has no positive regret
    shares, reach = np.full((7, wide), 7, np.float32), random.random((8, wide)).astype(np.float32)
    before = reach.copy()
    _match_all(shares, reach, table, (3, hands, actions, 1, 2, 3))

    regret = table[3 : 3 + actions * hands].reshape(actions, hands)
    for h in range(hands):
        positive = np.maximum(regret[:, h], 0)
        total = positive.sum()
        expected = positive / total if total > 0 else np.full(actions, 1 / actions)
        assert shares[1 : 1 + actions, h] == pytest.approx(expected, rel=1e-5)
        assert reach[3 : 3 + actions, h] == pytest.approx(before[2, h] * expected, rel=1e-5)
    assert (shares[[0, *range(1 + actions, 7)]] == 7).all()
    assert (reach[:3] == before[:3]).all()
    assert (reach[3 + actions :] == before[3 + actions :]).all()


def test_match__refuses_tables_of_other_kinds():
    rows = np.zeros((2, 8), np.float32)
    with pytest.raises(TypingError):
        _match_all(rows, rows.copy(), np.zeros(9), (1,) * 6)


KEEP = tuple(np.float32(x) for x in (0.9, 0.4, 0.8, 3.0, 0.01))


@njit
def _learn_all(ahead, rows, tables, at, keep):
    (regret, table, total), (first, size, actions, slot, child, row, source) = tables, at
    for h in range(0, size, TILE):
        here = h, first, size, actions, slot, child, row, source
        if ahead:
            learn(rows, (regret, table, total), here, keep)
        else:
            learn(rows, (regret, total), here, keep)


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("actions", [1, 3])
@pytest.mark.parametrize("hands", [1, 7, 8, 21])
def test_learn__regrets_sums_and_values_of_a_decision(hands, actions, ahead):
    """Tables are written for its hands alone: numbers before and after its rows stay."""
    random, wide = np.random.default_rng(hands), hands + -hands % TILE
    value, shares, own = random.normal(size=(3, 9, wide)).astype(np.float32)
    tables = random.normal(size=(3, 5 + actions * hands + TILE)).astype(np.float32)
    before, below = tables.copy(), value[4 : 4 + actions, :hands].copy()
    _learn_all(ahead, (value, shares, own), tuple(tables), (5, hands, actions, 1, 4, 2, 3), KEEP)

    share = shares[2 : 2 + actions, :hands]
    mean = (below * share).sum(axis=0)
    assert value[1, :hands] == pytest.approx(mean, rel=1e-4, abs=1e-6)
    regret, _, total = (row[5 : 5 + actions * hands].reshape(actions, hands) for row in before)
    gain = KEEP[3] * (below - mean)
    new = (regret + gain) * np.where(regret + gain > 0, KEEP[0], KEEP[1])
    sums = total * KEEP[2] + KEEP[3] * (own[3, :hands] + KEEP[4]) * share
    for table, expected in zip(tables, (new, new + gain if ahead else None, sums), strict=True):
        if expected is not None:
            actual = table[5 : 5 + actions * hands].reshape(actions, hands)
            assert actual == pytest.approx(expected, rel=1e-4, abs=1e-5)
    outside = np.ones(tables.shape[1], bool)
    outside[5 : 5 + actions * hands] = False
    assert np.array_equal(tables[:, outside], before[:, outside])
    assert ahead or np.array_equal(tables[1], before[1])


@njit
def _add_all(value, hands, at):
    actions, slot, child = at
    for h in range(0, hands, TILE):
        add_up(value, (h, actions, slot, child))


@pytest.mark.parametrize("actions", [1, 2, 5])
def test_add_up__is_the_sum_over_the_actions(actions):
    value = np.random.default_rng(2).normal(size=(8, 16)).astype(np.float32)
    before = value.copy()
    _add_all(value, 13, (actions, 0, 2))
    assert value[0] == pytest.approx(before[2 : 2 + actions].sum(axis=0), rel=1e-5, abs=1e-6)
    assert (value[1:] == before[1:]).all()
