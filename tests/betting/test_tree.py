"""The betting tree: node by node against a slow twin, and counts that are known."""

import numpy as np
import pytest
from hypothesis import assume, given, settings

from oracles import game as oracle
from oracles.games import games, holdem
from search.holdem import small_run
from sixmax.base.errors import UserError
from sixmax.betting.config import GameConfig, RoundSizes
from sixmax.betting.rules import CALL, CHIPS, FOLD, FOLDERS, HIGH, LEFT, POT, RAISES
from sixmax.betting.state import Betting
from sixmax.betting.tree import (
    DECISION,
    FOLDABLE,
    FOLDED,
    SHOWDOWN,
    SIDEPOTS,
    children,
    describe,
    fields,
    find,
    kind_of,
    n_actions,
    path,
    round_of,
    seat_of,
)
from sixmax.betting.tree_build import _check_fits, build
from sixmax.betting.tree_count import Counts, count

FIELDS = (POT, HIGH, LEFT, RAISES, FOLDERS, CHIPS)


def six_handed(preflop, later, max_raises, max_players=6):
    """The design's trees: 100 big blinds, other sizes preflop; ``later`` by round or for all."""
    offered = [preflop, *([later] * 3 if isinstance(later[0][0], (float, int)) else later)]
    return GameConfig(
        stacks=[10_000] * 6,
        blinds=[50, 100, 0, 0, 0, 0],
        antes=[0] * 6,
        first=[2, 0, 0, 0],
        rounds=[
            RoundSizes(sizes=s, max_raises=m, max_players=6 if r == 0 else max_players)
            for r, (s, m) in enumerate(zip(offered, max_raises, strict=True))
        ],
    )


def record(tree, twin):
    """The row of ``node`` that the package should have written for a node of the twin."""
    mask = sum(1 << seat for seat in twin.get("left", []))
    if twin["kind"] == "decision":
        n = len(twin["children"])
        fold = tree.action[twin["children"][0]] == FOLD
        head = DECISION | twin["player"] << 4 | twin["round"] << 8 | n << 12 | FOLDABLE * fold
        return [head, twin["children"][0], twin["slot"], twin["put"][twin["player"]]]
    pot = sum(twin["put"])
    some = twin["left"][0]
    if twin["kind"] == "folded":
        return [FOLDED | some << 4 | twin["round"] << 8, pot, twin["put"][some], 0]
    if twin["kind"] == "showdown":
        return [SHOWDOWN | twin["round"] << 8, pot, twin["put"][some], mask]
    return [SIDEPOTS | twin["round"] << 8, None, 0, mask]


def check_against_twin(game):
    tree, twins, counts = build(game), oracle.tree(game), count(game)
    assert len(tree.node) == counts.nodes == len(twins)
    rows = 0
    for node, twin in enumerate(twins):
        expected, actual = record(tree, twin), tree.node[node].tolist()
        if twin["kind"] == "sidepots":
            expected[1] = rows
            assert tree.contributed[rows].tolist() == twin["put"]
            rows += 1
        assert actual == expected
        assert (tree.parent[node], tree.action[node]) == (twin["parent"], twin["action"])
    assert rows == len(tree.contributed) == counts.rows
    decisions = np.zeros_like(counts.decisions)
    columns = np.zeros_like(counts.columns)
    for twin in twins:
        if twin["kind"] == "decision":
            decisions[twin["round"], twin["player"]] += 1
            columns[twin["round"], twin["player"]] += len(twin["children"])
    assert (counts.decisions == decisions).all()
    assert (tree.decisions == decisions.sum(axis=1)).all()
    assert (tree.columns == columns).all()
    assert (counts.columns == columns).all()
    kinds = [twin["kind"] for twin in twins]
    expected = [0, *(kinds.count(kind) for kind in ("folded", "showdown", "sidepots"))]
    assert counts.terminals.tolist() == expected


@settings(max_examples=60)
@given(games(seats=(2, 4), stack=25, rounds=(1, 3), max_raises=2, max_width=2))
def test_build__agrees_with_the_twin(game):
    assume(count(game).nodes < 3000)
    check_against_twin(game)


def test_build__agrees_with_the_twin_on_four_rounds():
    check_against_twin(holdem([20, 9, 33], [[0.5, "A"]], 1, blinds=[1, 2, 0]))


def test_build__one_action():
    counts = count(holdem([1000] * 3, [[1]], 0, rounds=1))
    assert counts.decisions.tolist() == [[2, 3, 1]]  # button and small blind: fold or call
    assert counts.columns.tolist() == [[4, 3, 2]]  # big blind: check


def test_build__nobody_can_act():
    tree = build(holdem([50, 100]))
    assert tree.node.tolist() == [[SHOWDOWN, 100, 50, 3]]
    assert path(tree, 0) == []
    assert list(children(tree, 0)) == []
    assert describe(tree, 0) == "start"


A = "A"


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        # design, section 4: 5k / 101k / 423k / 1.05 M decision nodes, and the rows below it
        (six_handed([[1]], [[1]], [2, 1, 1, 1]), [5_466, 101_456, 423_368, 1_053_116]),
        # 0.62 M: no raises after the flop was dealt with more than three players left
        (six_handed([[0.5], [1]], [[0.75]], [2, 1, 1, 1], 3), [5_466, 38_654, 176_338, 395_374]),
    ],
)
def test_count__six_players(game, expected):
    actual = count(game).decisions.sum(axis=1)
    assert actual.tolist() == expected


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "expected"),
    [
        (six_handed([[1], [1, A]], [[1]], [3, 1, 1, 1]), [53_845, 240_572, 562_500, 1_192_264]),
        (
            six_handed([[1], [1], [A]], [[[0.75, A], [0.75]], [[0.75]], [[0.75]]], [3, 1, 1, 1]),
            [38_828, 141_760, 587_192, 1_814_212],
        ),
        (
            six_handed([[0.75], [1], [A]], [[0.75]], [4, 1, 1, 1]),
            [38_828, 101_456, 802_120, 2_640_524],
        ),
    ],
)
def test_count__six_players_larger(game, expected):
    actual = count(game).decisions.sum(axis=1)
    assert actual.tolist() == expected


def test_count__heads_up():
    # design, section 4: 61,824 decision nodes, [.5, 1, A], turn and river as in the paper
    early, late = [[0.5, 1, A]], [[0.5, 1, A], [1, A]]
    game = GameConfig(
        stacks=[20_000] * 2,
        blinds=[100, 50],
        antes=[0, 0],
        first=[1, 0, 0, 0],
        rounds=[
            RoundSizes(sizes=sizes, max_raises=20, max_players=2)
            for sizes in (early, early, late, late)
        ],
    )
    assert count(game).decisions.sum() == 61_824


def test_count__two_players_play_for_the_smaller_stack():
    sizes = [[0.5, "A"], ["A"]]
    unequal = build(holdem([1000, 30_000], sizes, 3, rounds=2))
    equal = build(holdem([1000, 1000], sizes, 3, rounds=2))
    for actual, expected in zip(unequal, equal, strict=True):
        np.testing.assert_array_equal(actual, expected)


def test_slots__fill_the_columns_of_each_player():
    tree = build(holdem([300] * 3, [[1], ["A"]], 2))
    head, slot = tree.node[:, 0], tree.node[:, 2]
    decision = kind_of(head) == DECISION
    for in_round in range(4):
        for player in range(3):
            here = decision & (round_of(head) == in_round) & (seat_of(head) == player)
            n = n_actions(head[here])
            used = [s + a for s, k in zip(slot[here], n, strict=True) for a in range(k)]
            assert sorted(used) == list(range(tree.columns[in_round, player]))


def test_path__leads_back_to_the_node():
    tree = build(holdem([300] * 3, [[1], ["A"]], 2))
    for node in range(0, len(tree.node), 7):
        assert find(tree, path(tree, node)) == node


def test_find__names_what_is_offered():
    tree = build(holdem([10_000] * 6, [[1]], 1, rounds=1))
    with pytest.raises(UserError, match=r"action 400 is not in the tree after 'UTG fold'; wanted"):
        find(tree, [FOLD, 400])


def test_describe__in_words():
    tree = build(holdem([10_000] * 6, [[1]], 1))
    node = find(tree, [350, FOLD, FOLD, FOLD, FOLD, CALL, CALL])
    expected = "UTG raise 350, HJ fold, CO fold, BTN fold, SB fold, BB call / BB check"
    assert describe(tree, node) == expected
    tree = build(holdem([10_000] * 2, [[1]], 1))
    assert describe(tree, find(tree, [CALL, CALL, CALL])) == "SB call, BB check / BB check"


def test_build__refuses_what_does_not_fit():
    few = np.ones((4, 6), dtype=np.int64)
    counts = Counts(2**31, few, few, np.zeros(4, dtype=np.int64), 0, few[:, 0])
    with pytest.raises(UserError, match=r"2,147,483,648 nodes, wanted fewer .* lower max_raises"):
        _check_fits(counts)


@pytest.mark.parametrize("seats", [2, 3])
def test_fields__are_those_of_the_hand_played_to_the_node(seats):
    run, _ = small_run(seats)
    hit = fields(run.game, run.tree, FIELDS)
    assert hit.shape == (len(run.tree.node), len(FIELDS))
    draw = np.random.default_rng(1)
    for x in draw.choice(len(run.tree.node), 300, replace=False):
        betting = Betting(run.game)
        for action in path(run.tree, int(x)):
            betting.act(action)
        np.testing.assert_array_equal(hit[x], betting.hand[list(FIELDS)])
