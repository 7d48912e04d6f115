"""Hold'em games of one and two rounds, and the first round without limps."""

import pytest

from sixmax.base.errors import UserError
from sixmax.betting import config, tree_build, tree_count
from sixmax.betting.tree import SHOWDOWN, round_of, seat_of
from sixmax.games import two_round_holdem


def offered(tree, *actions):
    return tree.offered(tree.find(actions))


def test_game__pushfold_is_all_in_or_out():
    tree = tree_build.build(two_round_holdem.game("pushfold", 77))
    assert len(tree.node) == 5
    assert offered(tree) == [-1, 77]
    assert offered(tree, 77) == [-1, 0]
    called = tree.find([77, 0])
    assert tree.node[called].tolist() == [SHOWDOWN, 154, 77, 3]


def test_game__preflop_limps_and_raises():
    tree = tree_build.build(two_round_holdem.game("preflop"))
    assert offered(tree) == [-1, 0, 30]
    assert offered(tree, 0) == [0, 30]
    assert tree.decisions.tolist() == [10]


def test_game__flop_has_two_rounds_and_the_big_blind_first_on_the_flop():
    game = two_round_holdem.game("flop")
    tree = tree_build.build(game)
    limped = tree.find([0, 0])
    assert game.board_cards == 3
    assert seat_of(tree.node[limped, 0]) == 1
    assert round_of(tree.node[limped, 0]) == 1


def test_game__unknown():
    with pytest.raises(UserError, match="found 'river', wanted one of pushfold, preflop, flop"):
        two_round_holdem.game("river")


def no_limps(stacks, blinds, size="A", limps=False):
    seats = len(stacks)
    offer = {"sizes": [[size], ["A"]], "max_raises": 2, "max_players": seats, "limps": limps}
    return config.GameConfig(
        stacks=stacks, blinds=blinds, antes=[0] * seats, first=[2 % seats, 0], rounds=[offer] * 2
    )


def test_limps__a_raise_may_be_called_and_a_bet_on_the_flop_too():
    game = no_limps([100] * 3, [5, 10, 0], 1)
    tree = tree_build.build(game)
    assert offered(tree) == [-1, 35]
    assert offered(tree, -1) == [-1, 30]
    assert offered(tree, 35) == [-1, 0, 100]
    assert offered(tree, 35, 0, -1) == [0, 100]
    assert offered(tree, 35, 0, -1, 100) == [-1, 0]
    assert tree_count.count(game).nodes == len(tree.node)


def test_limps__are_left_where_no_raise_is_offered():
    """The small blind has less than the big one: it can only call, or fold."""
    assert offered(tree_build.build(no_limps([8, 100], [5, 10]))) == [-1, 0]


def test_limps__of_the_blinds_alone():
    game = no_limps([100] * 4, [5, 10, 0, 0], 1, limps="blinds")
    tree = tree_build.build(game)
    assert offered(tree) == offered(tree, -1) == [-1, 35]
    assert offered(tree, -1, -1) == [-1, 0, 30]  # the small blind
    assert offered(tree, -1, -1, 0) == [0, 30]
    assert offered(tree, 35) == offered(tree, 35, 0) == [-1, 0, 100]
    assert tree_count.count(game).nodes == len(tree.node)
