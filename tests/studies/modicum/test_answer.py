"""Answers to an opening bet that the equilibrium lacks, on twenty cards."""

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.cfr.layout import entries
from sixmax.evaluation.exploitability.exact_holdem import seat_values
from sixmax.studies.flop_games import learn, off_tree, subgames, trunk
from sixmax.studies.flop_games.game import open_game
from sixmax.studies.modicum import makers
from sixmax.studies.modicum.answer import (
    _value,
    answered,
    leaves_known,
    played,
    promised,
    to_the_end,
)
from studies.flop_games.small import RANKS
from studies.modicum.small import SMALL, case, game, known, own, solved


def wins(strategy):
    """The winnings of a best response of the opponent, chips a hand."""
    of = case().game
    return seat_values(of.tree, of.layout, of.cards, strategy, 0)[1]


@pytest.fixture(scope="module")
def answer():
    return answered(case(), known(), 300)


def test_leaves_known__have_the_same_actions(answer):
    of, small = case().game, game()
    assert len(answer.sides) == 2
    for leaf, side in answer.sides.items():
        names = [small.tree.describe(small.roots[i]).split(", ") for i in side.number]
        mine = of.tree.describe(leaf).split(", ")
        for name, first in zip(names, ("SB raise 200", "SB raise 300"), strict=True):
            assert name[0] == first
            assert len(name) == len(mine)
            assert [w.split()[1] for w in name] == [w.split()[1] for w in mine]


def test_without_bets__is_the_best_of_the_other_actions():
    """With the share of each class it is what a best response wins in the game without the bet."""
    small, strategy = game(), known().equilibrium.astype(float)
    expected = seat_values(small.tree, small.layout, small.cards, strategy, 0)[1]
    share = game().cards.share.sum(axis=1)
    actual = off_tree.without_bets(case(), case().bets[0], np.ones(len(share))) @ share
    assert actual == pytest.approx(expected, abs=1e-3)


def test_answered__a_class_counts_at_a_leaf_as_often_as_it_comes_there(answer):
    small, of = game(), case().game
    for leaf, side in answer.sides.items():
        reach = [subgames.reach_by_class(small, solved(), small.roots[i], 1) for i in side.number]
        both = (reach[0] > 0) & (reach[1] > 0)
        assert both.any()
        np.testing.assert_allclose(
            (side.part[0] / side.part[1])[both], (reach[0] / reach[1])[both], rtol=1e-4
        )
        assert (side.part[:, (reach[0] == 0) & (reach[1] == 0)] == 0.5).all()
        np.testing.assert_allclose(side.part.sum(axis=0), 1)
        put = [of.tree.path(leaf), *(small.tree.path(small.roots[i]) for i in side.number)]
        own, *beside = (max(actions) for actions in put)  # chips of the last raise
        np.testing.assert_allclose(side.pot, own / np.array(beside))


@pytest.mark.parametrize("opponent", [0, 1])
def test_value__is_a_mean_by_our_class_in_the_pot_of_the_leaf(answer, opponent):
    """Rows of a matrix are classes of seat 0, and ours are those of the other seat."""
    side = next(iter(answer.sides.values()))
    actual, expected = _value(known(), side, opponent), np.zeros(known().values[:, 0].shape)
    for number, part, pot in zip(side.number, side.part, side.pot, strict=True):
        for c in range(len(part)):
            ours = (slice(None), slice(None), c) if opponent == 0 else (slice(None), c)
            expected[ours] += pot * part[c] * known().values[:, number][ours]
    np.testing.assert_allclose(actual, expected, atol=1e-9)
    assert not np.allclose(actual, _value(known(), side, 1 - opponent))


@pytest.mark.parametrize("whole", [True, False])
def test_played__every_row_is_a_distribution(answer, whole):
    result = played(case(), known(), answer, 50, whole)
    of = case().game
    for x in of.tree.decision_nodes():
        rows = result[entries(of.tree, of.layout, int(x))]
        np.testing.assert_allclose(rows.sum(axis=1), 1)


def test_played__is_between_the_end_of_the_game_and_translation(answer):
    """The bound: no answer is better than one that solves to the end, but for its rest."""
    translated = case().strategy.copy()
    off_tree.translate(case(), case().bets[0], translated)
    whole = wins(to_the_end(case(), 400))
    together, alone = (wins(played(case(), known(), answer, 200, whole)) for whole in (True, False))
    assert whole - 0.5 < together < alone < wins(case().strategy)
    assert whole < wins(translated) < wins(case().strategy)


def test_promised__is_the_best_choice_and_what_a_class_gave_away(answer):
    leaf = next(iter(answer.sides))
    chosen, value, gift = promised(answer, leaf)
    assert set(chosen.tolist()) <= {0, 1, 2}
    every, top = trunk.best(answer.solver, 0), answer.trunk
    node = trunk.first_node(top, leaf)
    np.testing.assert_array_equal(value, every[list(top.part.tree.children(node))].max(axis=0))
    steps = [x for x, _ in top.part.tree.steps(node) if top.part.tree.seat(x) == 0]
    first = answer.without - every[0]
    assert (gift >= first - 1e-9).all()  # an action is worth no more than its decision
    if not steps:
        np.testing.assert_allclose(gift, first)
    assert gift.max() > 1  # chips: some class would rather not come
    poorer = answer._replace(without=answer.without - 100)
    *_, less = promised(poorer, leaf)  # a win by the bet counts against a class
    np.testing.assert_allclose(less, gift - 100)


def test_answered__of_one_value_takes_what_the_equilibrium_does():
    """After a leaf the opponent plays as in the equilibrium."""
    one = known().first(1)
    result = answered(case(), one, 50)
    top = result.trunk
    expected = [
        sum(
            pot * part * one.values[0, i]
            for i, part, pot in zip(side.number, side.part, side.pot, strict=True)
        )
        for side in result.sides.values()
    ]  # our classes are columns
    of = case().game.cards.share
    chips = -top.round.tables[1]  # of seat 0, its class first
    np.testing.assert_allclose(chips * of, expected, atol=1e-9)
    gain = trunk.best(result.solver, top.opponent)[0] - result.without
    assert gain.max() < 5  # chips; of uniform play, which is one iteration, 308


def test_leaves_known__its_own_values_come_before_those_beside_it():
    of = case().game
    sides = leaves_known(case(), case().bets[0], own())
    assert sides.keys() == leaves_known(case(), case().bets[0], known()).keys()
    assert [[of.roots[n] for n in numbers] for numbers in sides.values()] == [[x] for x in sides]
    for side in answered(case(), own(), 2).sides.values():
        assert (side.part == 1).all()
        assert side.pot.tolist() == [1]


def test_played__values_of_the_own_leaves_lose_less_than_those_beside():
    beside, at_leaves = (
        wins(played(case(), result, answered(case(), result, 300), 300))
        for result in (known(), own())
    )
    assert at_leaves < beside


def test_leaves_known__refuses_sizes_that_leave_no_room():
    """Ten big blinds and three raises: beside the bet there is only all-in."""
    settings = SMALL.model_copy(update={"preflop": [["A"], [1, "A"], ["A"]], "flops": 1})
    small, larger = (open_game(settings, 1, bet, RANKS) for bet in (0.0, 0.75))
    strategy = learn.equilibrium(small, 2)
    off = off_tree.embedded(small, strategy, larger)
    result = makers.generate(small, strategy, 0, 1, 1)
    with pytest.raises(UserError, match="wanted sizes beside the bet") as caught:
        leaves_known(off, off.bets[0], result)
    assert "\n" not in str(caught.value)
