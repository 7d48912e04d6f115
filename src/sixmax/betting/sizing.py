"""Action abstraction: the raises that a config offers at a state, as raise-to amounts.

A size is a fraction f of the pot after calling: raise-to = highest bet + f * (pot + call), rounded
to the nearest chip, halves up. "A" is all-in, "N chips" raises by N. Amounts below the smallest
legal raise are lifted to it. All-in, the most, is all that the actor has, or all that the deepest
opponent still in could call.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting import rules
from sixmax.betting.bet_size import CHIPS, FRACTION, packed
from sixmax.betting.config import GameConfig


class Sizes(NamedTuple):
    """The raises that a config offers."""

    # float64[rounds, raises, width, 2], by number of raises before in the round: kind and number
    # (:mod:`sixmax.betting.bet_size`); -1 beyond the last of a row.
    offer: np.ndarray
    max_players: np.ndarray  # int64[rounds]: no raise with more players left
    limpers: np.ndarray  # int64[rounds]: mask of seats that may call a blind nobody has raised


def sizes(game: GameConfig) -> Sizes:
    """The sizes of ``game`` as arrays; beyond ``max_raises`` of a round nothing is offered."""
    raises = max(1, *(r.max_raises for r in game.rounds))
    width = max(1, *(len(row) for r in game.rounds for row in r.sizes))
    offer = np.full((len(game.rounds), raises, width, 2), -1.0)
    for i, r in enumerate(game.rounds):
        for j in range(r.max_raises):
            row = r.sizes[min(j, len(r.sizes) - 1)]
            for k, size in enumerate(row):
                offer[i, j, k] = packed(size)
    max_players = np.array([r.max_players for r in game.rounds], dtype=np.int64)
    posted = sum(1 << seat for seat, blind in enumerate(game.blinds) if blind)
    masks = {True: (1 << game.seats) - 1, False: 0, "blinds": posted}
    return Sizes(offer, max_players, np.array([masks[r.limps] for r in game.rounds]))


@njit
def raises(sizes, hand, out, begin):
    """Write the raise-to amounts that ``sizes`` offers to the actor into ``out[begin:]``.

    Ascending, without duplicates; returns their end. There must be room for ``width`` of them.
    """
    at, row, offer = hand[rules.ROUND], hand[rules.RAISES], sizes.offer
    if (
        row >= offer.shape[1]
        or hand[rules.LEFT] > sizes.max_players[at]
        or offer[at, row, 0, 0] < 0.0
    ):
        return begin
    to_call, low, high = rules.limits(hand)
    if high == 0:
        return begin
    high = min(high, max(low, rules.deepest_opponent(hand, hand[rules.ACTOR])))
    pot = hand[rules.POT] + to_call
    end = begin
    for k in range(offer.shape[2]):
        kind, number = offer[at, row, k, 0], offer[at, row, k, 1]
        if kind < 0.0:
            break
        amount = high
        if kind == CHIPS:
            amount = hand[rules.HIGH] + np.int64(number)
        elif kind == FRACTION:
            amount = hand[rules.HIGH] + np.int64(number * pot + 0.5)
        end = insert(out, begin, end, min(max(amount, low), high))
    return end


@njit
def insert(out, begin, end, amount):
    """Keep ``out[begin:end]`` ascending without duplicates; return the new end."""
    at = end
    while at > begin and out[at - 1] >= amount:
        at -= 1
    if at < end and out[at] == amount:
        return end
    for k in range(end, at, -1):
        out[k] = out[k - 1]
    out[at] = amount
    return end + 1
