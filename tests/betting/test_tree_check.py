"""Sound trees pass; each number that leads astray is noticed."""

import numpy as np
import pytest

from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.betting.tree import DECISION, FOLDED, SIDEPOTS, Tree, kind_of, pack_head
from sixmax.betting.tree_build import build
from sixmax.betting.tree_check import check_tree
from sixmax.games import GAMES


@pytest.fixture(scope="module")
def tree():
    """Three players of unequal stacks: every kind of node."""
    rounds = [RoundSizes(sizes=[[1], ["A"]], max_raises=2, max_players=3)] * 2
    return build(
        GameConfig(
            stacks=[300, 500, 900], blinds=[50, 100, 0], antes=[0, 0, 0], first=[2, 0],
            rounds=rounds,
        )
    )  # fmt: skip


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
