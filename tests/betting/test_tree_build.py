"""Trees of a part of a hand: node by node against a slow twin."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oracles import game as oracle
from oracles.games import games, holdem
from sixmax.base.errors import UserError
from sixmax.betting.leaf_choices import CHOICES
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.sizing import sizes
from sixmax.betting.state import Betting, positions
from sixmax.betting.tree import (
    CHOICE,
    DECISION,
    FOLDABLE,
    FOLDED,
    LEAF,
    SHOWDOWN,
    SIDEPOTS,
    children,
    describe,
    find,
    kind_of,
    round_of,
    seat_of,
)
from sixmax.betting.tree_build import WHOLE, Scope, build, build_from

KINDS = {"folded": FOLDED, "showdown": SHOWDOWN, "sidepots": SIDEPOTS, "leaf": LEAF}


def scope(rounds=9, raises=9, taken=(), folded=0):
    return Scope(rounds, raises, np.array(taken, np.int64), folded)


def hand_after(game, actions):
    betting = Betting(game)
    for action in actions:
        betting.act(action)
    return betting.hand


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


@settings(max_examples=150, deadline=None)
@given(spots())
def test_build_from__agrees_with_the_twin(spot):
    game, before, of = spot
    try:
        tree = build_from(hand_after(game, before), sizes(game), of, 4000)
    except UserError:
        assume(False)
    twins = oracle.tree(game, before, of)
    assert len(tree.node) == len(twins)
    rows = {}
    for x, twin in enumerate(twins):
        assert (tree.parent[x], tree.action[x]) == (twin["parent"], twin["action"])
        head, second, third, fourth = tree.node[x].tolist()
        assert round_of(head) == twin["round"]
        if twin["kind"] == "decision":
            n = len(twin["children"])
            fold = tree.action[twin["children"][0]] == FOLD
            player = twin["player"]
            assert head == DECISION | player << 4 | twin["round"] << 8 | n << 12 | FOLDABLE * fold
            assert [second, third, fourth] == [
                twin["children"][0], twin["slot"], twin["put"][player]
            ]  # fmt: skip
            continue
        assert kind_of(head) == KINDS[twin["kind"]]
        if twin["kind"] in ("sidepots", "leaf"):
            rows.setdefault(twin.get("leaf", x), len(rows))
            assert second == rows[twin.get("leaf", x)]
            assert tree.contributed[second].tolist() == twin["put"]
        if twin["kind"] == "leaf":
            chosen = sum(k << 2 * seat for seat, k in twin["chosen"].items())
            assert [third, fourth] == [-1, chosen]
    assert len(rows) == len(tree.contributed)
    slots = {
        (t["round"], t["player"], t["slot"] + a)
        for t in twins
        if t["kind"] == "decision"
        for a in range(len(t["children"]))
    }
    for (in_round, player), n in np.ndenumerate(tree.columns):
        assert n == sum(slot[:2] == (in_round, player) for slot in slots)
    of_round = [t["round"] for t in twins if t["kind"] == "decision"]
    assert tree.decisions.tolist() == np.bincount(of_round, minlength=len(tree.columns)).tolist()


def test_build_from__the_start_with_all_in_scope_is_the_whole_tree():
    game = holdem([300, 200, 300], [[0.5, "A"], ["A"]], 2)
    for expected, actual in zip(
        build(game), build_from(hand_after(game, []), sizes(game), WHOLE), strict=True
    ):
        np.testing.assert_array_equal(actual, expected)


def test_build_from__a_leaf_for_two_players():
    # Both call, so the first round is over: two choices, one after the other, then 16 leaves.
    game = holdem([1000, 1000], [[1]], 0, rounds=2)
    tree = build_from(hand_after(game, []), sizes(game), scope(rounds=1))
    at = find(tree, [CALL, CALL])
    assert describe(tree, at) == "SB call, BB check"
    seats = [seat_of(tree.node[x, 0]) for x in (at, *children(tree, at))]
    assert seats == [0, 1, 1, 1, 1]
    second = [tree.node[x, 2] for x in children(tree, at)]
    assert len(set(second)) == 1  # the second does not know what the first chose
    ends = [y for x in children(tree, at) for y in children(tree, x)]
    assert len(ends) == CHOICES**2
    assert (kind_of(tree.node[ends, 0]) == LEAF).all()
    assert tree.node[ends, 3].tolist() == [i | k << 2 for i in range(4) for k in range(4)]
    assert set(tree.node[ends, 1]) == {0}
    assert tree.contributed.tolist() == [[100, 100]]
    assert describe(tree, ends[7]).endswith("BB continuation 1, SB continuation 3")
    assert tree.columns.tolist() == [[1 + CHOICES, 2 + CHOICES]]
    # The big blind checks, the small blind folds or calls; both choose.


def test_build_from__an_all_in_player_does_not_choose():
    game = holdem([100, 1000, 1000], [["A"]], 1, rounds=2)
    hand = hand_after(game, [])
    tree = build_from(hand, sizes(game), scope(rounds=1))
    called = find(tree, [CALL, CALL, CALL])  # the small blind is all-in with its call
    assert [a for a in tree.action[list(children(tree, called))]] == [CHOICE - k for k in range(4)]
    choosing = {int(seat_of(tree.node[called, 0]))}
    choosing |= {int(seat_of(tree.node[x, 0])) for x in children(tree, called)}
    assert choosing == {1, 2}


def test_build_from__what_was_taken_is_added_where_it_was_taken():
    game = holdem([10_000] * 3, [[1]], 2, rounds=2)
    tree = build_from(hand_after(game, []), sizes(game), scope(taken=[277, CALL]))
    offered = tree.action[list(children(tree, 0))].tolist()
    assert offered == [FOLD, CALL, 277, 350]
    after = find(tree, [277])
    # A raise of the pot after 277: 277 + 1 * (50 + 100 + 277 + 227), by the true amount.
    assert tree.action[list(children(tree, after))].tolist() == [FOLD, CALL, 931]
    elsewhere = find(tree, [CALL])
    assert 277 not in tree.action[list(children(tree, elsewhere))]


def test_build_from__who_has_folded_does_nothing_else():
    game = holdem([10_000] * 4, [[1]], 1, rounds=2)
    tree = build_from(hand_after(game, []), sizes(game), scope(taken=[FOLD, 400], folded=1 << 2))
    assert tree.action[list(children(tree, 0))].tolist() == [FOLD]
    second = find(tree, [FOLD])
    assert tree.action[list(children(tree, second))].tolist() == [FOLD, CALL, 350, 400]


def test_build_from__refuses_too_many_nodes():
    game = holdem([10_000] * 6, [[1]], 1, rounds=2)
    with pytest.raises(UserError, match=r"more than 5,000 nodes; offer fewer sizes"):
        build_from(hand_after(game, []), sizes(game), scope(rounds=1), 5000)


def test_describe__later_trees_want_the_names_of_the_seats():
    """On the flop the big blind, seat 0, is first: by that alone it would be the small blind."""
    game = holdem([1000] * 2, [[1]], 1, rounds=2)
    tree = build_from(hand_after(game, [CALL, CALL]), sizes(game), scope())
    node = find(tree, [CALL])
    assert describe(tree, node, positions(2, game.first[0])) == "BB check"
    assert describe(tree, node) == "SB check"
