"""Rows of mixed and of pure policies, hand classes and ranges, beside slow twins."""

import numpy as np
import pytest

from search.holdem import HOLES, RANKS
from sixmax.api.strategy import Range, by_class, relative
from sixmax.betting.tree import n_actions, round_of, seat_of
from sixmax.cards.deck import class_names, classes, holds, parse_cards
from sixmax.cfr.packed_actions import action_bit, bit_layout
from sixmax.continuation.store import load
from sixmax.ongoing.hand import blueprint_rows


def read_bits(packed, bit, width):
    """A number of ``width`` bits, bit by bit, the lowest first."""
    return sum(
        (int(packed[b >> 3]) >> (b & 7) & 1) << k for k, b in enumerate(range(bit, bit + width))
    )


@pytest.mark.parametrize("name", ["fold", "call", "raise"])
def test_rows__of_a_continuation_are_its_packed_actions(run, library, name):
    opened = library.open(f"continuation-{name}")
    names, packed = load(run)
    mine = packed[names.index(name)]
    bits, _ = bit_layout(run.tree, run.layout)
    decisions = run.tree.decision_nodes()
    for x in np.random.default_rng(3).choice(decisions, 40):
        head = int(run.tree.node[x, 0])
        in_round, n = round_of(head), n_actions(head)
        every = np.arange(int(run.layout.buckets[in_round]))
        rows = blueprint_rows(run, opened.policy, int(x), every, opened.game.bits)
        for bucket, row in enumerate(rows):
            bit = int(action_bit(bits, in_round, seat_of(head), bucket, x))
            chosen = read_bits(mine, bit, int(np.ceil(np.log2(n))))
            assert row.tolist() == [float(a == chosen) for a in range(n)]


def test_by_class__is_the_weighted_mean_of_its_holes():
    rng = np.random.default_rng(1)
    rows, weight = rng.random((HOLES, 2)), rng.random(HOLES)
    free = ~holds(parse_cards("AhKd9c", RANKS), RANKS)
    weight[classes(RANKS) == 5] = 0  # nobody holds that class: a plain mean of the free ones
    actual = by_class(rows, weight * free, free.astype(float), RANKS)
    for k in range(RANKS**2):
        mine = np.flatnonzero((classes(RANKS) == k) & free)
        if k == 5:
            expected = rows[mine].mean(axis=0)
        else:
            expected = (weight[mine, None] * rows[mine]).sum(axis=0) / weight[mine].sum()
        assert np.allclose(actual[k], expected)


def test_by_class__of_a_class_that_the_board_holds_is_not_a_number():
    free = ~holds(parse_cards("AhAdAc", RANKS), RANKS)
    rows = by_class(np.ones((HOLES, 1)), free.astype(float), free.astype(float), RANKS)[:, 0]
    gone = {name for name, value in zip(class_names(RANKS), rows, strict=True) if np.isnan(value)}
    assert gone == {"AA"}


def test_range_grid__compares_combos_not_classes():
    board, belief = np.empty(0, np.int8), np.zeros(HOLES)
    names = class_names(RANKS)
    belief[classes(RANKS) == names.index("AA")] = 0.1  # six combos
    belief[classes(RANKS) == names.index("AKo")] = 0.05  # twelve combos
    heights = Range("BB", relative(belief, board, RANKS), board, RANKS).heights.tolist()
    actual = dict(zip(names, heights, strict=True))
    assert (actual["AA"], actual["AKo"], actual["KK"]) == (1.0, 0.5, 0.0)
