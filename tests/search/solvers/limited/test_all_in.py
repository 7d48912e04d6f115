"""All-ins: counted board by board."""

import numpy as np
import pytest

from oracles.cards import best_hand, equity, holes
from sixmax.search.solvers.limited.all_in import lead

RANKS = 3
BOARDS = [(0, 5, 10), (0, 3, 5, 10)]

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.mark.parametrize("board", BOARDS)
def test_lead__is_that_of_every_pair_of_hands(board):
    free = [h for h in holes(RANKS) if not set(h) & set(board)]
    actual = lead(board, RANKS)
    assert actual.shape == (len(free), len(free))
    np.testing.assert_array_equal(actual, -actual.T)
    for i, a in enumerate(free):
        for j, b in enumerate(free):
            if i == j or set(a) & set(b):
                assert actual[i, j] == 0
            elif (i + j) % 3 == 0:
                share = equity([a, b], list(board), RANKS)[0]
                assert actual[i, j] == pytest.approx(2 * float(share) - 1, abs=1e-6)
    assert np.abs(actual).max() > 0.5
    assert best_hand((*free[0], *board), RANKS) is not None
