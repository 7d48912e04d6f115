"""A tree's nodes and their names, and whether a tree from elsewhere is sound."""

import numpy as np
import pytest

from oracles.games import hand_after, holdem
from search.holdem import small_run
from sixmax.base.errors import UserError
from sixmax.betting.config import positions
from sixmax.betting.rules import CALL, CHIPS, FOLD, FOLDERS, HIGH, LEFT, POT, RAISES
from sixmax.betting.sizing import sizes
from sixmax.betting.tree import (
    DECISION,
    FOLDED,
    SHOWDOWN,
    SIDEPOTS,
    Tree,
    check_tree,
    fields,
    kind_of,
    pack_head,
)
from sixmax.betting.tree_build import WHOLE, build, build_from
from sixmax.games import GAMES

FIELDS = (POT, HIGH, LEFT, RAISES, FOLDERS, CHIPS)


def test_build__nobody_can_act():
    tree = build(holdem([50, 100]))
    assert tree.node.tolist() == [[SHOWDOWN, 100, 50, 3]]
    assert tree.path(0) == []
    assert list(tree.children(0)) == []
    assert tree.describe(0) == "start"


def test_path__leads_back_to_the_node():
    tree = build(holdem([300] * 3, [[1], ["A"]], 2))
    for node in range(0, len(tree.node), 7):
        assert tree.find(tree.path(node)) == node


def test_find__names_what_is_offered():
    tree = build(holdem([10_000] * 6, [[1]], 1, rounds=1))
    with pytest.raises(UserError, match=r"action 400 is not in the tree after 'UTG fold'; wanted"):
        tree.find([FOLD, 400])


def test_describe__in_words():
    tree = build(holdem([10_000] * 6, [[1]], 1))
    node = tree.find([350, FOLD, FOLD, FOLD, FOLD, CALL, CALL])
    expected = "UTG raise 350, HJ fold, CO fold, BTN fold, SB fold, BB call / BB check"
    assert tree.describe(node) == expected
    tree = build(holdem([10_000] * 2, [[1]], 1))
    assert tree.describe(tree.find([CALL, CALL, CALL])) == "SB call, BB check / BB check"


def test_describe__later_trees_want_the_names_of_the_seats():
    """On the flop the big blind, seat 0, is first: by that alone it would be the small blind."""
    game = holdem([1000] * 2, [[1]], 1, rounds=2)
    tree = build_from(hand_after(game, [CALL, CALL]).hand, sizes(game), WHOLE)
    node = tree.find([CALL])
    assert tree.describe(node, positions(2, game.first[0])) == "BB check"
    assert tree.describe(node) == "SB check"


@pytest.mark.parametrize("seats", [2, 3])
def test_fields__are_those_of_the_hand_played_to_the_node(seats):
    run, _ = small_run(seats)
    hit = fields(run.game, run.tree, FIELDS)
    assert hit.shape == (len(run.tree.node), len(FIELDS))
    draw = np.random.default_rng(1)
    for x in draw.choice(len(run.tree.node), 300, replace=False):
        hand = hand_after(run.game, run.tree.path(int(x))).hand
        np.testing.assert_array_equal(hit[x], hand[list(FIELDS)])


@pytest.fixture(scope="module")
def tree():
    """Three players of unequal stacks: every kind of node."""
    return build(holdem([300, 500, 900], [[1], ["A"]], 2, rounds=2))


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_sound__trees_of_known_games(name):
    check_tree(build(GAMES[name].config(2)))


def test_sound__a_tree_with_side_pots(tree):
    assert (kind_of(tree.node[:, 0]) == SIDEPOTS).any()
    check_tree(tree)


def first(tree, kind):
    return int(np.flatnonzero(kind_of(tree.node[:, 0]) == kind)[0])


HARM = {
    "no child": (lambda t: (first(t, DECISION), 1, len(t.node)), "children"),
    "itself": (lambda t: (first(t, DECISION), 1, 0), "children"),
    "negative": (lambda t: (first(t, DECISION), 1, -5), "children"),
    "another's": (lambda t: (first(t, DECISION), 1, int(t.node[0, 1]) + 1), "parent"),
    "slot": (lambda t: (first(t, DECISION), 2, 1 << 20), "columns"),
    "before": (lambda t: (first(t, DECISION), 2, -1), "columns"),
    "kind": (lambda t: (5, 0, 9), "kind"),
    "seat": (lambda t: (first(t, FOLDED), 0, pack_head(FOLDED, 3, 0, 0, 0)), "seat"),
    "round": (lambda t: (first(t, FOLDED), 0, pack_head(FOLDED, 0, 2, 0, 0)), "round"),
    "actions": (lambda t: (0, 0, pack_head(DECISION, 2, 0, 0, 0)), "actions"),
    "more": (lambda t: (0, 0, pack_head(DECISION, 2, 0, 200, 0)), "parent|children"),
    "sign": (lambda t: (0, 0, -(1 << 31)), "kind|seat"),
    "row": (lambda t: (first(t, SIDEPOTS), 1, len(t.contributed)), "row"),
    "mask": (lambda t: (first(t, SIDEPOTS), 3, 8), "contenders"),
}


@pytest.mark.parametrize("case", HARM)
def test_unsound__a_number_that_leads_astray(tree, case):
    change, expected = HARM[case]
    row, column, value = change(tree)
    node = tree.node.copy()
    node[row, column] = value
    with pytest.raises(ValueError, match=expected):
        check_tree(tree._replace(node=node))


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("parent", lambda a: a * 0),
        ("parent", lambda a: a[:-1]),
        ("action", lambda a: a[:-1]),
        ("contributed", lambda a: a[:, :2]),
        ("contributed", lambda a: a[:1]),
        ("columns", lambda a: a - 1),
        ("columns", lambda a: a[:1]),
        ("node", lambda a: a[:0]),
    ],
)
def test_unsound__arrays_that_do_not_fit(tree, name, change):
    harmed = Tree(**{**tree._asdict(), name: change(getattr(tree, name))})
    with pytest.raises(ValueError, match=r"."):
        check_tree(harmed)
