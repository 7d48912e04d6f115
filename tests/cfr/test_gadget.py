"""The gadget against games that say the same without it, and against linear programs."""

import numpy as np
import pytest
from scipy.optimize import linprog

from oracles.games import GUESS
from sixmax.betting.tree import DECISION, FOLDED, pack_head, tree_of_nodes
from sixmax.cfr.full.solve import Entry, solve_field
from sixmax.cfr.full.sweep import Field
from sixmax.cfr.gadget import GADGETS, gadget
from sixmax.cfr.layout import infoset, layout, slabs
from sixmax.cfr.methods import CARRIED, METHODS
from sixmax.games.coin import SOLD, exploitability


def guessing(payoff, chance):
    """The second player chooses a column; the first has one row: tree, layout, Field.

    ``payoff`` float64[hands, actions] is the first player's.
    """
    actions = payoff.shape[1]
    node = [[pack_head(DECISION, 1, 0, actions, False), 1, 0, 0], *[[FOLDED, 0, 0, 0]] * actions]
    values = [(slice(1, None), payoff.T)]
    return laid_out(node, list(range(-2, actions - 1)), [0, actions], values, chance)


def with_alternative(payoff, chance, alternative):
    """The same game where the first player chooses between it and its alternative."""
    actions = payoff.shape[1]
    node = [
        [pack_head(DECISION, 0, 0, 2, False), 1, 0, 0],
        [FOLDED, 0, 0, 0],
        [pack_head(DECISION, 1, 0, actions, False), 3, 0, 0],
        *[[FOLDED, 0, 0, 0]] * actions,
    ]
    action = [0, -1, 0, *range(-1, actions - 1)]
    values = [(1, alternative), (slice(3, None), payoff.T)]
    return laid_out(node, action, [2, actions], values, chance)


def laid_out(node, action, columns, values, chance):
    """Tree, layout, Field: ``values`` are the first player's, who knows its hand, by node."""
    hands = len(chance)
    tree = tree_of_nodes(node, action, np.array([columns]))
    infosets = layout(tree, [hands])
    payoff = np.zeros((2, len(node), hands))
    for nodes, value in values:
        payoff[0, nodes], payoff[1, nodes] = value, -value
    bucket = np.zeros((2, 1, hands), np.int64)
    bucket[0, 0] = np.arange(hands)
    return tree, infosets, Field(tree.node, slabs(infosets, bucket), payoff, chance)


def strategy_of_second(game, iterations, method, entry=None):
    tree, infosets, field = game
    node = next(x for x in range(len(tree.node)) if tree.node[x, 0] >> 4 & 1)
    at, n = int(infoset(infosets, 0, 1, 0, int(tree.node[node, 2]))), len(tree.node) - node - 1
    solved = solve_field(field, tree, infosets, iterations, method, entry=entry)[iterations]
    return solved.average[at : at + n], solved.last[at : at + n]


def entry_of(kind, alternative, chance):
    return Entry(gadget(kind, 0, np.array(alternative), chance), np.arange(len(chance)))


@pytest.mark.parametrize("kind", GADGETS)
def test_coin_toss__safe_solving_succeeds(kind):
    """Alternatives are what selling brings. The guess is the only optimal one of the article."""
    chance = np.full(2, 0.5)
    game = guessing(np.array([[-1.0, 1.0], [1.0, -1.0]]), chance)
    actual, _ = strategy_of_second(game, 4000, METHODS["cfr+"], entry_of(kind, SOLD, chance))
    assert actual == pytest.approx(GUESS, abs=1e-3)
    assert exploitability(actual) < 5e-4


def test_coin_toss__unsafe_solving_fails():
    """The blueprint plays each coin alike, and so the coin is guessed either way."""
    game = guessing(np.array([[-1.0, 1.0], [1.0, -1.0]]), np.full(2, 0.5))
    actual, _ = strategy_of_second(game, 4000, METHODS["cfr+"])
    assert actual == pytest.approx([0.5, 0.5])
    assert exploitability(actual) == pytest.approx(0.25)
    game = guessing(np.array([[-1.0, 1.0], [1.0, -1.0]]), np.array([0.6, 0.4]))
    actual, _ = strategy_of_second(game, 4000, METHODS["cfr+"])
    assert exploitability(actual) == pytest.approx(0.75, abs=1e-3)


@pytest.mark.parametrize("name", CARRIED)
def test_resolve__is_the_game_with_the_alternative(name):
    """The same strategies after every iteration, by each method."""
    random = np.random.default_rng(5)
    payoff, alternative = random.normal(size=(6, 4)), random.normal(size=6) / 3
    chance = random.dirichlet(np.ones(6))
    for iterations in (1, 2, 7, 60):
        entry = entry_of("resolve", alternative, chance)
        actual = strategy_of_second(guessing(payoff, chance), iterations, METHODS[name], entry)
        whole = with_alternative(payoff, chance, alternative)
        expected = strategy_of_second(whole, iterations, METHODS[name])
        np.testing.assert_allclose(actual, expected, atol=1e-12)
    assert np.ptp(expected[0]) > 0.1


def test_gadget__refuses_methods_that_do_more_than_discount_and_predict():
    chance = np.full(2, 0.5)
    game = guessing(np.array([[-1.0, 1.0], [1.0, -1.0]]), chance)
    method = METHODS["pcfr+"]._replace(update=lambda *_: np.zeros(2))
    with pytest.raises(ValueError, match=r"PCFR\+: wanted a method that discounts or predicts"):
        strategy_of_second(game, 1, method, entry_of("resolve", SOLD, chance))


def test_maxmargin__is_the_solution_of_its_linear_program():
    """Of the strategies of the second player the one with the largest smallest margin."""
    random = np.random.default_rng(7)
    payoff, alternative = random.normal(size=(5, 4)), random.normal(size=5) / 3
    chance = random.dirichlet(np.ones(5))
    entry = entry_of("maxmargin", alternative, chance)
    actual, _ = strategy_of_second(guessing(payoff, chance), 20000, METHODS["cfr+"], entry)
    # The margin m is the most for which payoff @ p + m <= alternative for each hand.
    result = linprog(
        np.array([0, 0, 0, 0, -1.0]), np.column_stack([payoff, np.ones(5)]), alternative,
        np.array([[1.0, 1, 1, 1, 0]]), [1], bounds=[(0, 1)] * 4 + [(None, None)],
    )  # fmt: skip
    assert (alternative - payoff @ actual).min() == pytest.approx(-result.fun, abs=2e-3)
    assert (alternative - payoff @ np.full(4, 0.25)).min() < -result.fun - 0.1


def test_gadget__leaves_hands_out_that_cannot_be_held():
    chance, alternative = np.array([0.5, 0.0, 0.5]), np.array([0.5, np.nan, -0.5])
    payoff = np.array([[-1.0, 1.0], [9.0, 9.0], [1.0, -1.0]])
    for kind in GADGETS:
        entry = entry_of(kind, alternative, chance)
        actual, _ = strategy_of_second(guessing(payoff, chance), 4000, METHODS["cfr+"], entry)
        assert actual == pytest.approx(GUESS, abs=1e-3)
        assert entry.gadget.reach[1] == 0


MISTAKES = [
    (("best", [0.0, 0.0], [1.0, 1.0]), "found 'best', wanted one of resolve, maxmargin"),
    (("resolve", [0.0], [1.0, 1.0]), "found 1, wanted 2, one a hand"),
    (("resolve", [0.0, np.nan], [1.0, 1.0]), "wanted a number for each hand"),
    (("maxmargin", [0.0, 0.0], [0.0, 0.0]), "one or more"),
]


@pytest.mark.parametrize(("arguments", "expected"), MISTAKES)
def test_gadget__refuses_what_does_not_fit(arguments, expected):
    kind, alternative, left = arguments
    with pytest.raises(ValueError, match=expected):
        gadget(kind, 0, np.array(alternative), np.array(left))
