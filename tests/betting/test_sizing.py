"""Raises from pot fractions: by hand, and along random hands against a slow twin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import game as oracle
from oracles.games import games, hand_after, holdem
from sixmax.betting.bet_size import ALL_IN, CHIPS, FRACTION
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.sizing import raises, sizes
from sixmax.betting.state import Betting


def offered(game, *actions):
    betting, out = hand_after(game, actions), np.full(20, -7)
    end = raises(sizes(game), betting.hand, out, 1)
    assert out[0] == -7
    assert (out[end:] == -7).all()
    return out[1:end].tolist()


def test_raises__a_pot_raise_is_a_call_and_the_pot_after_it():
    game = holdem([10_000] * 6, [[0.5, 1, 2]], 4)
    assert offered(game) == [100 + 125, 100 + 250, 100 + 500]
    assert offered(game, 350) == [350 + 425, 350 + 850, 350 + 1700]
    actual = offered(game, 350, FOLD, CALL, FOLD, 1000)  # pot 1800, 900 to call
    assert actual == [1000 + 1350, 1000 + 2700, 1000 + 5400]


def test_raises__are_rounded_to_the_nearest_chip_halves_up():
    game = holdem([1000] * 2, [[0.75, 0.99]], 1, blinds=[2, 1])
    assert offered(game, CALL, CALL) == [2 + 3, 2 + 4]
    game = holdem([1000] * 2, [[0.625]], 1, blinds=[2, 1])
    assert offered(game, CALL, CALL) == [2 + 3]  # 2.5


def test_raises__small_ones_are_lifted_and_merged():
    game = holdem([10_000] * 6, [[0.1, 0.2, 0.4, 0.5]], 1)
    assert offered(game) == [200, 225]


def test_raises__large_ones_become_all_in_and_merge():
    assert offered(holdem([1000] * 6, [["A", 3, 4, 5]], 1)) == [850, 1000]


def test_raises__all_in_is_what_the_deepest_opponent_can_call():
    assert offered(holdem([400, 700, 5000], [["A", 50]], 1)) == [700]
    assert offered(holdem([400, 700, 5000], [["A", 50]], 2), CALL, 250) == [700]
    assert offered(holdem([110, 150, 5000], [["A", 1]], 1)) == [200]  # the smallest legal raise


def test_raises__by_a_number_of_chips():
    game = holdem([10_000] * 6, [["150 chips", "1 chips"]], 2)
    assert offered(game) == [200, 250]
    assert offered(game, 250) == [400]


def test_raises__sizes_by_raise_number_and_cap():
    game = holdem([10_000] * 3, [[1], [2, 1], ["A"]], 4)
    assert offered(game) == [350]
    assert offered(game, 350) == [1150, 1950]
    assert offered(game, 350, 1150) == [10_000]
    assert offered(holdem([10_000] * 3, [[1], [2], ["A"]], 2), 350, 1850) == []
    assert offered(holdem([10_000] * 3, [[1], []], 2), 350) == []


def test_raises__none_with_more_players_than_the_config_says():
    game = holdem([10_000] * 4, [[1]], 1, max_players=3)
    assert offered(game) == []
    assert offered(game, FOLD) == [350]


def test_raises__none_where_the_rules_allow_none():
    game = holdem([300, 1000, 200], [["A", 1]], 3)
    assert offered(game, FOLD, 300) == []


@settings(max_examples=200)
@given(games(), st.randoms(use_true_random=False))
def test_raises__agree_with_the_twin(game, random):
    betting, table, packed = Betting(game), oracle.table(game), sizes(game)
    out = np.empty(packed.offer.shape[2] + 1, np.int64)
    while not table.over:
        expected = oracle.raises(game, table)
        actual = out[: raises(packed, betting.hand, out, 0)].tolist()
        assert actual == expected
        action = random.choice([CALL, *actual, *actual] + [FOLD] * (table.to_call > 0))
        betting.act(action)
        table.act(action)


@pytest.mark.parametrize("size", ["A", 1, "5 chips"])
def test_sizes__nothing_beyond_the_cap(size):
    packed = sizes(holdem([100] * 3, [[size, 0.5], [size]], 3))
    assert packed.offer.shape == (4, 3, 2, 2)
    own = list({"A": (ALL_IN, 0), 1: (FRACTION, 1), "5 chips": (CHIPS, 5)}[size])
    nothing = [-1, -1]
    assert packed.offer[0].tolist() == [[own, [FRACTION, 0.5]], [own, nothing], [own, nothing]]
