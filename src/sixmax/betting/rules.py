"""No-limit betting for 2-10 seats: the seat to act, the legal actions, the end, the pots.

Kernels on a hand, which is one int64 array; :mod:`sixmax.betting.state` is the readable form.
Amounts are chips; a raise is named by the chips that the player will have put in over the whole
hand ("raise-to", as in the ACPC protocol).

The rules (supplement, "Rules for no-limit Texas hold'em poker"), with unequal stacks added:

* A player who cannot pay ante and blind in full posts the stack and is all-in. The bet to call
  is the most that anybody has put in, also where the big blind was posted short.
* A raise adds at least the big blind, and at least the largest raise of the round so far, unless
  it is all-in. An all-in smaller than that is legal, but does not reopen the betting: a player who
  has acted in the round may raise again only when facing at least a full raise. Short all-ins that
  add up to a full raise do reopen it (Poker TDA, rule "Re-Opening the Bet"). pokerkit departs
  from TDA in two rare cases, which tests/betting/test_pokerkit.py names and tells apart.
* Nobody folds when checking is free, and nobody raises when no opponent could call more.
* A player with nothing to call and no opponent with chips left to bet against is not asked.
"""

from collections.abc import Iterable

import numpy as np

from sixmax.base.jit import njit, uncounted
from sixmax.betting.config import MAX_SEATS, GameConfig

FOLD, CALL = -1, 0  # actions; any larger number is a raise-to
BETTING, WON, SHOWN = 0, 1, 2  # phases: somebody acts, all but one folded, showdown

# One array, rules included: with six, numba spent most of the time counting references.
# First the numbers that change:
ROUND = 0  # betting round of the last or next action
ACTOR = 1  # seat to act, -1 when nobody is
HIGH = 2  # most chips that anybody has put in
INCREMENT = 3  # largest raise of this round, 0 before the first
RAISES = 4  # number of raises in this round
FOLDERS = 5  # bit mask of seats that have folded
PENDING = 6  # bit mask of seats that are still to act in this round
ACTED = 7  # bit mask of seats that have acted in this round
PHASE = 8
LEFT = 9  # number of seats that have not folded
POT = 10  # all chips put in
# then those that do not:
SEATS = 11
ROUNDS = 12
BIG_BLIND = 13  # smallest raise
REOPEN = 14  # least to call that lets a player who has acted raise, before any full raise
FIRST = 15  # seat that is first to act in round r: bits 4 r to 4 r + 3
CHIPS = 16  # chips that seat 0 has put in, and so on
STACKS = CHIPS + MAX_SEATS  # chips that seat 0 had before antes and blinds, and so on
LENGTH = STACKS + MAX_SEATS


def begin(game: GameConfig) -> np.ndarray:
    """A hand of ``game`` with antes and blinds posted: int64[LENGTH], at the places named above."""
    hand = np.zeros(LENGTH, dtype=np.int64)
    hand[SEATS], hand[ROUNDS] = game.seats, len(game.rounds)
    hand[BIG_BLIND] = hand[REOPEN] = max(*game.blinds, 1)
    hand[FIRST] = sum(seat << 4 * r for r, seat in enumerate(game.first))
    hand[STACKS : STACKS + game.seats] = game.stacks
    _post_kernel(hand, np.array(game.blinds), np.array(game.antes))
    return hand


@njit
def _post_kernel(hand, blinds, antes):
    seats = hand[SEATS]
    for seat in range(seats):
        put = min(antes[seat] + blinds[seat], hand[STACKS + seat])
        hand[CHIPS + seat] = put
        hand[POT] += put
        hand[HIGH] = max(hand[HIGH], put)
    hand[LEFT] = seats
    hand[PENDING] = _able(hand)
    _advance(hand, hand[FIRST] & 15)


@njit
def apply(hand, action):
    """Let the actor do ``action`` (FOLD, CALL or a raise-to), which must be legal."""
    actor = hand[ACTOR]
    bit = 1 << actor
    hand[PENDING] &= ~bit
    hand[ACTED] |= bit
    if action == FOLD:
        hand[FOLDERS] |= bit
        hand[LEFT] -= 1
    else:
        chips = action
        if action == CALL:
            chips = min(hand[HIGH], hand[STACKS + actor])
        hand[POT] += chips - hand[CHIPS + actor]
        hand[CHIPS + actor] = chips
        if action != CALL:
            hand[INCREMENT] = max(hand[INCREMENT], action - hand[HIGH])
            hand[HIGH] = action
            hand[RAISES] += 1
            hand[PENDING] = _able(hand) & ~bit
    _advance(hand, actor + 1)


@njit
def limits(hand):
    """``(to_call, low, high)`` of the actor: chips, and the raise-to range, 0 and 0 when none."""
    actor = hand[ACTOR]
    stack, high = hand[STACKS + actor], hand[HIGH]
    to_call = min(high, stack) - hand[CHIPS + actor]
    if stack <= high or deepest_opponent(hand, actor) <= high:
        return to_call, 0, 0
    if hand[ACTED] >> actor & 1 and to_call < max(hand[INCREMENT], hand[REOPEN]):
        return to_call, 0, 0
    return to_call, min(stack, high + max(hand[INCREMENT], hand[BIG_BLIND])), stack


@njit
def is_legal(hand, action):
    """Whether the actor may do ``action`` (FOLD, CALL or a raise-to)."""
    if hand[PHASE] != BETTING:
        return False
    to_call, low, high = limits(hand)
    if action <= CALL:
        return action == CALL or (action == FOLD and to_call > 0)
    return low <= action <= high


@njit
def contenders(hand):
    """Bit mask of the seats that have not folded."""
    return ((1 << hand[SEATS]) - 1) & ~hand[FOLDERS]


@njit
def deepest_opponent(hand, actor):
    """The most that an opponent of ``actor`` who is still in can put in over the hand."""
    most, out = 0, hand[FOLDERS] | 1 << actor
    for seat in range(hand[SEATS]):
        if not out >> seat & 1:
            most = max(most, hand[STACKS + seat])
    return most


@njit
def _able(hand):
    mask = 0
    for seat in range(hand[SEATS]):
        if hand[CHIPS + seat] < hand[STACKS + seat]:
            mask |= 1 << seat
    return mask & ~hand[FOLDERS]


@njit
def _next(hand, seat):
    """The next pending seat from ``seat`` on, -1 if none; drops those who could only check."""
    seats = hand[SEATS]
    while hand[PENDING]:
        if seat >= seats:
            seat -= seats
        if hand[PENDING] >> seat & 1:
            owes = hand[CHIPS + seat] < hand[HIGH]
            if owes or deepest_opponent(hand, seat) > hand[HIGH]:
                return seat
            hand[PENDING] &= ~(1 << seat)
        seat += 1
    return -1


@njit
def _advance(hand, seat):
    if hand[LEFT] == 1:
        hand[PHASE], hand[ACTOR] = WON, -1
        return
    hand[ACTOR] = _next(hand, seat)
    if hand[ACTOR] >= 0:
        return
    last = hand[ROUND]
    if last + 1 < hand[ROUNDS]:
        hand[ROUND] += 1
        hand[INCREMENT] = hand[RAISES] = hand[ACTED] = 0
        hand[PENDING] = _able(hand)
        hand[ACTOR] = _next(hand, hand[FIRST] >> 4 * (last + 1) & 15)
    if hand[ACTOR] < 0:  # nobody can act in later rounds either
        hand[PHASE], hand[ROUND] = SHOWN, last


@njit
def return_uncalled(chips):
    """Give back, in place, the highest bettor's chips above the second highest; return them."""
    first = second = owner = 0
    for seat in range(chips.size):
        if chips[seat] > first:
            first, second, owner = chips[seat], first, seat
        elif chips[seat] > second:
            second = chips[seat]
    chips[owner] = second
    return first - second


def after(hand: np.ndarray, actions: Iterable[int]) -> np.ndarray:
    """``hand`` int64[LENGTH] after ``actions``, each of which is legal: a copy."""
    hand = hand.copy()
    for action in actions:
        apply(hand, action)
    return hand


@uncounted
def payoffs(contributed, mask, rank, out):
    """Write the net chips of every seat into ``out`` float64[seats].

    ``contributed`` int[seats] are chips put in over the hand; ``mask`` is that of the contenders,
    one at least; ``rank`` int[seats], read for contenders alone: higher wins, equals share. A pot
    goes to the best contenders who have paid into it in full and is split exactly: halves occur. A
    bet that nobody called is a pot with one contender. Folded chips above the bets of all
    contenders belong to the last pot.
    """
    top = 0
    for seat in range(contributed.size):
        out[seat] = 0.0 - contributed[seat]
        if mask >> seat & 1:
            top = max(top, contributed[seat])
    below = 0
    while below < top:
        level, best = top, rank[0]
        winners = 0
        for seat in range(contributed.size):
            if mask >> seat & 1 and contributed[seat] > below:
                level = min(level, contributed[seat])
                if winners == 0 or rank[seat] > best:
                    best, winners = rank[seat], 1
                elif rank[seat] == best:
                    winners += 1
        pot = 0
        for seat in range(contributed.size):
            upto = contributed[seat] if level == top else min(contributed[seat], level)
            pot += max(0, upto - below)
        share = pot / winners
        for seat in range(contributed.size):
            in_pot = mask >> seat & 1 and contributed[seat] > below
            if in_pot and rank[seat] == best:
                out[seat] += share
        below = level
