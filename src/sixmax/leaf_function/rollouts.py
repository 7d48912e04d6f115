"""Values of states by roll-outs of the continuations, and samples of features and values."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import in_parts, njit, read_only
from sixmax.base.rng import below, child, step, stream
from sixmax.betting.leaf_choices import choice_bits
from sixmax.betting.rules import CHIPS, LENGTH, POT
from sixmax.cfr.packed_actions import bit_layout
from sixmax.cfr.sampled.leaves import Beyond, LeafDeal, roll_out
from sixmax.leaf_function.states import States, StateSource, draw_states, features_of, looked_up
from sixmax.ongoing.locate import Places, hand_at

_STATES = 1 << 13  # rolled out at a time
_SHOWN = (0, 3)  # cards that a leaf of the first and of the second round knows


class LeafSample(NamedTuple):
    """Features and values, in pots, of states."""

    x: np.ndarray  # float32[n, features]
    mean: np.ndarray  # float64[n, choices]: of the roll-outs, by the own choice
    variance: np.ndarray  # float64[n, choices]: of one roll-out


def sample(
    of: StateSource, known: int, n: int, rollouts: int, seed: int, progress: Callable[[int], None]
) -> LeafSample:
    """``n`` states of leaves of round ``known``, 0 or 1, each with so many roll-outs.

    A function of ``seed`` alone, whatever the threads. ``progress`` is called with states done.
    """
    states = draw_states(of, known, n, child(seed, "states"))
    parts = []
    for first in range(0, n, _STATES):
        part = States(*(column[first : first + _STATES] for column in states))
        mean, variance = roll(of, part, known, rollouts, child(seed, "boards", first))
        parts.append(LeafSample(features_of(of, part, known), mean, variance))
        progress(len(part.node))
    return LeafSample(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def roll(
    of: StateSource, states: States, known: int, rollouts: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Mean and variance of roll-outs, in pots: float64[n, choices] each.

    A roll-out deals the board that the leaf does not know; all own choices share it.
    """
    run, n = of.run, len(states.node)
    bucket, rank = looked_up(run, redeal(of, states, known, rollouts, seed))
    bits = bit_layout(run.tree, run.layout)[0]
    beyond = Beyond(
        run.tree.node, run.tree.contributed, *bits, read_only(of.packed),
        np.empty((0, 0), np.int32), np.empty(0), choice_bits(len(of.packed)),
    )  # fmt: skip
    values = np.empty((2, n, len(of.packed)))
    in_parts(n, _roll_kernel, RollOuts(of.places, beyond, rank, bucket), states, values)
    return values[0], values[1]


def redeal(of: StateSource, states: States, known: int, rollouts: int, seed: int) -> np.ndarray:
    """Cards of ``states``, so many times each, with the unknown part of the board drawn anew.

    int8[n * rollouts, 2 seats + 5]; those of a state lie together.
    """
    n, (_, width) = len(states.node), states.cards.shape
    cards = np.repeat(states.cards, rollouts, axis=0).reshape(n, rollouts, width)
    seen = 2 * of.run.game.seats + _SHOWN[known]
    in_parts(n, _redeal_kernel, cards, seen, 4 * of.run.ranks, seed)
    return cards.reshape(-1, width)


@njit
def _redeal_kernel(cards, known, deck, seed, start, stop):
    """Draw all of ``cards`` int8[n, times, cards] anew after the first ``known`` of each row."""
    for i in range(start, stop):
        state = stream(seed, np.uint64(i))
        for k in range(cards.shape[1]):
            row = cards[i, k]
            taken = np.uint64(0)
            for at in range(known):
                taken |= np.uint64(1) << np.uint64(row[at])
            for at in range(known, row.size):
                while True:
                    state = step(state)
                    card = np.uint64(below(state, deck))
                    if not taken >> card & np.uint64(1):
                        break
                taken |= np.uint64(1) << card
                row[at] = np.int8(card)


class RollOuts(NamedTuple):
    """Where states lie in a tree, what is played there, and its deals, some for each state."""

    places: Places
    beyond: Beyond
    rank: np.ndarray  # int32[deals, 1, seats]
    bucket: np.ndarray  # int32[deals, seats, rounds]


@njit
def _roll_kernel(of, states, values, start, stop):
    """Write mean and variance to ``values`` float64[2, states, choices]."""
    (places, beyond, rank, bucket), (node, asks, choices, _) = of, states
    mean, variance, rollouts = values[0], values[1], len(rank) // len(node)
    net, hand = np.empty(bucket.shape[1]), np.empty(LENGTH, np.int64)
    for i in range(start, stop):
        me = np.int64(asks[i])
        hand_at(places, node[i], hand)
        for k in range(mean.shape[1]):
            chosen, total, squares = choices[i] | k << beyond.bits * me, 0.0, 0.0
            for j in range(i * rollouts, (i + 1) * rollouts):
                won = roll_out(beyond, node[i], chosen, me, LeafDeal(rank[j], bucket[j]), net)
                share = (won + hand[CHIPS + me]) / hand[POT]
                total += share
                squares += share * share
            mean[i, k] = total / rollouts
            left = max(squares - total * total / rollouts, 0.0)
            variance[i, k] = left / (rollouts - 1)
