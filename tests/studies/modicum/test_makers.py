"""Continuations of the opponent: best responses, weakened ones, and a bias."""

import numpy as np
import pytest

from sixmax.evaluation.exploitability.boards import summed
from sixmax.studies.flop_games.subgames import on_boards, reach_by_class
from sixmax.studies.modicum import makers
from studies.modicum.small import game, known, solved


def test_respond__wins_what_the_walk_says():
    of, strategy = game(), solved()
    reach = np.random.default_rng(3).random(len(of.cards.share))
    for seat in (0, 1):
        response = strategy.copy()
        for root in of.roots:
            held = np.tile(reach[of.cards.of_hole], (len(of.board), 1))
            actual = makers.respond(of, response, seat, root, held)
            expected = of.walk(strategy, seat).board(root, held, of.cards.boards)[1]
            np.testing.assert_allclose(actual, expected, atol=1e-12)
            played = of.walk(response, seat).board(root, held, of.cards.boards)[0]
            np.testing.assert_allclose(played, expected, atol=1e-12)


def test_generate__the_first_are_the_same_for_every_number():
    fewer = makers.generate(game(), solved(), 0, 2, 200)
    for actual, expected in zip(fewer[1:], known().first(2)[1:], strict=True):
        np.testing.assert_array_equal(actual, expected)
    np.testing.assert_array_equal(fewer.strategy(0), solved().astype(np.float32))


def test_generate__a_response_beats_the_solution_before_it():
    """At some leaf, for some class: else the trunk would be solved already."""
    first, second = known().values[:2]
    assert (second - first).max() > 1e-3 * np.abs(first).max()


def test_weakened__no_class_beats_the_equilibrium():
    of, strategy = game(), solved(iterations=20)
    base = makers.leaf_values(of, strategy, 0, strategy)
    response = strategy.copy()
    for root in of.roots:
        held = on_boards(of, reach_by_class(of, strategy, root, 1))
        makers.respond(of, response, 0, root, held)
    strong = makers.leaf_values(of, strategy, 0, response)
    weak, less = makers.weakened(of, strategy, 0, base, strong)
    excess = []
    for i, root in enumerate(of.roots):
        reach = reach_by_class(of, strategy, root, 1)
        tolerance = 1e-6 * np.abs(base[i] @ reach).max()
        assert ((weak[i] - base[i]) @ reach <= tolerance).all()
        excess.append(((strong[i] - base[i]) @ reach).max())
    assert max(excess) > 0
    assert (less >= 0).all()
    assert less.any()


def test_generate__strong_values_are_those_of_the_responses():
    strong, weak = (makers.generate(game(), solved(), 0, 2, 200, weak) for weak in (False, True))
    np.testing.assert_array_equal(strong.responses, weak.responses)
    response = strong.strategy(1).astype(float)
    expected = makers.leaf_values(game(), solved(), 0, response)
    np.testing.assert_allclose(strong.values[1], expected, atol=1e-6 * np.abs(expected).max())
    assert not strong.less.any()


def test_on_flops__by_class_is_the_value_of_the_leaf():
    """Both are the same expectation: by hole on each flop, and by class."""
    result, of = known(), game()
    reach = np.random.default_rng(4).random(len(of.cards.share))
    held = np.tile(reach[of.cards.of_hole], (len(of.board), 1))
    left = summed(held, of.cards.boards[0], False)
    for n, leaf in ((0, 0), (1, 4), (2, 1)):
        value = result.on_flops(n, leaf, 0, held) * left
        by_hole = of.cards.boards[0].weight @ value
        actual = np.bincount(of.cards.of_hole, by_hole, len(reach))
        expected = result.values[n, leaf] @ reach
        np.testing.assert_allclose(actual, expected, atol=1e-5 * np.abs(expected).max())


def test_lean__multiplies_a_kind_of_action():
    result = makers.lean(game(), solved(), 0, 10.0)
    assert len(result.values) == 4
    np.testing.assert_allclose(result.strategy(0), solved(), atol=1e-6)
    assert not result.less.any()
    for n in (1, 2, 3):
        assert np.abs(result.values[n] - result.values[0]).max() > 0


@pytest.mark.parametrize("number", [1, 3])
def test_first__takes_the_first(number):
    few = known().first(number)
    assert few.game is known().game
    np.testing.assert_array_equal(few.equilibrium, known().equilibrium)
    for actual, every in zip(few[3:], known()[3:], strict=True):
        np.testing.assert_array_equal(actual, every[:number])
    for n in range(number):
        np.testing.assert_array_equal(few.strategy(n), known().strategy(n))
    assert len(few.responses) == number - 1
