"""The rules: by hand from the rule book, and random hands against a slow twin."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oracles import game as oracle
from oracles.games import games, hand_after, holdem
from sixmax.base.errors import UserError
from sixmax.betting.config import positions
from sixmax.betting.rules import CALL, FOLD, payoffs, return_uncalled
from sixmax.betting.state import Betting

SHORT = holdem([1000, 1000, 1000, 390])  # SB BB CO BTN
DEEP = holdem([10_000] * 3)


@pytest.mark.parametrize(
    ("game", "actions", "expected"),
    [
        (holdem([10_000] * 6), (), (0, 2, 100, (200, 10_000))),
        # Of two players the small blind is first, then last.
        (holdem([20_000] * 2), (), (0, 1, 50, (200, 20_000))),
        (holdem([20_000] * 2), (CALL, CALL), (1, 0, 0, (200, 20_000))),
        # Short blinds and antes are posted in part; the button may call or fold, all others all-in.
        (holdem([500, 70, 8, 500], ante=10), (), (0, 3, 60, (170, 500))),
        (holdem([40, 50, 100]), (), (0, 2, 50, None)),
        # The big blind has the option, and a new round begins.
        (holdem([1000] * 3), (CALL, CALL), (0, 1, 0, (200, 1000))),
        (holdem([1000] * 3), (CALL, CALL, CALL), (1, 0, 0, (200, 1000))),
        # At least the last raise of the round.
        (DEEP, (250,), (0, 0, 200, (400, 10_000))),
        (DEEP, (250, 900), (0, 1, 800, (1550, 10_000))),
        (DEEP, (250, CALL, CALL), (1, 0, 0, (350, 10_000))),
        # A short all-in does not reopen: the raise was 200, it adds 90.
        (SHORT, (300, 390, CALL, CALL), (0, 2, 90, None)),
        # It may be raised by a player who has not acted, which reopens the betting for all.
        (SHORT, (300, 390), (0, 0, 340, (590, 1000))),
        (SHORT, (300, 390, 590, FOLD), (0, 2, 290, (790, 1000))),
        # Two that add up to a raise reopen: 90 + 130 is more than 200.
        (holdem([520, 1000, 1000, 390]), (300, 390, 520, CALL), (0, 2, 220, (720, 1000))),
        # As the first bet of a round it does not.
        (holdem([1000, 160, 1000]), (CALL, CALL, CALL, CALL, 160, CALL), (1, 0, 60, None)),
        # Two players with chips play on beside one who is all-in.
        (holdem([1000, 300, 200]), (200, CALL, CALL), (1, 0, 0, (300, 1000))),
        (holdem([1000, 300, 200]), (200, CALL, CALL, 1000), (1, 1, 100, None)),
        # A player who covers all others may only call.
        (holdem([300, 1000, 200]), (FOLD, 300), (0, 1, 200, None)),
    ],
)
def test_turn__by_the_rule_book(game, actions, expected):
    """Round, seat to act, chips to call and the range of raises."""
    betting = hand_after(game, actions)
    assert (betting.round, betting.actor, betting.to_call, betting.raise_range) == expected


def test_start__posts_antes_and_blinds():
    assert Betting(holdem([10_000] * 6)).contributed.tolist() == [50, 100, 0, 0, 0, 0]
    assert Betting(holdem([500, 70, 8, 500], ante=10)).contributed.tolist() == [60, 70, 8, 10]


@pytest.mark.parametrize(
    ("stacks", "actions"),
    [
        ([40, 50], ()), ([50, 100], ()), ([40, 1000], ()),  # from the blinds
        ([1000, 300, 200], (200, CALL, CALL, 1000, CALL)),
        ([1000, 1000, 100], (CALL, FOLD)),  # the big blind could only check
    ],
)  # fmt: skip
def test_showdown__where_nobody_can_bet_against_another(stacks, actions):
    betting = hand_after(holdem(stacks), actions)
    assert betting.over
    assert betting.showdown
    assert betting.round == (1 if len(actions) > 2 else 0)


def test_fold__not_where_checking_is_free():
    betting = hand_after(holdem([1000] * 3), [CALL, CALL])
    with pytest.raises(UserError, match="BB folds where checking is free; wanted c"):
        betting.act(FOLD)


def test_fold__last_one_left_wins_what_others_put_in():
    betting = hand_after(holdem([1000] * 3), [300, FOLD, FOLD])
    assert betting.over
    assert not betting.showdown
    assert betting.payoffs().tolist() == [-50, -100, 150]


def test_payoffs__need_ranks_at_a_showdown():
    betting = hand_after(holdem([1000] * 2, rounds=1), [CALL, CALL])
    with pytest.raises(UserError, match="wanted a rank for each seat"):
        betting.payoffs()
    with pytest.raises(UserError, match="found 3 ranks, wanted 2"):
        betting.payoffs([1, 2, 3])
    assert betting.payoffs([7, 7]).tolist() == [0, 0]


def test_positions__names_by_number_of_seats():
    assert positions(6, 2) == ("SB", "BB", "UTG", "HJ", "CO", "BTN")
    assert positions(2, 0) == ("SB", "BB")
    assert positions(2, 1) == ("BB", "SB")
    assert positions(3, 0) == ("P1", "P2", "P3")
    assert all(len(set(positions(n, 2))) == n for n in range(3, 11))


@settings(max_examples=400)
@given(games(rounds=(1, 4)), st.randoms(use_true_random=False))
def test_play__agrees_with_the_twin_and_conserves_chips(game, random):
    betting, table = Betting(game), oracle.table(game)
    while not table.over:
        expected = (table.actor, table.round, table.to_call, table.raise_range)
        actual = betting.actor, betting.round, betting.to_call, betting.raise_range
        assert actual == expected
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


def net(put, contenders, rank):
    out = np.empty(len(put))
    mask = sum(1 << seat for seat in contenders)
    payoffs(np.array(put, np.int32), mask, np.array(rank, np.int32), out)
    return out.tolist()


@pytest.mark.parametrize(
    ("put", "contenders", "rank", "expected"),
    [
        ([100, 100, 100], [0, 1, 2], [3, 1, 2], [200, -100, -100]),
        ([100, 100, 50], [0, 1], [5, 5, 9], [25, 25, -50]),  # the folded rank does not count
        ([50, 100, 25], [0, 1], [5, 5, 0], [12.5, 12.5, -25]),  # uncalled 50, halves
        ([30, 80, 200, 200], [0, 1, 2, 3], [9, 8, 7, 6], [90, 70, 40, -200]),
        ([30, 80, 200, 200], [0, 1, 2, 3], [1, 1, 1, 1], [0, 0, 0, 0]),
        ([30, 80, 200, 200], [0, 1, 3], [1, 1, 9, 0], [30, 130, -200, 40]),
        ([100, 40, 100], [1, 0], [1, 2, 0], [-40 + 60, 80, -100]),
        ([300, 100, 100], [0], [0, 0, 0], [200, -100, -100]),  # all but one folded
        ([0, 0, 0], [0, 1, 2], [1, 2, 3], [0, 0, 0]),
    ],
)
def test_payoffs__by_hand(put, contenders, rank, expected):
    assert net(put, contenders, rank) == expected


@given(st.lists(st.tuples(st.integers(0, 30), st.booleans(), st.integers(0, 3)), min_size=2))
def test_payoffs__agree_with_the_twin(seats):
    seats = seats[:10]
    put, left, rank = (list(column) for column in zip(*seats, strict=True))
    contenders = [seat for seat, stays in enumerate(left) if stays]
    assume(any(put[seat] for seat in contenders))
    expected = [float(chips) for chips in oracle.payoffs(put, contenders, rank)]
    actual = net(put, contenders, rank)
    np.testing.assert_allclose(actual, expected, atol=1e-9)
    assert abs(sum(actual)) < 1e-9


@given(st.lists(st.integers(0, 9), min_size=2, max_size=10))
def test_return_uncalled__agrees_with_the_twin(put):
    actual = np.array(put)
    back = return_uncalled(actual)
    assert actual.tolist() == oracle.returned(put)
    assert back == sum(put) - actual.sum()


@given(st.permutations(range(6)), st.lists(st.integers(1, 9), min_size=6, max_size=6))
def test_payoffs__seats_permuted_give_permuted_payoffs(order, put):
    rank = [3, 1, 3, 0, 2, 2]
    contenders = [0, 2, 3, 5]
    expected = net(put, contenders, rank)
    actual = net(
        [put[seat] for seat in order],
        [order.index(seat) for seat in contenders],
        [rank[seat] for seat in order],
    )
    assert actual == pytest.approx([expected[seat] for seat in order])
