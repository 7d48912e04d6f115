"""Random hands played here and by pokerkit: legal actions at each decision, payoffs."""

import functools
import random
import warnings
from fractions import Fraction

import numpy as np
import pytest
from pokerkit import Automation, NoLimitTexasHoldem, StandardHighHand

from oracles.games import holdem
from sixmax.betting.rules import ACTED, BIG_BLIND, CALL, FOLD, HIGH, INCREMENT
from sixmax.betting.state import Betting

ALL_BUT_BETTING = tuple(Automation[name] for name in (
    "ANTE_POSTING", "BET_COLLECTION", "BLIND_OR_STRADDLE_POSTING", "CARD_BURNING",
    "HOLE_DEALING", "BOARD_DEALING", "HOLE_CARDS_SHOWING_OR_MUCKING", "HAND_KILLING",
    "CHIPS_PUSHING", "CHIPS_PULLING",
))  # fmt: skip


@pytest.fixture
def quick_hands(monkeypatch):
    """pokerkit evaluates a hand again and again at a showdown, and five cards of it for every
    comparison: remember the last ones."""
    plain = StandardHighHand.from_game.__func__
    lookup = StandardHighHand.lookup
    monkeypatch.setattr(lookup, "_get_key", functools.lru_cache(maxsize=64)(lookup._get_key))

    @functools.lru_cache(maxsize=64)
    def remembered(hole, board):
        return plain(StandardHighHand, hole, board)

    def from_game(cls, hole_cards, board_cards=()):
        return remembered(tuple(hole_cards), tuple(board_cards))

    monkeypatch.setattr(StandardHighHand, "from_game", classmethod(from_game))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how pokerkit answers can_fold where checking is free
        yield


def deal(rng, seats):
    """The same random hand twice: ours, and pokerkit's; stacks from a chip to 50 big blinds."""
    blind = rng.choice([2, 10, 100])
    ante = rng.choice([0, 0, 1, blind // 4, blind])
    deepest = rng.choice([3, 10, 50]) * blind
    stacks = [rng.randint(1, deepest) for _ in range(seats)]
    blinds = (blind // 2, blind)
    usual = blinds[::-1] if seats == 2 else blinds + (0,) * (seats - 2)
    theirs = NoLimitTexasHoldem.create_state(
        ALL_BUT_BETTING, True, ante, blinds, blind, tuple(stacks), seats,
        divmod=lambda chips, players: (Fraction(chips, players), 0),
    )  # fmt: skip
    return Betting(holdem(stacks, blinds=usual, ante=ante)), theirs


def legal_here(ours):
    return ours.to_call > 0, ours.to_call, ours.raise_range


def legal_there(theirs, base):
    low = theirs.min_completion_betting_or_raising_to_amount
    high = theirs.max_completion_betting_or_raising_to_amount
    chips = theirs.checking_or_calling_amount
    return theirs.can_fold(), chips, None if low is None else (base + low, base + high)


def is_tda(ours, theirs):
    """Whether pokerkit and the TDA rule on short all-ins part ways here; we follow TDA.

    The actor has acted in this round. (1) The bets of the round are all-ins below a full bet:
    TDA has them not reopen the betting, pokerkit does. (2) They add up to a full raise since the
    actor's turn, which reopens it for TDA; pokerkit forgets those before the sum reached one.
    """
    owed = ours.hand[HIGH] - ours.contributed[ours.actor]
    if not ours.hand[ACTED] >> ours.actor & 1:
        return False
    if ours.raise_range is None:
        return owed < ours.hand[BIG_BLIND] and ours.hand[INCREMENT] < ours.hand[BIG_BLIND]
    short = sum(theirs.consecutive_short_all_in_amounts)
    return 0 < short < theirs.completion_betting_or_raising_amount <= owed


def pass_the_forced_checks(ours, theirs):
    """pokerkit asks some players who can only check; we do not."""
    while theirs.actor_index is not None and (ours.over or theirs.actor_index != ours.actor):
        assert legal_there(theirs, 0) == (False, 0, None)
        theirs.check_or_call()


def play(rng, ours, theirs):
    """Play a random hand on both; returns the numbers of decisions and of known differences."""
    decisions = differences = 0
    pass_the_forced_checks(ours, theirs)
    while not ours.over:
        assert theirs.actor_index == ours.actor
        base = int(ours.contributed[ours.actor]) - theirs.bets[ours.actor]  # of earlier rounds
        here, there = legal_here(ours), legal_there(theirs, base)
        decisions += 1
        if here != there:
            assert here[:2] == there[:2]
            assert None in (here[2], there[2])
            assert is_tda(ours, theirs)
            differences += 1
        action = rng.choice([CALL, CALL] + [FOLD] * here[0])
        if here[2] and there[2] and rng.random() < 0.6:
            low, high = here[2]
            action = rng.choice([low, high, rng.randint(low, high), min(high, 2 * low)])
        if action == FOLD:
            theirs.fold()
        elif action == CALL:
            theirs.check_or_call()
        else:
            theirs.complete_bet_or_raise_to(action - base)
        ours.act(action)
        pass_the_forced_checks(ours, theirs)
    assert not theirs.status
    return decisions, differences


def ranks(holes, board):
    hands = [StandardHighHand.from_game(hole, board) for hole in holes]
    order = sorted(set(hands))
    return [order.index(hand) for hand in hands]


def compare(seats, hands):
    rng = random.Random(seats)
    random.seed(seats)  # pokerkit shuffles with the global generator
    decisions = differences = 0
    for _ in range(hands):
        ours, theirs = deal(rng, seats)
        holes = [tuple(hole) for hole in theirs.hole_cards]
        hit = play(rng, ours, theirs)
        decisions, differences = decisions + hit[0], differences + hit[1]
        board = tuple(theirs.get_board_cards(0))
        actual = ours.payoffs(ranks(holes, board) if ours.showdown else None)
        expected = [float(chips) for chips in theirs.payoffs]
        np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-9)
    assert decisions > 2 * hands
    assert differences < decisions / 100


@pytest.mark.parametrize("seats", range(2, 10))
def test_hands__agree_with_pokerkit(seats, quick_hands):
    compare(seats, 200)


@pytest.mark.slow
@pytest.mark.parametrize("seats", range(2, 10))
def test_hands__agree_with_pokerkit_over_many(seats, quick_hands):
    compare(seats, 5000)
