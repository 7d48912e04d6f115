"""Endgames that are refused as they are laid out."""

import numpy as np
import pytest

from search.solvers.ranges.small import BOARDS, RANKS, H, small_ranges, small_tree
from sixmax.base.errors import UserError
from sixmax.cards.deck import hole_id
from sixmax.search.solvers.ranges.game import endgame


def test_endgame__of_what_does_not_fit():
    tree, ranges = small_tree(1), small_ranges()
    with pytest.raises(UserError, match="tree of 1 rounds: wanted 2"):
        endgame(tree, BOARDS[2], ranges, ranks=RANKS)
    with pytest.raises(UserError, match=r"found shape \(2, 5\), wanted \(2, 66\)"):
        endgame(tree, BOARDS[1], ranges[:, :5], ranks=RANKS)
    with pytest.raises(UserError, match="weights of 0 or more"):
        endgame(tree, BOARDS[1], -ranges, ranks=RANKS)
    with pytest.raises(UserError, match="dealt twice"):
        endgame(tree, [0, 0, 1, 2, 3], ranges, ranks=RANKS)
    with pytest.raises(UserError, match="board of 0 cards: wanted 3, 4 or 5"):
        endgame(tree, [], ranges, ranks=RANKS)
    same = np.zeros((2, H))
    same[:, hole_id(1, 2)] = 1
    with pytest.raises(UserError, match="no two hands that go together"):
        endgame(tree, BOARDS[1], same, ranks=RANKS)


@pytest.mark.parametrize(
    "wrong", [np.zeros((1, 5), int), np.full((1, H), -1), np.zeros((1, H))],
    ids=["shape", "negative", "floats"],
)  # fmt: skip
def test_endgame__of_buckets_that_do_not_fit(wrong):
    with pytest.raises(ValueError, match=r"buckets of round 0: .*wanted"):
        endgame(small_tree(1), BOARDS[1], small_ranges(), [wrong], ranks=RANKS)
