"""The features of a leaf, for one seat that asks for its value: float32.

Of the public state, then of the asking seat's hand, then of each other seat that has not folded, in
the order of the table from the asking seat on; places that no seat takes hold zeros.

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

from typing import NamedTuple

import numpy as np

from sixmax.abstraction.buckets import open_round
from sixmax.abstraction.features_kernels import deck as deck_of
from sixmax.base.jit import formula, in_parts, njit
from sixmax.base.progress import Progress
from sixmax.betting import rules
from sixmax.betting.leaf_choices import choice_bits, choice_of
from sixmax.blueprint.run import Run
from sixmax.cards.deck import classes, hole_id, n_holes
from sixmax.cards.equity import sweep
from sixmax.cards.evaluate import BLOCKED
from sixmax.cards.isomorphism import boards, canonical_board, permute_hole
from sixmax.cards.strength_ladder import climb, new_ladder
from sixmax.leaf_function.config import HAND, PUBLIC
from sixmax.ongoing.locate import hand_at

_AT_ONCE = 64  # flops between reports of progress


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
        if not hand[rules.FOLDERS] >> seat & 1:
            out[seat] = place
            place += 1


@njit
def public_features(hand, me, flop, texture, out):
    """Write the features of the public state ``hand`` int64[LENGTH] to ``out[:7]``."""
    seats, pot = hand[rules.SEATS], np.float64(hand[rules.POT])
    deepest, owed, before = 0, 0, 0
    for away in range(seats):
        seat = (hand[rules.ACTOR] + away) % seats
        if seat == me or hand[rules.FOLDERS] >> seat & 1:
            continue
        deepest = max(deepest, hand[rules.STACKS + seat])
        if hand[rules.CHIPS + seat] < hand[rules.STACKS + seat]:
            due = min(hand[rules.HIGH], hand[rules.STACKS + seat]) - hand[rules.CHIPS + seat]
            owed = max(owed, due)
            before += away < (me - hand[rules.ACTOR]) % seats
    left = max(min(hand[rules.STACKS + me], deepest) - hand[rules.CHIPS + me], 0)
    to_call = min(hand[rules.HIGH], hand[rules.STACKS + me]) - hand[rules.CHIPS + me]
    out[0] = np.log2(pot / hand[rules.BIG_BLIND]) / 8
    out[1] = np.log(1 + left / pot) / 4
    out[2] = to_call / pot if to_call > 0 else -owed / pot
    out[3] = before / seats
    out[4] = (hand[rules.LEFT] - 1) / (seats - 1)
    out[5] = 1.0 if flop else 0.0
    out[6] = 4 * texture


class HandStrengths(NamedTuple):
    """Strength and spread of every hand on one board."""

    feature: np.ndarray  # float32[holes, 2], zeros where the board blocks a hand
    texture: float  # the mean spread, 0 before the flop


def before_the_flop(run: Run) -> np.ndarray:
    """Strength and spread of classes of hands, by the run's histograms: float32[classes, 2]."""
    share = open_round(run.folder, "preflop", run.ranks)["centroid"].astype(np.float64)
    middle = (np.arange(share.shape[1]) + 0.5) / share.shape[1]
    mean = share @ middle
    variance = np.maximum(share @ middle**2 - mean**2, 0)
    return np.stack([mean, 2 * np.sqrt(variance)], axis=1).astype(np.float32)


def on_board(board: np.ndarray, ranks: int, preflop: np.ndarray) -> HandStrengths:
    """The hands on ``board`` int8[0 or 3]; ``preflop`` is of :func:`before_the_flop`."""
    if not len(board):
        return HandStrengths(preflop[classes(ranks)], 0.0)
    out, texture = np.zeros((1, n_holes(ranks), 2), np.float32), np.zeros(1)
    _flops_kernel(np.array(board, np.int8)[None], deck_of(ranks), out, texture, 0, 1)
    return HandStrengths(out[0], float(texture[0]))


def on_flops(ranks: int) -> tuple[np.ndarray, np.ndarray]:
    """The hands on every canonical flop: float32[flops, holes, 2], and textures float64[flops]."""
    flops = boards(ranks, 3).cards
    out = np.zeros((len(flops), n_holes(ranks), 2), np.float32)
    texture = np.zeros(len(flops))
    with Progress(len(flops), "leaf function: hands", "flops") as progress:
        for first in range(0, len(flops), _AT_ONCE):
            part = slice(first, min(first + _AT_ONCE, len(flops)))
            given = flops[part], deck_of(ranks), out[part], texture[part]
            in_parts(part.stop - first, _flops_kernel, *given)
            progress.add(part.stop - first)
    return out, texture


@njit
def _flops_kernel(flops, cards, out, texture, first, last):
    """Write strength and spread of every hand on ``flops[first:last]``, and the textures."""
    ranks, holes = cards
    s, wins = new_ladder(holes), np.empty(len(holes), np.int32)
    total, squares = np.empty(len(holes)), np.empty(len(holes))
    board, deck = np.empty(5, np.int8), 4 * ranks
    most = (deck - 7) * (deck - 8)  # twice the hands of an opponent: a certain win
    runouts = (deck - 5) * (deck - 6) // 2  # that a hand and a flop leave
    for i in range(first, last):
        total[:] = squares[:] = 0.0
        board[:3] = flops[i]
        for turn in range(deck):
            for river in range(turn):
                if (board[:3] == turn).any() or (board[:3] == river).any():
                    continue
                board[3], board[4] = turn, river
                sweep(climb(board, ranks, s), s, wins)
                for hole in range(len(holes)):
                    if wins[hole] != BLOCKED:
                        share = wins[hole] / most
                        total[hole] += share
                        squares[hole] += share * share
        hands, spreads = 0, 0.0
        for hole in range(len(holes)):
            if not ((flops[i] == holes[hole, 0]).any() or (flops[i] == holes[hole, 1]).any()):
                mean = total[hole] / runouts
                spread = np.sqrt(max(squares[hole] / runouts - mean * mean, 0.0))
                out[i, hole, 0], out[i, hole, 1] = mean, 2 * spread
                spreads += spread
                hands += 1
        texture[i] = spreads / hands


class HandTables(NamedTuple):
    """Strength and spread of hands: of classes float32[classes, 2], and on every flop."""

    of_class: np.ndarray  # uint8[holes]
    preflop: np.ndarray  # float32[classes, 2]
    flop: np.ndarray  # float32[flops, holes, 2]
    texture: np.ndarray  # float64[flops]


@njit
def features_kernel(of, states, out, start, stop):
    """Write to ``out`` the features of ``states``, leaves of round ``known``."""
    (places, hands, flops, known, seats, n), (node, asks, choices, cards) = of, states
    hand, place = np.empty(rules.LENGTH, np.int64), np.empty(seats, np.int8)
    perm, own = np.empty(4, np.int8), np.empty((seats, 2), np.float32)
    for i in range(start, stop):
        hand_at(places, node[i], hand)
        texture = _hands_of(hands, flops, cards[i], known, perm, own)
        public_features(hand, asks[i], known == 1, texture, out[i])
        places_of(hand, asks[i], place)
        fill(asks[i], choices[i], place, own, n, out[i])


@njit
def _hands_of(hands, flops, cards, known, perm, out):
    """Write strength and spread of every seat's hand to ``out``; returns the texture."""
    board = 2 * len(out)
    flop = canonical_board(flops, cards[board : board + 3], perm) if known else 0
    for seat in range(len(out)):
        lo, hi = cards[2 * seat], cards[2 * seat + 1]
        if known:
            out[seat] = hands.flop[flop, permute_hole(lo, hi, perm)]
        else:
            out[seat] = hands.preflop[hands.of_class[hole_id(lo, hi)]]
    return hands.texture[flop] if known else 0.0


@njit
def fill(me, choices, place, own, n, out):
    """Write the features of hands ``own`` float32[seats, 2] and choices of ``n`` continuations."""
    bits, at = choice_bits(n), len(PUBLIC)
    out[at], out[at + 1] = own[me]
    for seat in range(len(place)):
        if place[seat] >= 0:
            first = at + len(HAND) + place[seat] * place_features(n)
            out[first], out[first + 1] = own[seat]
            k = choice_of(choices, seat, bits)
            if k > 0:
                out[first + len(HAND) + k - 1] = 1.0
