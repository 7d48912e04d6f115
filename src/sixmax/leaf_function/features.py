"""The features of a leaf, for one seat that asks for its value: float32, at most 34 of them.

Of the public state, then of the asking seat's hand, then of each other seat that has not folded, in
the order of the table from the asking seat on; places that no seat takes hold zeros. The number
grows with seats and continuations: 34 for six seats and four continuations.

=========  =====================================================================================
pot        log2 of the pot in big blinds, over 8
stack      log(1 + s) / 4, with s the chips that the asking seat can still win from another, in pots
bet        chips to call in pots; below zero: the most that another seat has to call
turn       seats with chips left that act before the asking one, over all seats
players    other seats that have not folded, over all other seats
flop       1 where the flop is known
texture    mean of ``spread`` over all hands that the board leaves, times 4; 0 before the flop
strength   of a hand: its win probability on the river against a random hand, mean over the boards
spread     of a hand: the standard deviation of that probability over the boards, times 2
goes on k  of another seat: 1 if it chose continuation k, counted from 0; the first has none
=========  =====================================================================================

The public state is that of the blueprint's node where the leaf goes on, as for roll-outs.
"""

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import formula, njit
from sixmax.betting.rules import ACTOR, BIG_BLIND, CHIPS, FOLDERS, HIGH, LEFT, POT, SEATS, STACKS

PUBLIC = ("pot", "stack", "bet", "turn", "players", "flop", "texture")
HAND = ("strength", "spread")
MOST = 34  # those of the Modicum paper


def names(seats: int, choices: int) -> list[str]:
    """The features of a game of ``seats`` where players choose among so many continuations.

    Raises UserError for more than 34.
    """
    own = [*PUBLIC, *(f"own {name}" for name in HAND)]
    each = [*HAND, *(f"goes on {k}" for k in range(1, choices))]
    every = own + [f"other {place} {name}" for place in range(1, seats) for name in each]
    if len(every) > MOST:
        raise UserError(
            f"leaf function: found {len(every)} features, of {seats} seats and {choices} "
            f"continuations, wanted {MOST} at most; take a generator of fewer continuations"
        )
    return every


@formula
def place_features(choices):
    """Features of one other seat."""
    return len(HAND) + choices - 1


@njit
def places_of(hand, me, out):
    """Write to ``out`` int8[seats] the place of each seat, -1 for ``me`` and for those folded."""
    seats, place = out.size, 0
    out[:] = -1
    for away in range(1, seats):
        seat = (me + away) % seats
        if not hand[FOLDERS] >> seat & 1:
            out[seat] = place
            place += 1


@njit
def public_features(hand, me, flop, texture, out):
    """Write the public features of the public state ``hand`` int64[LENGTH] to ``out[:7]``.

    ``flop`` says whether the flop is known.
    """
    seats, pot = hand[SEATS], np.float64(hand[POT])
    deepest, owed, before = 0, 0, 0
    for away in range(seats):
        seat = (hand[ACTOR] + away) % seats
        if seat == me or hand[FOLDERS] >> seat & 1:
            continue
        deepest = max(deepest, hand[STACKS + seat])
        if hand[CHIPS + seat] < hand[STACKS + seat]:
            owed = max(owed, min(hand[HIGH], hand[STACKS + seat]) - hand[CHIPS + seat])
            before += away < (me - hand[ACTOR]) % seats
    left = max(min(hand[STACKS + me], deepest) - hand[CHIPS + me], 0)
    to_call = min(hand[HIGH], hand[STACKS + me]) - hand[CHIPS + me]
    out[0] = np.log2(pot / hand[BIG_BLIND]) / 8
    out[1] = np.log(1 + left / pot) / 4
    out[2] = to_call / pot if to_call > 0 else -owed / pot
    out[3] = before / seats
    out[4] = (hand[LEFT] - 1) / (seats - 1)
    out[5] = 1.0 if flop else 0.0
    out[6] = 4 * texture
