"""The values of terminals, hand by hand, against every pair of hands."""

import numpy as np
import pytest

from oracles.cards import holes
from oracles.endgame import ends
from sixmax.search.solvers.ranges.boards import boards
from sixmax.search.solvers.ranges.terminals import LANES, live_kernel, show_kernel

RANKS = 6  # 24 cards: 171 hands on a river


@pytest.mark.parametrize("board", [[0, 1, 6, 11, 23], [3, 7, 11, 15, 18], [2, 5, 9, 12, 16]])
def test_kernels__equal_every_pair_of_hands(board):
    """Among the boards: a pair, and four of a suit."""
    known, hole = boards(board, RANKS), holes(RANKS)
    random = np.random.default_rng(7)
    lanes = random.random((len(known.hole), 3)).astype(np.float32)
    lanes[random.random(lanes.shape) < 0.3] = 0
    out, held = np.empty((len(lanes), LANES)), np.empty((2, 64, LANES))
    live, win = np.array([1.0, 2.0, -3.0]), np.array([0.5, 0.0, 10.0])
    live_kernel(lanes, known.low, known.high, live, out, held)
    show_kernel(lanes, known.low, known.high, known.stop, win, out, held)
    for k in range(3):
        weight = dict.fromkeys(hole, 0.0)
        weight |= {hole[h]: float(w) for h, w in zip(known.hole, lanes[:, k], strict=True)}
        twin = ends(board, weight, RANKS)
        expected = [live[k] * twin[hole[h]][0] + 2 * win[k] * twin[hole[h]][1] for h in known.hole]
        assert out[:, k] == pytest.approx(expected, abs=1e-6)


def test_boards__follow_their_parents_and_leave_the_right_hands():
    known = boards([0, 5, 10], 3)
    assert known.count.tolist() == [1, 9, 72]
    assert known.fan.tolist() == [9, 8, 0]
    assert known.live.tolist() == [36, 28, 21]
    # Nine cards are left to who sees a flop; four of them are in two hands.
    assert known.chance[:2].tolist() == [1 / 5, 1 / 4]
    first = known.start[2] + np.arange(21)
    cards = {*known.low[first].tolist(), *known.high[first].tolist()}
    assert cards == set(range(12)) - {0, 5, 10, 1, 2}
