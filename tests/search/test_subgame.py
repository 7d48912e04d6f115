"""The subgame of a public state: depth, actions, leaves and where they lie in the blueprint."""

import itertools

import numpy as np
import pytest

from oracles.games import hand_after, holdem
from search.holdem import public_state
from sixmax.base.errors import UserError
from sixmax.betting.config import RoundSizes
from sixmax.betting.leaf_choices import CHOICES
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.tree import CHOICE, LEAF, is_decision, kind_of, round_of, seat_of
from sixmax.betting.tree_build import build
from sixmax.ongoing.locate import NEAREST, SAME, TRANSLATED, places
from sixmax.search.subgame import _first_nodes_kernel, depth
from sixmax.search.subgame import build as build_subgame

FLOP, TURN, RIVER = (np.arange(n, dtype=np.int8) for n in (3, 4, 5))
NONE = np.empty(0, np.int8)
SEATS = 4


def rounds(*sizes, max_raises=2, max_players=10):
    return [
        RoundSizes(sizes=[list(s)], max_raises=max_raises, max_players=max_players) for s in sizes
    ]


def blueprint_game():
    """Four players, 20 big blinds; a bet of the pot a round after the flop."""
    game = holdem([2000] * SEATS)
    later = rounds([1], [1], [1], max_raises=1, max_players=3)
    first = RoundSizes(sizes=[[1], ["A"]], max_raises=2, max_players=SEATS)
    return game.model_copy(update={"rounds": [first, *later]})


@pytest.fixture(scope="module")
def blueprint():
    game = blueprint_game()
    tree = build(game)
    return game, tree, places(game, tree)


@pytest.fixture(scope="module")
def searched(blueprint):
    """Makes the subgame after ``actions``, with the raises of SEARCHED or others."""
    game, _, nodes_of = blueprint

    def searched(board, actions, sizes=None, **options):
        state = public_state(game, board, actions)
        return build_subgame(state, sizes or SEARCHED, nodes_of, **options)

    return searched


SEARCHED = rounds([1, "A"], [0.5, "A"], [0.75, "A"], [1.5, "A"], max_raises=3)
# Seats 0 SB, 1 BB, 2 CO, 3 BTN; the cutoff is first before the flop, the small blind after it.
TO_FLOP_2 = [350, FOLD, FOLD, CALL]
TO_FLOP_3 = [350, CALL, FOLD, CALL]


@pytest.mark.parametrize(
    ("board", "actions", "expected"),
    [
        (NONE, [350], (1, None)),  # before the flop: to its end
        (FLOP, TO_FLOP_3, (1, 2)),  # three players: to the turn, or after the second raise
        (FLOP, [*TO_FLOP_3, 800, FOLD], (1, 2)),  # three at the start of the round
        (FLOP, [*TO_FLOP_3, 450, 550, 650], (1, 4)),  # ASSUME: after the next
        (FLOP, TO_FLOP_2, (None, None)),
        (TURN, [*TO_FLOP_3, CALL, CALL, CALL], (None, None)),
        (RIVER, [*TO_FLOP_3, *[CALL] * 6], (None, None)),
    ],
)
def test_depth__by_the_rules_of_the_supplement(board, actions, expected):
    scope = depth(public_state(blueprint_game(), board, actions))
    actual = tuple(n if n < 100 else None for n in (scope.rounds, scope.raises))
    assert actual == expected


def test_depth__who_folded_before_the_flop_does_so_in_all_of_the_subgame(searched):
    subgame = searched(NONE, [FOLD, 500, FOLD])
    assert depth(subgame.state).folded == 1 << 2 | 1 << 0
    offered = subgame.tree.node[:, 0]
    for x in np.flatnonzero(is_decision(offered)):
        if seat_of(offered[x]) in (0, 2):
            assert len(subgame.tree.children(x)) == 1


def leaf_nodes(tree):
    """The node where each leaf begins, by row of ``contributed``."""
    leaf = {}
    for x in np.flatnonzero(kind_of(tree.node[:, 0]) == LEAF):
        at = x
        while tree.action[at] <= CHOICE:
            at = tree.parent[at]
        leaf.setdefault(int(tree.node[x, 1]), int(at))
    return leaf


@pytest.mark.parametrize(
    ("board", "actions", "ways"),
    [
        (FLOP, TO_FLOP_3, {SAME, TRANSLATED, NEAREST}),
        (FLOP, [300, CALL, FOLD, CALL, 777], {TRANSLATED, NEAREST}),
        (FLOP, [CALL, CALL, CALL, CALL], {SAME, NEAREST}),
        (NONE, [], {SAME, NEAREST}),
        (NONE, [444, FOLD, 1100], {SAME, TRANSLATED, NEAREST}),
    ],
)
def test_leaves__node_and_state_agree(blueprint, searched, board, actions, ways):
    # The trap: the node of the translated actions with the state of the original ones. All that the
    # roll-out reads is held to a replay of the real hand and to one of the blueprint's.
    (game, tree, _), subgame = blueprint, searched(board, actions)
    assert not subgame.to_the_end
    leaf = leaf_nodes(subgame.tree)
    assert set(leaf) == set(np.flatnonzero(subgame.leaves.node >= 0))
    for row, x in leaf.items():
        played = [*subgame.state.before, *subgame.tree.path(x)]
        real = hand_after(game, played)
        node, match = int(subgame.leaves.node[row]), subgame.leaves.match[row]
        mine = hand_after(game, tree.path(node))
        assert is_decision(tree.node[node, 0])
        assert (mine.round, mine.contenders) == (real.round, real.contenders)
        if match != NEAREST:
            assert mine.actor == real.actor
            assert (mine.to_call > 0) == (real.to_call > 0)
        assert (match == SAME) == (tree.path(node) == played)
        np.testing.assert_array_equal(subgame.tree.contributed[row], real.contributed)
        np.testing.assert_array_equal(subgame.leaves.chips[row], mine.contributed)
        assert subgame.leaves.ratio[row] == real.contributed.sum() / mine.contributed.sum()
    assert ways == {int(match) for match in subgame.leaves.match[list(leaf)]}


def test_leaves__each_player_left_chooses_and_the_record_says_what(searched):
    subgame = searched(FLOP, TO_FLOP_3)
    tree = subgame.tree
    checked = tree.find([CALL, CALL, CALL])
    rows = set()
    for chosen in itertools.product(range(CHOICES), repeat=3):
        x = tree.find([CALL] * 3 + [CHOICE - k for k in chosen])
        kind, row, node, record = tree.node[x].tolist()
        assert (kind, node) == (LEAF, subgame.leaves.node[row])
        assert [record >> 2 * seat & 3 for seat in range(SEATS)] == [0, *chosen]
        rows.add(row)
    assert len(rows) == 1
    assert seat_of(tree.node[checked, 0]) == 1


def test_leaves__come_right_after_the_second_raise(searched):
    tree = searched(FLOP, TO_FLOP_3).tree
    for x in leaf_nodes(tree).values():
        actions = tree.path(x)
        raises = sum(a > CALL for a in actions)
        assert raises <= 2
        assert (raises == 2) == (actions[-1] > CALL)


@pytest.mark.parametrize("choices", [1, CHOICES])
def test_leaves__of_all_nodes_the_last_too(searched, choices):
    """Nobody is all-in: the last node is a leaf, without a choice the only one of its row."""
    scope = depth(public_state(blueprint_game(), FLOP, TO_FLOP_3))._replace(choices=choices)
    half = rounds(*[[0.5]] * 4, max_raises=1)
    subgame = searched(FLOP, TO_FLOP_3, half, scope=scope)
    tree = subgame.tree
    kind = kind_of(tree.node[:, 0])
    assert kind[-1] == LEAF
    rows = tree.node[kind == LEAF, 1]
    assert (len(set(rows)) == len(rows)) == (choices == 1)
    expected = np.full(len(subgame.leaves.node), -1)
    for row, x in leaf_nodes(tree).items():
        expected[row] = x
    actual = _first_nodes_kernel(tree.node, tree.parent, tree.action, len(expected))
    np.testing.assert_array_equal(actual, expected)
    assert (subgame.leaves.node[rows] >= 0).all()


def test_build__to_the_end_has_no_leaves_and_the_sizes_of_each_round(searched):
    subgame = searched(TURN, [*TO_FLOP_2, CALL, CALL], buckets=7)
    tree = subgame.tree
    assert subgame.to_the_end
    assert not (kind_of(tree.node[:, 0]) == LEAF).any()
    assert subgame.layout.buckets.tolist() == [1326, 7]
    # The pot is 750: three quarters of it on the turn, one and a half on the river.
    assert tree.offered(0) == [CALL, 350 + 563, 2000]
    river = tree.find([CALL, CALL])
    assert tree.offered(river) == [CALL, 350 + 1125, 2000]
    assert round_of(tree.node[river, 0]) == 1


def test_build__an_off_tree_action_is_added_once(searched):
    for action, expected in ((613, [CALL, 613, 350 + 1125, 2000]), (2000, [CALL, 1475, 2000])):
        tree = searched(RIVER, [*TO_FLOP_2, *[CALL] * 4, action]).tree
        assert tree.offered(0) == expected


def test_build__refuses_too_many_nodes(searched, monkeypatch):
    monkeypatch.setattr("sixmax.search.subgame.MOST_NODES", 100)
    with pytest.raises(UserError, match="more than 100 nodes"):
        searched(FLOP, TO_FLOP_3)


@pytest.mark.parametrize(
    ("n", "board", "actions", "said"),
    [
        (2, NONE, [], "no node with the players left after"),
        # Its seats by their names of the whole game, though the subgame begins on the flop.
        (3, FLOP, [CALL] * 3, "after 'SB check, BB check, BTN raise"),
    ],
)
def test_build__a_blueprint_without_the_players_left(n, board, actions, said):
    # Nobody can fold before the flop in this blueprint: two players are never left on it.
    game = holdem([1000] * 3, [[1]], 0, rounds=n, blinds=[100, 100, 100])
    state = public_state(game, board, actions)
    with pytest.raises(UserError, match=said):
        build_subgame(state, rounds(*[[1]] * n), places(game, build(game)))
