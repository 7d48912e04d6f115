"""No-limit betting for 2-10 seats: who acts, what may be done, when it is over.

One implementation for the tree, for replays and for matches: kernels on a small int64 state, and
:class:`Betting`, a readable hand on top of them. Amounts are chips; a raise is named by what the
player will have put in over the whole hand ("raise-to", as in the ACPC protocol).

The rules (supplement, "Rules for no-limit Texas hold'em poker"), with unequal stacks:

* A player who cannot pay ante or blind in full is all-in with what there is.
* A raise adds at least the big blind, and at least the largest raise of the round so far, unless
  it is all-in. An all-in smaller than that is legal; a player who has acted already may raise
  again only when what there is to call is a full raise. Several short all-ins that together make
  a full raise therefore reopen the betting (TDA rules, "Raises").
* Nobody folds when checking is free, and nobody raises when no opponent could call more.
* A player who owes nothing and could only check, all opponents being all-in, is not asked.
"""

from typing import NamedTuple

import numpy as np

from sixmax.game.config import GameConfig
from sixmax.jit import njit

FOLD, CALL = -1, 0  # actions; any larger number is a raise-to
BETTING, WON, SHOWN = 0, 1, 2  # phases: somebody acts, all but one folded, showdown

# The state is one int64 array; the chips each seat has put in follow the header.
ROUND = 0  # betting round of the last or next action
ACTOR = 1  # seat to act, -1 when nobody is
HIGH = 2  # most chips that anybody has put in
INCREMENT = 3  # largest raise of this round, 0 before the first
RAISES = 4  # number of raises in this round
FOLDERS = 5  # bit mask of seats that have folded
PENDING = 6  # bit mask of seats that are still to act in this round
ACTED = 7  # bit mask of seats that have acted in this round
PHASE = 8
CHIPS = 9  # chips put in by seat 0, and so on


class Rules(NamedTuple):
    """What the kernels know of a game; ``seats`` is the length of ``stacks``."""

    stacks: np.ndarray  # int64[seats] chips before antes and blinds
    blinds: np.ndarray  # int64[seats] chips
    antes: np.ndarray  # int64[seats] chips
    first: np.ndarray  # int64[rounds] seat that is first to act
    big_blind: int  # smallest raise
    reopen: int  # least to call that lets a player who has acted raise before any full raise


def rules(game: GameConfig) -> Rules:
    """The arrays of ``game`` that the kernels below take."""
    arrays = (game.stacks, game.blinds, game.antes, game.first)
    big_blind = max(*game.blinds, 1)
    return Rules(*(np.array(a, dtype=np.int64) for a in arrays), big_blind, big_blind)


def blank(seats: int) -> np.ndarray:
    """An int64 state array for ``seats`` seats, to be filled by :func:`start`."""
    return np.zeros(CHIPS + seats, dtype=np.int64)


@njit
def start(rules, state):
    """Post antes and blinds into ``state`` and find the first to act."""
    state[:] = 0
    for seat in range(rules.stacks.size):
        ante = min(rules.antes[seat], rules.stacks[seat])
        blind = min(rules.blinds[seat], rules.stacks[seat] - ante)
        state[CHIPS + seat] = ante + blind
        state[HIGH] = max(state[HIGH], ante + blind)
    state[PENDING] = _able(rules, state)
    _advance(rules, state, rules.first[0])


@njit
def apply(rules, state, action):
    """Let the actor do ``action`` (FOLD, CALL or a raise-to), which must be legal."""
    actor = state[ACTOR]
    bit = 1 << actor
    state[PENDING] &= ~bit
    state[ACTED] |= bit
    if action == FOLD:
        state[FOLDERS] |= bit
    elif action == CALL:
        state[CHIPS + actor] = min(state[HIGH], rules.stacks[actor])
    else:
        state[INCREMENT] = max(state[INCREMENT], action - state[HIGH])
        state[HIGH] = action
        state[RAISES] += 1
        state[CHIPS + actor] = action
        state[PENDING] = _able(rules, state) & ~bit
    _advance(rules, state, actor + 1)


@njit
def limits(rules, state):
    """``(to_call, low, high)`` of the actor: chips, and the raise-to range, 0 and 0 when none."""
    actor = state[ACTOR]
    put, stack, high = state[CHIPS + actor], rules.stacks[actor], state[HIGH]
    to_call = min(high, stack) - put
    if stack <= high or not _answerable(rules, state, actor):
        return to_call, 0, 0
    if state[ACTED] >> actor & 1 and to_call < max(state[INCREMENT], rules.reopen):
        return to_call, 0, 0
    return to_call, min(stack, high + max(state[INCREMENT], rules.big_blind)), stack


@njit
def contenders(rules, state):
    """Bit mask of the seats that have not folded."""
    return ((1 << rules.stacks.size) - 1) & ~state[FOLDERS]


@njit
def count_bits(mask):
    """The number of seats in a bit mask."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit
def _able(rules, state):
    mask = 0
    for seat in range(rules.stacks.size):
        if state[CHIPS + seat] < rules.stacks[seat]:
            mask |= 1 << seat
    return mask & ~state[FOLDERS]


@njit
def _answerable(rules, state, actor):
    """Whether an opponent of ``actor`` has chips to call more than the highest bet."""
    for seat in range(rules.stacks.size):
        left = not state[FOLDERS] >> seat & 1
        if seat != actor and left and rules.stacks[seat] > state[HIGH]:
            return True
    return False


@njit
def _next(rules, state, seat):
    """The next pending seat from ``seat`` on; drops those who could only check."""
    seats = rules.stacks.size
    for k in range(seats):
        actor = (seat + k) % seats
        if state[PENDING] >> actor & 1:
            owes = state[CHIPS + actor] < state[HIGH]
            if owes or _answerable(rules, state, actor):
                return actor
            state[PENDING] &= ~(1 << actor)
    return -1


@njit
def _advance(rules, state, seat):
    if count_bits(contenders(rules, state)) == 1:
        state[PHASE], state[ACTOR] = WON, -1
        return
    state[ACTOR] = _next(rules, state, seat)
    if state[ACTOR] >= 0:
        return
    last = state[ROUND]
    if last + 1 < rules.first.size:
        state[ROUND] += 1
        state[INCREMENT] = state[RAISES] = state[ACTED] = 0
        state[PENDING] = _able(rules, state)
        state[ACTOR] = _next(rules, state, rules.first[last + 1])
    if state[ACTOR] < 0:  # nobody can act in later rounds either
        state[PHASE], state[ROUND] = SHOWN, last
