"""The boards that may follow a public state, and the hands on each."""

import numpy as np

from sixmax.search.solvers.ranges.boards import boards


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
