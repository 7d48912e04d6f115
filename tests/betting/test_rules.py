"""The rules: by hand from the rule book, and random hands against a slow twin."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracles import game as oracle
from oracles.games import games, holdem
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.state import Betting, positions


def after(game, *actions):
    betting = Betting(game)
    for action in actions:
        betting.act(action)
    return betting


def test_start__six_players():
    actual = Betting(holdem([10_000] * 6))
    assert (actual.actor, actual.to_call, actual.raise_range) == (2, 100, (200, 10_000))
    assert actual.contributed.tolist() == [50, 100, 0, 0, 0, 0]


def test_start__two_players_small_blind_first_then_last():
    actual = Betting(holdem([20_000] * 2))
    assert (actual.actor, actual.to_call, actual.names[actual.actor]) == (1, 50, "SB")
    actual.act(CALL)
    actual.act(CALL)
    assert (actual.round, actual.actor, actual.names[actual.actor]) == (1, 0, "BB")


def test_start__short_blinds_and_antes_are_posted_in_part():
    actual = Betting(holdem([500, 70, 8, 500], ante=10))
    assert actual.contributed.tolist() == [60, 70, 8, 10]
    assert (actual.actor, actual.to_call, actual.raise_range) == (3, 60, (170, 500))


def test_start__all_are_all_in_from_the_blinds():
    actual = Betting(holdem([40, 50, 100]))  # the button is not: it may call or fold
    assert (actual.actor, actual.to_call, actual.raise_range) == (2, 50, None)
    for stacks in ([40, 50], [50, 100], [40, 1000]):  # seat 0 is the big blind
        actual = Betting(holdem(stacks))
        assert actual.over
        assert actual.showdown


def test_big_blind__has_the_option():
    actual = after(holdem([1000] * 3), CALL, CALL)
    assert (actual.actor, actual.to_call, actual.raise_range) == (1, 0, (200, 1000))
    actual.act(CALL)
    assert (actual.round, actual.actor, actual.raise_range) == (1, 0, (200, 1000))


def test_raise__at_least_the_last_raise_of_the_round():
    game = holdem([10_000] * 3)
    assert after(game, 250).raise_range == (400, 10_000)
    assert after(game, 250, 900).raise_range == (1550, 10_000)
    assert after(game, 250, CALL, CALL).raise_range == (350, 10_000)  # a new round


def test_raise__is_refused_below_the_smallest_and_above_the_stack():
    betting = after(holdem([1000] * 3), 250)
    for action in (399, 1001, 250, -2):
        with pytest.raises(UserError):
            betting.act(action)
    assert betting.contributed.tolist() == [50, 100, 250]


def test_fold__not_where_checking_is_free():
    betting = after(holdem([1000] * 3), CALL, CALL)
    with pytest.raises(UserError, match="BB folds where checking is free; wanted c"):
        betting.act(FOLD)


def test_short_all_in__is_legal_but_does_not_reopen():
    game = holdem([1000, 1000, 1000, 390])  # SB BB CO BTN
    betting = after(game, 300, 390, CALL, CALL)  # the raise was 200, the all-in adds 90
    assert (betting.actor, betting.to_call, betting.raise_range) == (2, 90, None)


def test_short_all_in__may_be_raised_by_who_has_not_acted():
    game = holdem([1000, 1000, 1000, 390])
    betting = after(game, 300, 390)
    assert (betting.actor, betting.raise_range) == (0, (590, 1000))
    betting.act(590)  # a full raise reopens the betting for all
    betting.act(FOLD)
    assert (betting.actor, betting.raise_range) == (2, (790, 1000))


def test_short_all_in__two_that_add_up_to_a_raise_reopen():
    game = holdem([520, 1000, 1000, 390])
    betting = after(game, 300, 390, 520, CALL)  # 90 + 130 is more than the raise of 200
    assert (betting.actor, betting.to_call, betting.raise_range) == (2, 220, (720, 1000))


def test_short_all_in__as_the_first_bet_of_a_round_does_not_reopen():
    game = holdem([1000, 160, 1000])
    betting = after(game, CALL, CALL, CALL, CALL, 160, CALL)
    assert (betting.round, betting.actor, betting.to_call, betting.raise_range) == (1, 0, 60, None)


def test_all_in__nobody_left_to_bet_against():
    game = holdem([1000, 300, 200])
    betting = after(game, 200, CALL, CALL)
    assert (betting.actor, betting.round) == (0, 1)  # two players with chips play on
    betting.act(1000)
    assert betting.to_call == 100
    betting.act(CALL)
    assert betting.showdown


def test_all_in__who_covers_all_others_may_only_call():
    betting = after(holdem([300, 1000, 200]), FOLD, 300)
    assert (betting.actor, betting.to_call, betting.raise_range) == (1, 200, None)


def test_all_in__big_blind_is_not_asked_when_it_could_only_check():
    game = holdem([1000, 1000, 100])
    betting = after(game, CALL, FOLD)
    assert betting.showdown
    assert betting.round == 0


def test_fold__last_one_left_wins_what_others_put_in():
    betting = after(holdem([1000] * 3), 300, FOLD, FOLD)
    assert betting.over
    assert not betting.showdown
    assert betting.payoffs().tolist() == [-50, -100, 150]


def test_payoffs__need_ranks_at_a_showdown():
    betting = after(holdem([1000] * 2, rounds=1), CALL, CALL)
    with pytest.raises(UserError, match="wanted a rank for each seat"):
        betting.payoffs()
    with pytest.raises(UserError, match="found 3 ranks, wanted 2"):
        betting.payoffs([1, 2, 3])
    assert betting.payoffs([7, 7]).tolist() == [0, 0]


def test_copy__is_independent():
    betting = Betting(holdem([1000] * 2))
    other = betting.copy()
    other.act(FOLD)
    assert other.over
    assert not betting.over


def test_positions__names_by_number_of_seats():
    assert positions(6, 2) == ("SB", "BB", "UTG", "HJ", "CO", "BTN")
    assert positions(2, 0) == ("SB", "BB")
    assert positions(2, 1) == ("BB", "SB")
    assert positions(3, 0) == ("P1", "P2", "P3")
    assert all(len(set(positions(n, 2))) == n for n in range(3, 11))


def state(betting):
    return betting.actor, betting.round, betting.to_call, betting.raise_range


@settings(max_examples=400)
@given(games(rounds=(1, 4)), st.randoms(use_true_random=False))
def test_play__agrees_with_the_twin_and_conserves_chips(game, random):
    betting, table = Betting(game), oracle.table(game)
    while not table.over:
        expected = (table.actor, table.round, table.to_call, table.raise_range)
        assert state(betting) == expected
        assert betting.contributed[betting.actor] < game.stacks[betting.actor]
        low, high = table.raise_range or (CALL, CALL)
        choices = [CALL, CALL, low, high, random.randint(low, high)]
        action = random.choice(choices + [FOLD] * (table.to_call > 0))
        betting.act(action)
        table.act(action)
        assert betting.contributed.tolist() == table.put
    assert betting.over
    assert betting.round == table.last_round
    ranks = [random.randint(0, 3) for _ in game.stacks]
    actual = betting.payoffs(ranks)
    expected = oracle.payoffs(table.put, table.left, ranks)
    np.testing.assert_allclose(actual, [float(e) for e in expected], atol=1e-9)
    assert abs(actual.sum()) < 1e-9
    assert (actual >= -betting.contributed).all()


@settings(max_examples=50)
@given(games(seats=(3, 6)), st.integers(1, 5), st.randoms(use_true_random=False))
def test_play__seats_rotated_give_rotated_hands(game, by, random):
    def rotate(seats):
        return [seats[(seat - by) % game.seats] for seat in range(game.seats)]

    change = {name: rotate(getattr(game, name)) for name in ("stacks", "blinds")}
    change["first"] = [(seat + by) % game.seats for seat in game.first]
    one, two = Betting(game), Betting(game.model_copy(update=change))
    while not one.over:
        assert two.actor == (one.actor + by) % game.seats
        assert state(two)[1:] == state(one)[1:]
        low, high = one.raise_range or (CALL, CALL)
        action = random.choice([CALL, low, high] + [FOLD] * (one.to_call > 0))
        one.act(action)
        two.act(action)
    ranks = [random.randint(0, 3) for _ in game.stacks]
    expected = rotate(one.payoffs(ranks).tolist())
    assert two.payoffs(rotate(ranks)).tolist() == pytest.approx(expected)
