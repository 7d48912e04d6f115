import inspect

import numba
import numpy as np
import pytest

from continuation.sampled import sampled
from oracles import continuation as oracle
from sixmax.betting.leaf_choices import choice_bits
from sixmax.betting.tree_build import build
from sixmax.cfr.layout import layout
from sixmax.cfr.packed_actions import action_bit, bit_layout, read_action
from sixmax.continuation.compress import _pack_kernel, draw
from sixmax.continuation.generate import STRATEGIES
from threads import same_on_two_threads


def actions(tree, regret_layout, packed):
    """The stored action of every infoset, in the order of the oracle."""
    bits, _ = bit_layout(tree, regret_layout)
    return [
        read_action(packed, action_bit(bits, r, p, b, x), len(kinds))
        for r, p, b, x, _, kinds in oracle.infosets(tree, regret_layout)
    ]


def certain(tree, regret_layout, seed):
    """A policy without chance, and the action that it takes in every infoset."""
    random, expected = np.random.default_rng(seed), []
    policy = np.zeros(regret_layout.size, np.uint8)
    for *_, at, kinds in oracle.infosets(tree, regret_layout):
        expected.append(int(random.integers(len(kinds))))
        policy[at + expected[-1]] = 255
    return policy, expected


@pytest.mark.parametrize("n", range(1, 17))
def test_width__fewest_bits(n):
    assert choice_bits(n) == oracle.width(n)


def test_bit_layout__the_oracles_slots(game):
    tree, regret_layout, _ = game
    bits, size = bit_layout(tree, regret_layout)
    slots, used = oracle.slots(tree)
    assert {x: int(bits.slot[x]) for x in slots} == slots
    assert size.bits == sum(n * regret_layout.buckets[r] for (r, _), n in used.items())
    assert size.infosets == sum(1 for _ in oracle.infosets(tree, regret_layout))
    slabs = 3 * sum(regret_layout.buckets)
    assert 0 <= 8 * size.bytes - size.bits <= 7 * slabs + 16


def test_bit_layout__slabs_do_not_overlap_and_begin_at_bytes(game):
    tree, regret_layout, _ = game
    bits, size = bit_layout(tree, regret_layout)
    _, used = oracle.slots(tree)
    end = 0
    for r in range(2):
        for p in range(3):
            assert bits.base[r, p] == end
            assert bits.columns[r, p] % 8 == 0
            assert 0 <= bits.columns[r, p] - used.get((r, p), 0) < 8
            end += bits.columns[r, p] * regret_layout.buckets[r]
    assert size.bytes == end // 8 + 2


def test_pack__certain_actions_come_back(game):
    tree, regret_layout, _ = game
    policy, expected = certain(tree, regret_layout, 3)
    packed = sampled((tree, regret_layout, policy))
    for s in range(len(STRATEGIES)):
        assert actions(tree, regret_layout, packed[s]) == expected


def test_pack__bits_are_where_the_oracle_looks(game):
    tree, regret_layout, _ = game
    packed = sampled(game)[2]
    bits, _ = bit_layout(tree, regret_layout)
    actual = actions(tree, regret_layout, packed)
    for i, (r, p, b, x, _, kinds) in list(enumerate(oracle.infosets(tree, regret_layout)))[::97]:
        bit = bits.base[r, p] + b * bits.columns[r, p] + bits.slot[x]
        assert oracle.unpack(packed, bit, len(kinds)) == actual[i]


def test_pack__no_action_without_probability(game):
    tree, regret_layout, policy = game
    packed = sampled(game)
    for s in range(len(STRATEGIES)):
        actual = actions(tree, regret_layout, packed[s])
        for (*_, at, kinds), a in zip(oracle.infosets(tree, regret_layout), actual, strict=True):
            assert policy[at + a] > 0 or not policy[at : at + len(kinds)].any()


def test_pack__any_number_of_threads(game):
    same_on_two_threads(lambda _: sampled(game))


def test_pack__seeds_and_strategies_draw_apart(game):
    one, two = (sampled(game, 1.0, seed) for seed in (1, 2))
    assert (one[0] != two[0]).mean() > 0.1
    assert (one[0] != one[1]).mean() > 0.1  # a factor of 1 biases nothing: same distributions


def test_pack__an_infoset_does_not_depend_on_the_other_strategies_it_shares_bytes_with(game):
    tree, regret_layout, policy = game
    changed = policy.copy()
    *_, at, kinds = list(oracle.infosets(tree, regret_layout))[1000]
    changed[at : at + len(kinds)] = [255] + [0] * (len(kinds) - 1)
    games = game, (tree, regret_layout, changed)
    old, new = (actions(tree, regret_layout, sampled(each)[0]) for each in games)
    assert [i for i in range(len(old)) if old[i] != new[i]] in ([], [1000])


def test_pack__a_policy_of_another_size_is_refused(game):
    tree, regret_layout, policy = game
    with pytest.raises(ValueError, match="wanted"):
        sampled((tree, regret_layout, policy[1:]))


def test_pack__one_action_takes_no_bits():
    from sixmax.betting.config import GameConfig, RoundSizes

    check_only = [RoundSizes(sizes=[[1]], max_raises=0, max_players=2)]
    seats = {"stacks": [9, 9], "blinds": [0, 0], "antes": [1, 1], "first": [0]}
    tree = build(GameConfig(**seats, rounds=check_only))
    regret_layout = layout(tree, [4])
    _, size = bit_layout(tree, regret_layout)
    assert (size.infosets, size.bits, size.bytes) == (8, 0, 2)
    packed = sampled((tree, regret_layout, np.zeros(regret_layout.size, np.uint8)))
    assert actions(tree, regret_layout, packed[3]) == [0] * 8


def test_draw__never_an_action_without_probability():
    p = np.array([0.0, 0.3, 0.0, 0.7, 0.0])
    assert {draw(p, 5, u) for u in (0.0, 0.299, 0.3, 0.5, np.nextafter(1, 0), 1.0)} == {1, 3}


def test_pack__the_kind_is_a_number_to_the_kernel(game):
    """An array of one number gives the same bits in twice the time."""
    sampled(game)
    names = list(inspect.signature(_pack_kernel.py_func).parameters)
    for signature in _pack_kernel.signatures:
        leaning = signature[names.index("leaning")]
        assert leaning.types[leaning.fields.index("kind")] == numba.types.int64
