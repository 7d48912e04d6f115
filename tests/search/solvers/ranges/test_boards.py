"""The boards that may follow a public state."""

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.search.solvers.ranges.boards import boards, that_follow

FLOP = [0, 5, 10]


def test_that_follow__each_board_comes_after_its_parent():
    first, turns, rivers = that_follow(FLOP, 3)
    assert first.tolist() == [FLOP]
    assert np.array_equal(turns[:, 3], [c for c in range(12) if c not in FLOP])
    assert np.array_equal(rivers[:, :4], np.repeat(turns, 8, axis=0))
    assert all(len({*board}) == 5 for board in rivers.tolist())


def test_boards__numbers_and_chance():
    known = boards(that_follow(FLOP, 3), 3)
    assert known.first.tolist() == [0, 1, 10, 82]
    assert known.fan.tolist() == [9, 8, 0]
    # To a player who sees a flop nine cards are left; four of them are in two hands.
    assert known.chance[:2].tolist() == [1 / 5, 1 / 4]


@pytest.mark.parametrize("board", ["", "AhKd", "AhKdQc2s3s4d"])
def test_that_follow__other_numbers_of_cards_are_refused(board):
    with pytest.raises(UserError, match="wanted 3, 4 or 5"):
        that_follow(board)
