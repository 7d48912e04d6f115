"""Slow twins of the leaf function: features seat by seat, and its value at a leaf."""

import math

import numpy as np

from sixmax.game.rules import ACTOR, BIG_BLIND, CHIPS, FOLDERS, HIGH, POT, STACKS


def features(hand, me, choices, strength, texture, flop, n, seats):
    """The features of ``me`` at ``hand`` int64[LENGTH]: a list of floats.

    ``choices`` by seat, ``strength`` [seats, 2], ``texture`` and whether the ``flop`` is known;
    ``n`` continuations.
    """
    folded = {p for p in range(seats) if hand[FOLDERS] >> p & 1}
    chips = {p: int(hand[CHIPS + p]) for p in range(seats)}
    stack = {p: int(hand[STACKS + p]) for p in range(seats)}
    pot, others = int(hand[POT]), [p for p in range(seats) if p != me and p not in folded]
    order = [(int(hand[ACTOR]) + k) % seats for k in range(seats)]
    before = order[: order.index(me)]
    call = {p: min(int(hand[HIGH]), stack[p]) - chips[p] for p in [me, *others]}
    behind = min(stack[me], max(stack[p] for p in others)) - chips[me]
    out = [
        math.log2(pot / int(hand[BIG_BLIND])) / 8,
        math.log(1 + max(behind, 0) / pot) / 4,
        (call[me] or -max((call[p] for p in others if chips[p] < stack[p]), default=0)) / pot,
        sum(p in others and chips[p] < stack[p] for p in before) / seats,
        len(others) / (seats - 1),
        float(flop),
        4 * texture,
        *strength[me],
    ]
    for p in sorted(others, key=lambda p: (p - me) % seats):
        out += [*strength[p], *(float(choices[p] == k) for k in range(1, n))]
    return out + [0.0] * ((seats - 1 - len(others)) * (n + 1))


def predict(network, x):
    """Values by own choice, unit by unit: a list of floats."""
    units = [float(v) for v in x]
    layers = [(network.first, network.first_bias), *zip(network.weight, network.bias, strict=True)]
    for weight, bias in layers:
        units = [
            max(sum(u * float(w) for u, w in zip(units, column, strict=True)) + float(b), 0.0)
            for column, b in zip(weight.T, bias, strict=True)
        ]
    return [
        sum(u * float(w) for u, w in zip(units, column, strict=True)) + float(b)
        for column, b in zip(network.last.T, network.last_bias, strict=True)
    ]


def strengths(hole, flop, deck, value):
    """Strength and spread of ``hole`` on ``flop``: every runout, every other hand.

    ``deck`` are all cards, ``value`` ranks seven of them.
    """
    seen = {*hole, *flop}
    left = [c for c in deck if c not in seen]
    shares = []
    for i, turn in enumerate(left):
        for river in left[:i]:
            board = [*flop, turn, river]
            rest = [c for c in left if c not in (turn, river)]
            mine = value([*hole, *board])
            won = met = 0.0
            for j, high in enumerate(rest):
                for low in rest[:j]:
                    theirs = value([high, low, *board])
                    won += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                    met += 1
            shares.append(won / met)
    return float(np.mean(shares)), 2 * float(np.std(shares))
