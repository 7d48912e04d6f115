"""Regret matching of eight hands at a time, against numpy hand by hand."""

import numpy as np
import pytest
from numba import TypingError

from sixmax.base.jit import njit
from sixmax.search.solvers.ranges.lanes import TILE, match


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
