"""Finding a real hand in the blueprint's tree: against a slow twin, and by hand."""

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from oracles import game as oracle
from oracles.games import games, hand_after, holdem
from oracles.search import Finder
from sixmax.betting.config import RoundSizes
from sixmax.betting.rules import CALL, FOLD, LENGTH, begin
from sixmax.betting.tree import round_of, seat_of
from sixmax.betting.tree_build import build
from sixmax.betting.tree_count import count
from sixmax.ongoing.locate import NEAREST, SAME, TRANSLATED, hand_at, locate, places


@st.composite
def played(draw):
    """A blueprint's game, and a hand of the same players with other stacks and sizes."""
    game = draw(games(seats=(2, 4), stack=60, rounds=(1, 3), max_raises=2, max_width=2))
    assume(count(game).nodes < 1500)
    stacks = [s + draw(st.integers(0, 10)) for s in game.stacks]
    real = game.model_copy(update={"stacks": stacks})
    state, actions = oracle.table(real), []
    for _ in range(draw(st.integers(0, 8))):
        assume(not state.over)
        legal = [FOLD] * (state.to_call > 0) + [CALL]
        if state.raise_range:
            legal.append(draw(st.integers(*state.raise_range)))
        actions.append(draw(st.sampled_from(legal)))
        state.act(actions[-1])
    assume(not state.over and not oracle.table(game).over)
    return game, real, actions


@settings(max_examples=150, deadline=None)
@given(played())
def test_locate__agrees_with_the_twin(spot):
    game, real, actions = spot
    expected = Finder(game).locate(oracle.table(real), actions)
    actual = locate(places(game, build(game)), begin(real), np.array(actions, np.int64))
    assert actual == expected


def blueprint():
    """Three players; raises of half the pot, the pot or all-in, then one bet of the pot a round."""
    game = holdem([10_000] * 3, [[0.5, 1, "A"], ["A"]], 2, rounds=3)
    later = RoundSizes(sizes=[[1]], max_raises=1, max_players=3)
    return game.model_copy(update={"rounds": [game.rounds[0], later, later]})


def at(game, actions):
    tree = build(game)
    node, kind = locate(places(game, tree), begin(game), np.array(actions, np.int64))
    return tree, node, kind


def test_locate__an_offered_path_is_itself():
    tree, node, kind = at(blueprint(), [350, CALL, FOLD, CALL])
    assert (node, kind) == (tree.find([350, CALL, FOLD, CALL]), SAME)


def test_locate__a_raise_becomes_the_likelier_size():
    # The button's raises by .5 and 1 of the pot of 250 are 225 and 350. The share of the smaller is
    # half at (A + B + 2 A B) / (A + B + 2) = 5 / 7 of the pot: a raise to 278.6.
    for raise_to, taken_for in ((278, 225), (279, 350), (225, 225), (210, 225)):
        tree, node, kind = at(blueprint(), [raise_to])
        assert node == tree.find([taken_for])
        assert kind == (SAME if raise_to == 225 else TRANSLATED)


def test_locate__later_sizes_are_fractions_of_the_true_pot():
    # 300 is taken for 350. The bet of 375 into the true pot of 700 is the tree's pot-sized bet,
    # though far less than its 800.
    tree, node, kind = at(blueprint(), [300, CALL, FOLD, 675])
    assert (node, kind) == (tree.find([350, CALL, FOLD, 1150]), TRANSLATED)


def test_locate__a_second_raise_that_the_tree_has_not():
    # Both were to call 300 in a pot of 1,200; in the tree such a pot is 1,300 or 925 after one bet.
    played = [225, CALL, FOLD, 325, 625]
    tree, node, kind = at(blueprint(), played)
    assert kind == NEAREST
    head = tree.node[node, 0]
    assert (seat_of(head), round_of(head)) == (0, 1)  # the small blind is to call, on the flop
    # Called, the hand goes on to the turn, where it is followed from the nearest start.
    tree, node, kind = at(blueprint(), [*played, CALL])
    assert kind == NEAREST
    head = tree.node[node, 0]
    assert (seat_of(head), round_of(head)) == (0, 2)


def distant(stack, sizes, actions):
    game = holdem([stack] * 3, [sizes], 1, rounds=2)
    tree, node, kind = at(game, actions)
    assert (node, kind) == Finder(game).locate(oracle.table(game), actions)
    assert kind == NEAREST
    return tree.path(node)


def test_locate__of_distant_pots_the_nearer_by_ratio():
    """A second raise, and no pot within half: the small blind is to call in 500 or 4,800, which
    are equally far from 1,549; then in 550 or 9,300, from 2,262."""
    assert distant(60_000, [0.3, 15], [200, 1200]) == [200, CALL]  # a pot of 1,500
    assert distant(60_000, [0.3, 15], [200, 1300]) == [CALL, 4600]
    assert distant(90_000, [0.5, 30], [200, 1900]) == [225, CALL]  # of 2,200
    assert distant(90_000, [0.5, 30], [200, 2000]) == [CALL, 9100]


def test_hand_at__is_the_hand_played_to_the_node():
    game = blueprint()
    tree = build(game)
    table = places(game, tree)
    for x in tree.decision_nodes():
        actual = np.full(LENGTH, -7, np.int64)
        hand_at(table, x, actual)
        np.testing.assert_array_equal(actual, hand_after(game, tree.path(int(x))).hand)


def test_locate__nobody_left_like_this():
    # In the tree nobody ever folds before the flop: there is no raise, and the blind is free.
    game = holdem([1000] * 3, [[1]], 0, rounds=2, blinds=[100, 100, 100])
    _, node, kind = at(game, [200, FOLD, CALL])
    assert (node, kind) == (-1, NEAREST)


def test_locate__a_limp_becomes_the_smallest_raise_where_nobody_limps():
    game = blueprint()
    first = game.rounds[0].model_copy(update={"limps": "blinds"})
    game = game.model_copy(update={"rounds": [first, *game.rounds[1:]]})
    tree, node, kind = at(game, [CALL, 500])
    assert (node, kind) == (tree.find([225, 10_000]), TRANSLATED)
    tree, node, kind = at(game, [FOLD, CALL])
    assert (node, kind) == (tree.find([FOLD, CALL]), SAME)
