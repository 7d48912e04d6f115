"""A hand played on: where the loops end, in a tree and by the rules."""

import pytest

from oracles.games import holdem
from sixmax.betting.rules import CALL, FOLD, begin
from sixmax.betting.state import Betting
from sixmax.betting.tree import offers_fold
from sixmax.betting.tree_build import build
from sixmax.cfr.advance import STOP, advance, advance_real

GAME = holdem([200] * 3, blinds=[1, 2, 0])
TREE = build(GAME)


def turn(players, where, state):
    """The next of a list of actions, and how many were asked for."""
    return players[state], state + 1


def in_tree(actions):
    """``actions`` as their numbers in the tree."""
    numbers = []
    for k, action in enumerate(actions):
        offered = TREE.action[TREE.node[TREE.find(actions[:k]), 1] :]
        numbers.append(STOP if action == STOP else offered.tolist().index(action))
    return numbers


@pytest.mark.parametrize(
    ("me", "left", "asked"),
    [(-1, (FOLD, FOLD), 2), (2, (), 1), (0, (FOLD,), 2), (1, (FOLD, FOLD), 2)],
)
def test_advance__ends_with_the_hand_or_where_the_seat_folds(me, left, asked):
    x, state = advance(TREE.node, 0, me, turn, in_tree((FOLD, FOLD)), 0)
    assert (x, state) == (TREE.find(left), asked)


def test_advance__a_check_is_no_fold():
    """The first action where there is nothing to call: its number is that of a fold elsewhere."""
    way = (CALL, CALL, CALL, CALL, CALL, CALL)
    assert not offers_fold(TREE.node[TREE.find(way[:2]), 0])
    x, state = advance(TREE.node, 0, 1, turn, [*in_tree(way), STOP], 0)
    assert (x, state) == (TREE.find(way), 7)


@pytest.mark.parametrize(
    ("me", "actions", "done"),
    [(-1, (FOLD, FOLD), 2), (2, (FOLD,), 0), (0, (FOLD, FOLD), 1), (1, (CALL, 6, STOP), 2)],
)
def test_advance_real__ends_with_the_hand_or_where_the_seat_folds(me, actions, done):
    real, expected = begin(GAME), Betting(GAME)
    for action in actions[:done]:
        expected.act(action)
    state = advance_real(real, me, turn, actions, 0)
    assert state == len(actions)
    assert real.tolist() == expected.hand.tolist()
