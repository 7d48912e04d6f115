"""Games of one's own and games in which all choose at once, against known answers."""

import itertools

import numpy as np
import pytest

from sixmax.base.errors import UserError
from sixmax.cfr.full.solve import solve_field
from sixmax.cfr.methods import CFR_PLUS
from sixmax.cfr.policy import uniform
from sixmax.games import kuhn, leduc, rps
from sixmax.games.listed import of_cards, of_payoffs

KUHN = {
    "stacks": [2, 2], "antes": [1, 1], "rounds": [{"sizes": [["1 chips"]], "max_raises": 1}],
}  # fmt: skip


def solved(game, iterations=2000):
    return solve_field(game.field, game.tree, game.layout, iterations, CFR_PLUS)[iterations].average


def test_of_cards__kuhn_written_out_is_kuhn():
    cards = itertools.permutations("JQK", 2)
    actual = of_cards("mine", KUHN, [([a, b], ["JQK".index(a), "JQK".index(b)]) for a, b in cards])
    expected = kuhn()
    assert (actual.known, expected.known) == ((("J", "Q", "K"),),) * 2
    assert actual.infosets == expected.infosets == 12
    assert actual.score(uniform(actual.tree, actual.layout)).total == pytest.approx(11 / 12)
    result = actual.score(solved(actual))
    assert result.values[0] == pytest.approx(-1 / 18, abs=1e-3)
    assert result.total < 2e-3 < 11 / 12


def test_infosets__of_known_games():
    assert [kuhn().infosets, kuhn(3).infosets, leduc().infosets] == [12, 48, 288]


def test_find__by_names():
    game = kuhn()
    assert game.actions(0) == ("c", "r2")
    assert game.actions(game.find(["c", "r2"])) == ("f", "c")
    with pytest.raises(UserError, match="action 'r3': wanted one of c, r2"):
        game.find(["r3"])
    with pytest.raises(UserError, match="wanted none: the game is over"):
        game.find(["c", "c", "c"])


def test_of_payoffs__rock_paper_scissors_is_a_third_each():
    game = of_payoffs("rps", [[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert game.actions(0) == ("1", "2", "3")
    assert solved(game) == pytest.approx(np.full(6, 1 / 3), abs=1e-6)
    assert rps().actions(2) == ("rock", "paper", "scissors")


def test_score__of_nodes_that_cannot_be_told_apart():
    """A best response chooses once for all nodes of an infoset: by hand from the table."""
    rng = np.random.default_rng(1)
    table = rng.normal(size=(4, 5))
    game = of_payoffs("random", table)
    first, second = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(5))
    actual = game.score(np.concatenate([first, second]))
    value = first @ table @ second
    expected = [(table @ second).max() - value, value - (first @ table).min()]
    assert actual.gains == pytest.approx(expected)
    assert actual.values == pytest.approx([value, -value])


def test_score__of_three_players_who_choose_at_once():
    rng = np.random.default_rng(2)
    table = rng.normal(size=(3, 2, 3, 2))
    game = of_payoffs("three", table)
    mixes = [rng.dirichlet(np.ones(n)) for n in (2, 3, 2)]
    actual = game.score(np.concatenate(mixes))
    a, b, c = mixes
    best = [
        np.einsum("ijk,j,k->i", table[0], b, c).max(),
        np.einsum("ijk,i,k->j", table[1], a, c).max(),
        np.einsum("ijk,i,j->k", table[2], a, b).max(),
    ]
    value = [np.einsum("ijk,i,j,k->", each, a, b, c) for each in table]
    assert actual.gains == pytest.approx(np.array(best) - value)


@pytest.mark.parametrize(
    ("payoffs", "expected"),
    [
        ([[1, 2], [3]], "rows of one length"),
        ([1, 2], r"found shape \(2,\)"),
        ([[float("nan")]], "of finite numbers"),
        (np.zeros((2, 2, 2, 2)), "wanted .rows, columns."),
    ],
)
def test_of_payoffs__refuses(payoffs, expected):
    with pytest.raises(UserError, match=expected):
        of_payoffs("wrong", payoffs)


@pytest.mark.parametrize(
    ("rules", "dealt", "expected"),
    [
        (KUHN, [], "found none"),
        (KUHN, [(["J", "Q"], [0, None])], "deal 1: found the strength None, wanted a number"),
        (KUHN, [(["J", "Q"], [0, float("nan")])], "deal 1: found the strength nan"),
        (KUHN, [(["J", "Q"], "JQ")], "deal 1: found the strength 'J'"),
        (KUHN, [1], "deals: found '.1.', wanted pairs"),
        (KUHN, [([1, 2], [0, 1])], "wanted pairs"),
        ({"stacks": 2}, [], "game: wanted lists of stacks"),
        (KUHN, [(["J"], [0])], "deal 1: found rounds .1. and 1 strengths, wanted 2 players"),
        ({**KUHN, "stakcs": [1]}, [], "stakcs"),
        ({**KUHN, "rounds": KUHN["rounds"] * 2},
         [(["Ja", "Qa"], [0, 1]), (["Qa", "Ja"], [1, 0])], "one follows several buckets"),
    ],
)  # fmt: skip
def test_of_cards__refuses(rules, dealt, expected):
    with pytest.raises(UserError, match=expected):
        of_cards("wrong", rules, dealt)


@pytest.mark.parametrize("words", [["a", "b"], ["a", "b", "b"], ["a", "b", "c", "d"]])
def test_of_payoffs__refuses_words_that_do_not_name_each_action_once(words):
    with pytest.raises(UserError, match=f"actions: found {len(words)} words"):
        of_payoffs("wrong", np.zeros((3, 3)), words)
    with pytest.raises(UserError, match="players with other numbers of actions have none"):
        of_payoffs("wrong", np.zeros((2, 3)), ["a", "b", "c"])
