"""A row drawn from, and searches that several players ask for: made once."""

import numpy as np

from search.holdem import small_run
from sixmax.betting.rules import begin
from sixmax.search.result import FrozenAction, Position, SearchCache, pick
from sixmax.search.subgame import PublicState


def position(weight=1.0):
    game = small_run()[0].game
    state = PublicState(game, begin(game), np.empty(0, np.int8), (), ())
    return Position(state, np.full((3, 4), weight))


def test_cache__the_same_question_is_searched_once_until_something_differs():
    asked = []

    def searcher(at, frozen, seed):
        asked.append((at, frozen, seed))
        return len(asked)

    cache, held = SearchCache(searcher), FrozenAction((0,), (0, 300), 7, np.array([0.5, 0.5]))
    assert [cache(position(), (), 1), cache(position(), (), 1)] == [1, 1]
    assert cache(position(2.0), (), 1) == 2  # other beliefs
    assert cache(position(), (), 2) == 3  # another seed
    assert [cache(position(), (held,), 1), cache(position(), (held,), 1)] == [4, 4]
    assert cache(position(), (held._replace(hole=8),), 1) == 5
    assert cache(position(), (held._replace(row=np.array([0.4, 0.6])),), 1) == 6
    assert cache.searches == len(asked) == 6
    assert cache(position()._replace(seat=1), (), 1) == 7  # from the point of view of a seat


def test_begin__keeps_what_the_same_deal_found():
    cache = SearchCache(lambda at, frozen, seed: object())
    cache.begin(1)
    first = cache(position(), (), 9)
    cache.begin(1)
    assert cache(position(), (), 9) is first
    cache.begin(2)
    assert cache(position(), (), 9) is not first


def test_pick__never_takes_an_action_of_probability_zero():
    row = np.array([0.0, 0.5, 0.0, 0.5, 0.0])
    assert {pick(row, u) for u in np.linspace(0, 1, 100, endpoint=False)} == {1, 3}
