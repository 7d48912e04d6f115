"""Action abstraction: the raises that a config offers at a state, as raise-to amounts.

A size is a fraction f of the pot after calling: raise-to = highest bet + f * (pot + call), rounded
to the nearest chip, halves up. "A" is all-in, "N chips" raises by N. Amounts below the smallest
legal raise are lifted to it, and amounts that leave no opponent chips behind become all-in.
All-in means all that the actor has, or all that the deepest opponent still in could call.
"""

from typing import NamedTuple

import numpy as np

from sixmax.game.config import GameConfig
from sixmax.game.rules import CHIPS, FOLDERS, HIGH, RAISES, ROUND, contenders, count_bits, limits
from sixmax.jit import njit

FRACTION, ALL_IN, BY_CHIPS = 1, 2, 3  # 0: no size


class Sizes(NamedTuple):
    """The raises of a config; ``rows`` raise numbers of up to ``width`` sizes."""

    kind: np.ndarray  # int64[rounds, rows, width]
    value: np.ndarray  # float64[rounds, rows, width]: fraction of the pot, or chips
    max_raises: np.ndarray  # int64[rounds]
    max_players: np.ndarray  # int64[rounds]: no raise with more players left


def sizes(game: GameConfig) -> Sizes:
    """The sizes of ``game`` as arrays; the last row of a round serves all later raises."""
    rows = max(len(r.sizes) for r in game.rounds)
    width = max((len(row) for r in game.rounds for row in r.sizes), default=0)
    kind = np.zeros((len(game.rounds), rows, max(width, 1)), dtype=np.int64)
    value = np.zeros(kind.shape)
    for i, betting_round in enumerate(game.rounds):
        for j in range(rows):
            row = betting_round.sizes[min(j, len(betting_round.sizes) - 1)]
            for k, size in enumerate(row):
                kind[i, j, k], value[i, j, k] = _pack(size)
    max_raises = np.array([r.max_raises for r in game.rounds], dtype=np.int64)
    max_players = np.array([r.max_players for r in game.rounds], dtype=np.int64)
    return Sizes(kind, value, max_raises, max_players)


def _pack(size: float | int | str) -> tuple[int, float]:
    if size == "A":
        return ALL_IN, 0.0
    if isinstance(size, str):
        return BY_CHIPS, float(size.removesuffix(" chips"))
    return FRACTION, float(size)


@njit
def raises(rules, sizes, state, out):
    """Write the raise-to amounts offered at ``state`` into ``out``, ascending; return how many.

    ``out`` is int64[width] at least.
    """
    at = state[ROUND]
    if state[RAISES] >= sizes.max_raises[at]:
        return 0
    if count_bits(contenders(rules, state)) > sizes.max_players[at]:
        return 0
    to_call, low, high = limits(rules, state)
    if high == 0:
        return 0
    high = min(high, max(low, _deepest_opponent(rules, state)))
    pot = to_call
    for seat in range(rules.stacks.size):
        pot += state[CHIPS + seat]
    row = min(state[RAISES], sizes.kind.shape[1] - 1)
    count = 0
    for k in range(sizes.kind.shape[2]):
        kind, value = sizes.kind[at, row, k], sizes.value[at, row, k]
        if kind == 0:
            continue
        amount = high
        if kind == FRACTION:
            amount = state[HIGH] + np.int64(np.floor(value * pot + 0.5))
        elif kind == BY_CHIPS:
            amount = state[HIGH] + np.int64(value)
        count = _insert(out, count, min(max(amount, low), high))
    return count


@njit
def _deepest_opponent(rules, state):
    most = 0
    for seat in range(rules.stacks.size):
        if seat != state[1] and not state[FOLDERS] >> seat & 1:
            most = max(most, rules.stacks[seat])
    return most


@njit
def _insert(out, count, amount):
    """Keep ``out[:count]`` ascending without duplicates; return the new count."""
    at = count
    while at > 0 and out[at - 1] >= amount:
        at -= 1
    if at < count and out[at] == amount:
        return count
    for k in range(count, at, -1):
        out[k] = out[k - 1]
    out[at] = amount
    return count + 1
