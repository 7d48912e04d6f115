"""Searches that several players ask for, made once."""

import numpy as np

from search.holdem import small_run
from sixmax.game.rules import begin
from sixmax.search.hand import Frozen, Position
from sixmax.search.once import Once
from sixmax.search.subgame import PublicState


def position(weight=1.0):
    game = small_run()[0].game
    state = PublicState(game, begin(game), np.empty(0, np.int8), (), ())
    return Position(state, np.full((3, 4), weight))


def test_once__the_same_question_is_searched_once_until_something_differs():
    asked = []

    def searcher(at, frozen, seed):
        asked.append((at, frozen, seed))
        return len(asked)

    once, held = Once(searcher), Frozen((0,), (0, 300), 7, np.array([0.5, 0.5]))
    assert [once(position(), (), 1), once(position(), (), 1)] == [1, 1]
    assert once(position(2.0), (), 1) == 2  # other beliefs
    assert once(position(), (), 2) == 3  # another seed
    assert [once(position(), (held,), 1), once(position(), (held,), 1)] == [4, 4]
    assert once(position(), (held._replace(hole=8),), 1) == 5
    assert once(position(), (held._replace(row=np.array([0.4, 0.6])),), 1) == 6
    assert once.searches == len(asked) == 6


def test_begin__keeps_what_the_same_deal_found():
    once = Once(lambda at, frozen, seed: object())
    once.begin(1)
    first = once(position(), (), 9)
    once.begin(1)
    assert once(position(), (), 9) is first
    once.begin(2)
    assert once(position(), (), 9) is not first
