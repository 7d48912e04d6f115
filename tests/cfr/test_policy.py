"""Policies: a byte an action, and the strategies of regrets."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfr.games import small
from oracles.games import holdem
from sixmax.betting import rules, sizing, tree_build
from sixmax.cfr.layout import infoset
from sixmax.cfr.policy import WHOLE, complete, from_regrets, from_sums, quantise, rows
from sixmax.cfr.regret import match, sample


@given(st.lists(st.floats(0, 1e9), min_size=1, max_size=9).filter(lambda w: sum(w) > 1e-3))
def test_quantise__is_within_one_step_and_sums_to_the_whole(weights):
    policy = np.zeros(len(weights) + 2, np.uint8)
    expected = np.array(weights) / sum(weights) * WHOLE
    quantise(np.array(weights), 1, len(weights), policy)
    actual = policy[1:-1].astype(float)
    assert actual.sum() == WHOLE
    assert np.abs(actual - expected).max() < 1
    assert policy[0] == policy[-1] == 0
    assert (actual[np.array(weights) == 0] == 0).all()


def test_match__of_a_policy_is_uniform_where_training_never_came():
    out = np.empty(3)
    match(np.zeros(3, np.uint8), 0, 3, out)
    assert out == pytest.approx([1 / 3] * 3)
    match(np.array([9, 51, 0, 204], np.uint8), 1, 3, out)
    assert out == pytest.approx([0.2, 0, 0.8])


def test_rows__nodes_that_share_a_slot_are_one():
    # Both players choose at the one leaf, the second in four nodes of one slot.
    game = holdem([1000, 1000], [[1]], 0, rounds=2)
    scope = tree_build.Scope(1, 9, np.empty(0, np.int64), 0)
    tree = tree_build.build_from(rules.begin(game), sizing.sizes(game), scope)
    table = rows(tree)
    assert len(table.node) == 4 < tree.decisions.sum() == 7
    assert np.diff(table.start).tolist() == [2, 2]
    for seat in range(2):
        group = slice(*table.start[seat : seat + 2])
        ends = table.slot[group] + table.n[group]
        assert [0, *ends[:-1]] == table.slot[group].tolist()
        assert ends[-1] == tree.columns[0, seat]


def test_from_regrets__is_regret_matching_of_what_is_stored():
    tree, _, layout, _ = small("leduc", 2)
    rng = np.random.default_rng(5)
    regret = rng.integers(-50, 50, layout.size).astype(np.int32)
    regret[: layout.size // 3] = 0
    regret[layout.size // 3 : layout.size // 2] = -7
    policy = from_regrets(tree, layout, regret)
    table = rows(tree)
    for group in range(4):
        r, p = divmod(group, 2)
        for i in range(table.start[group], table.start[group + 1]):
            for b in range(layout.buckets[r]):
                at = infoset(layout, r, p, b, table.slot[i])
                row = regret[at : at + table.n[i]]
                actual = policy[at : at + table.n[i]].astype(float)
                if not row.any():
                    assert not actual.any()
                    continue
                positive = np.maximum(row, 0).astype(float)
                uniform = np.full(len(row), 1.0)
                expected = positive if positive.any() else uniform
                assert np.abs(actual / WHOLE - expected / expected.sum()).max() < 1 / WHOLE


def test_complete__fills_only_what_is_missing():
    tree, _, layout, _ = small("kuhn", 2)
    first, second = np.zeros(layout.size, np.uint8), np.full(layout.size, 7, np.uint8)
    first[:2] = 100, 155
    both = complete(tree, layout, first, second)
    assert both[:2].tolist() == [100, 155]
    assert (both[2:] == 7).all()


def test_from_sums__of_the_first_round_alone():
    tree, _, layout, _ = small("leduc", 2)
    total = np.arange(layout.start[1], dtype=np.int32)
    policy = from_sums(tree, layout, total)
    assert policy.size == layout.start[1]
    assert policy.any()


def test_sample__takes_every_action_in_proportion_to_its_regret():
    regret = np.array([9, -4, 3, 0, 5, 7], np.int32)
    drawn = [sample(regret, 1, 4, (k + 0.5) / 8) for k in range(8)]
    assert np.bincount(drawn, minlength=4).tolist() == [0, 3, 0, 5]
    drawn = [sample(np.array([-1, 0, -7], np.int32), 0, 3, (k + 0.5) / 9) for k in range(9)]
    assert np.bincount(drawn).tolist() == [3, 3, 3]  # none is positive: all alike
