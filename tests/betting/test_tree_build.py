"""Betting trees, whole and in part: node by node against a slow twin, and known counts."""

import functools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oracles import game as oracle
from oracles.games import games, hand_after, holdem
from sixmax.base.errors import UserError
from sixmax.betting import tree_count
from sixmax.betting.config import RoundSizes
from sixmax.betting.leaf_choices import CHOICES
from sixmax.betting.rules import CALL, FOLD, begin
from sixmax.betting.sizing import sizes
from sixmax.betting.tree import (
    CHOICE,
    DECISION,
    FOLDABLE,
    FOLDED,
    LEAF,
    SHOWDOWN,
    SIDEPOTS,
    kind_of,
)
from sixmax.betting.tree_build import WHOLE, Scope, _check_fits, build, build_from
from sixmax.betting.tree_count import Counts, count

KINDS = {"folded": FOLDED, "showdown": SHOWDOWN, "sidepots": SIDEPOTS, "leaf": LEAF}


def scope(rounds=9, raises=9, taken=(), folded=0):
    return Scope(rounds, raises, np.array(taken, np.int64), folded)


@st.composite
def spots(draw):
    """A game, the actions to the start of a round, and a scope for what follows."""
    game = draw(games(seats=(2, 4), stack=25, rounds=(1, 3), max_raises=2, max_width=2))
    state, before = oracle.table(game), []
    for _ in range(draw(st.integers(0, 2))):
        at = state.round
        while not state.over and state.round == at:
            before.append(draw(st.sampled_from(oracle.actions(game, state))))
            state.act(before[-1])
    assume(not state.over)
    at, taken = state.round, []
    for _ in range(draw(st.integers(0, 3))):
        if state.over or state.round != at:
            break
        legal = [FOLD] * (state.to_call > 0) + [CALL]
        if state.raise_range:
            legal.append(draw(st.integers(*state.raise_range)))
        taken.append(draw(st.sampled_from(legal)))
        state.act(taken[-1])
    folded = sum(1 << seat for seat in state.folded) * draw(st.integers(0, 1))
    rounds, raises = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    return game, before, scope(rounds, raises, taken, folded)


def record(tree, twin, rows):
    """The row of ``node`` that the package should have written for a node of the twin."""
    mask, kind = sum(1 << seat for seat in twin.get("left", [])), twin["kind"]
    if kind == "decision":
        first, n = twin["children"][0], len(twin["children"])
        fold = FOLDABLE * (tree.action[first] == FOLD)
        head = DECISION | twin["player"] << 4 | twin["round"] << 8 | n << 12 | fold
        return [head, first, twin["slot"], twin["put"][twin["player"]]]
    head = KINDS[kind] | twin["round"] << 8
    if kind == "leaf":
        return [head, rows, -1, sum(k << 2 * seat for seat, k in twin["chosen"].items())]
    some = twin["left"][0]
    if kind == "folded":
        return [head | some << 4, sum(twin["put"]), twin["put"][some], 0]
    if kind == "showdown":
        return [head, sum(twin["put"]), twin["put"][some], mask]
    return [head, rows, 0, mask]


def check_against_twin(tree, twins):
    """Node by node, row by row of chips; and the numbers of columns and decisions."""
    assert len(tree.node) == len(twins)
    row = {}
    for x, twin in enumerate(twins):
        if twin["kind"] in ("sidepots", "leaf"):
            at = row.setdefault(twin.get("leaf", x), len(row))
            assert tree.contributed[at].tolist() == twin["put"]
        else:
            at = None
        assert tree.node[x].tolist() == record(tree, twin, at)
        assert (tree.parent[x], tree.action[x]) == (twin["parent"], twin["action"])
    assert len(row) == len(tree.contributed)
    made = [t for t in twins if t["kind"] == "decision"]
    slots = {
        (t["round"], t["player"], t["slot"] + a) for t in made for a in range(len(t["children"]))
    }
    for (in_round, player), n in np.ndenumerate(tree.columns):
        assert n == sum(slot[:2] == (in_round, player) for slot in slots)
    rounds = np.bincount([t["round"] for t in made], minlength=len(tree.columns))
    assert tree.decisions.tolist() == rounds.tolist()


def check_count(game, twins):
    counts = count(game)
    decisions, columns = np.zeros_like(counts.decisions), np.zeros_like(counts.columns)
    for twin in twins:
        if twin["kind"] == "decision":
            decisions[twin["round"], twin["player"]] += 1
            columns[twin["round"], twin["player"]] += len(twin["children"])
    assert counts.nodes == len(twins)
    assert counts.decisions.tolist() == decisions.tolist()
    assert counts.columns.tolist() == columns.tolist()
    kinds = [twin["kind"] for twin in twins]
    expected = [0, *(kinds.count(kind) for kind in ("folded", "showdown", "sidepots"))]
    assert counts.terminals.tolist() == expected
    assert counts.rows == kinds.count("sidepots")


@settings(max_examples=80)
@given(games(seats=(2, 5), stack=30, rounds=(1, 4), max_raises=2, max_width=2))
def test_build__agrees_with_the_twin(game):
    assume(count(game).nodes < 3000)
    twins = oracle.tree(game)
    check_against_twin(build(game), twins)
    check_count(game, twins)


def test_build__agrees_with_the_twin_on_four_rounds():
    game = holdem([20, 9, 33], [[0.5, "A"]], 1, blinds=[1, 2, 0])
    check_against_twin(build(game), oracle.tree(game))


@settings(max_examples=150, deadline=None)
@given(spots())
def test_build_from__agrees_with_the_twin(spot):
    game, before, of = spot
    try:
        tree = build_from(hand_after(game, before).hand, sizes(game), of, 4000)
    except UserError:
        assume(False)
    check_against_twin(tree, oracle.tree(game, before, of))


def test_build_from__the_start_with_all_in_scope_is_the_whole_tree():
    game = holdem([300, 200, 300], [[0.5, "A"], ["A"]], 2)
    for expected, actual in zip(
        build(game), build_from(begin(game), sizes(game), WHOLE), strict=True
    ):
        np.testing.assert_array_equal(actual, expected)


def test_build_from__a_leaf_for_two_players():
    # Both call, so the first round is over: two choices, one after the other, then 16 leaves.
    game = holdem([1000, 1000], [[1]], 0, rounds=2)
    tree = build_from(begin(game), sizes(game), scope(rounds=1))
    at = tree.find([CALL, CALL])
    assert tree.describe(at) == "SB call, BB check"
    seats = [tree.seat(x) for x in (at, *tree.children(at))]
    assert seats == [0, 1, 1, 1, 1]
    second = [tree.node[x, 2] for x in tree.children(at)]
    assert len(set(second)) == 1  # the second does not know what the first chose
    ends = [y for x in tree.children(at) for y in tree.children(x)]
    assert len(ends) == CHOICES**2
    assert (kind_of(tree.node[ends, 0]) == LEAF).all()
    assert tree.node[ends, 3].tolist() == [i | k << 2 for i in range(4) for k in range(4)]
    assert set(tree.node[ends, 1]) == {0}
    assert tree.contributed.tolist() == [[100, 100]]
    assert tree.describe(ends[7]).endswith("BB continuation 1, SB continuation 3")
    assert tree.columns.tolist() == [[1 + CHOICES, 2 + CHOICES]]


def test_build_from__an_all_in_player_does_not_choose():
    game = holdem([100, 1000, 1000], [["A"]], 1, rounds=2)
    tree = build_from(begin(game), sizes(game), scope(rounds=1))
    called = tree.find([CALL, CALL, CALL])  # the small blind is all-in with its call
    assert tree.offered(called) == [CHOICE - k for k in range(4)]
    assert {tree.seat(x) for x in (called, *tree.children(called))} == {1, 2}


def test_build_from__what_was_taken_is_added_where_it_was_taken():
    game = holdem([10_000] * 3, [[1]], 2, rounds=2)
    tree = build_from(begin(game), sizes(game), scope(taken=[277, CALL]))
    offered = tree.offered(0)
    assert offered == [FOLD, CALL, 277, 350]
    after = tree.find([277])
    # A raise of the pot after 277: 277 + 1 * (50 + 100 + 277 + 227), by the true amount.
    assert tree.offered(after) == [FOLD, CALL, 931]
    elsewhere = tree.find([CALL])
    assert 277 not in tree.offered(elsewhere)


def test_build_from__who_has_folded_does_nothing_else():
    game = holdem([10_000] * 4, [[1]], 1, rounds=2)
    tree = build_from(begin(game), sizes(game), scope(taken=[FOLD, 400], folded=1 << 2))
    assert tree.offered(0) == [FOLD]
    second = tree.find([FOLD])
    assert tree.offered(second) == [FOLD, CALL, 350, 400]


def test_build_from__refuses_too_many_nodes():
    game = holdem([10_000] * 6, [[1]], 1, rounds=2)
    with pytest.raises(UserError, match=r"more than 5,000 nodes; offer fewer sizes"):
        build_from(begin(game), sizes(game), scope(rounds=1), 5000)


def test_build__one_action():
    counts = count(holdem([1000] * 3, [[1]], 0, rounds=1))
    assert counts.decisions.tolist() == [[2, 3, 1]]  # button and small blind: fold or call
    assert counts.columns.tolist() == [[4, 3, 2]]  # big blind: check


def test_build__refuses_what_does_not_fit():
    few = np.ones((4, 6), dtype=np.int64)
    counts = Counts(2**31, few, few, np.zeros(4, dtype=np.int64), 0, few[:, 0])
    with pytest.raises(UserError, match=r"2,147,483,648 nodes, wanted fewer .* lower max_raises"):
        _check_fits(counts)


def six_handed(preflop, later, max_raises, max_players=6):
    """The design's trees: 100 big blinds, other sizes preflop; ``later`` by round or for all."""
    offered = [preflop, *([later] * 3 if isinstance(later[0][0], (float, int)) else later)]
    players = (6, max_players, max_players, max_players)
    rounds = [
        RoundSizes(sizes=s, max_raises=m, max_players=n)
        for s, m, n in zip(offered, max_raises, players, strict=True)
    ]
    return holdem([10_000] * 6).model_copy(update={"rounds": rounds})


A, slow = "A", functools.partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        # design, section 4: 5k / 101k / 423k / 1.05 M decision nodes, and the rows below it
        (six_handed([[1]], [[1]], [2, 1, 1, 1]), [5_466, 101_456, 423_368, 1_053_116]),
        # 0.62 M: no raises after the flop was dealt with more than three players left
        (six_handed([[0.5], [1]], [[0.75]], [2, 1, 1, 1], 3), [5_466, 38_654, 176_338, 395_374]),
        slow(six_handed([[1], [1, A]], [[1]], [3, 1, 1, 1]),
             [53_845, 240_572, 562_500, 1_192_264]),
        slow(six_handed([[1], [1], [A]], [[[0.75, A], [0.75]], [[0.75]], [[0.75]]], [3, 1, 1, 1]),
             [38_828, 141_760, 587_192, 1_814_212]),
        slow(six_handed([[0.75], [1], [A]], [[0.75]], [4, 1, 1, 1]),
             [38_828, 101_456, 802_120, 2_640_524]),
    ],
)  # fmt: skip
def test_count__six_players(game, expected):
    actual = count(game).decisions.sum(axis=1)
    assert actual.tolist() == expected


def test_count__heads_up():
    # design, section 4: 61,824 decision nodes, [.5, 1, A], turn and river as in the paper
    early, late = [[0.5, 1, A]], [[0.5, 1, A], [1, A]]
    rounds = [
        RoundSizes(sizes=offered, max_raises=20, max_players=2)
        for offered in (early, early, late, late)
    ]
    game = holdem([20_000] * 2).model_copy(update={"rounds": rounds})
    assert count(game).decisions.sum() == 61_824


def test_count__two_players_play_for_the_smaller_stack():
    offered = [[0.5, "A"], ["A"]]
    unequal = build(holdem([1000, 30_000], offered, 3, rounds=2))
    equal = build(holdem([1000, 1000], offered, 3, rounds=2))
    for actual, expected in zip(unequal, equal, strict=True):
        np.testing.assert_array_equal(actual, expected)


def test_count__room_does_not_matter(monkeypatch):
    game = holdem([300, 200, 300, 100], [[0.5, "A"], ["A"]], 2)
    expected = count(game)
    monkeypatch.setattr(tree_count, "_STARTS_AT_ONCE", 1)
    for actual, one in zip(count(game), expected, strict=True):
        np.testing.assert_array_equal(actual, one)
