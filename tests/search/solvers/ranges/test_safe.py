"""Safe solving with all hands at once: against listed deals, and by its guarantee."""

import numpy as np
import pytest

from oracles.search import hand_values, values_of_hands
from search.holdem import HOLES, RIVER, SEARCH, every_deal, problem, river
from search.holdem import RANKS as SMALL
from search.solvers.ranges.small import BOARDS, RANKS, H, listed_game, small_ranges, small_tree
from sixmax.cards.deck import hole_cards, hole_id
from sixmax.cfr.full.solve import Entry, solve_field
from sixmax.cfr.full.sweep import field
from sixmax.cfr.gadget import GADGETS, gadget
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CFR_PLUS, DCFR, LINEAR, METHODS
from sixmax.search.constraints import Alternative, FrozenRow
from sixmax.search.solvers.all_hands import solve
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.search.solvers.ranges.values import values_by_hole

pytestmark = pytest.mark.usefixtures("one_thread")


def turn_or_river(rounds, ranges, **more):
    return endgame(small_tree(rounds), BOARDS[rounds], ranges, ranks=RANKS, **more)


@pytest.mark.parametrize("kind", GADGETS)
@pytest.mark.parametrize("method", ["dcfr", "cfr+", "pcfr+", "pdcfr+", "hs-dcfr"])
@pytest.mark.parametrize("opponent", [0, 1])
def test_solve__equals_the_gadget_on_listed_deals(kind, method, opponent):
    """Ten iterations on a river, the opponent's weights all alike: our strategy by hand."""
    ranges = np.random.default_rng(5).choice([0, 1, 1, 2], (2, H)).astype(float)
    ranges[opponent] = 1
    alternative = np.random.default_rng(6).normal(size=H) * 5
    game, tree = turn_or_river(1, ranges, every=True), small_tree(1)
    rule = METHODS[method].over(10)
    layout, deals = listed_game(1, ranges, tree)
    listed = field(tree, layout, deals)
    column = layout.columns[0, opponent]
    hand = (listed.offset[opponent, 0] - layout.base[0, opponent]) // column
    left = np.bincount(hand, listed.chance, H)
    values = np.where(left > 0, alternative, 0)
    entry = Entry(gadget(kind, opponent, values, left), hand)
    expected = solve_field(listed, tree, layout, 10, rule, entry=entry)[10].average
    outside = Alternative(opponent, values, kind)
    solver = RangeSolver(game, rule, alternative=outside).run(10)
    actual, seat = solver.strategy(), 1 - opponent
    here = slice(layout.base[0, seat], infoset(layout, 0, seat, H, 0))
    dealt = np.unique(deals.bucket[:, seat, 0] % H)
    pair = [s[here].reshape(H, -1)[dealt] for s in (actual, expected)]
    np.testing.assert_allclose(*pair, atol=2e-3)
    unsafe = RangeSolver(game, rule).run(10).strategy()
    assert np.abs(unsafe[here].reshape(H, -1)[dealt] - pair[1]).max() > 0.1


def gains(values, alternative):
    """How much more each hand wins in the subgame than by its alternative; -inf where neither."""
    more = values - alternative
    return more[np.isfinite(more)]


@pytest.mark.parametrize("rounds", [1, 2])
def test_solve__gives_no_hand_more_than_its_alternative(rounds):
    """Alternatives: best responses to a bad blueprint. Unsafe solving trusts wrong beliefs."""
    random = np.random.default_rng(3)
    ranges = random.random((2, H)) ** 3
    truth = turn_or_river(rounds, ranges, every=True)
    blueprint = RangeSolver(truth, LINEAR).run(3)
    for opponent in (0, 1):
        bound = values_by_hole(blueprint, 2, 0, True)[opponent]
        believed = ranges.copy()
        believed[opponent] = random.random(H) ** 3
        game, worst, margin = turn_or_river(rounds, believed, every=True), {}, {}
        for kind in (None, *GADGETS):
            outside = None if kind is None else Alternative(opponent, bound, kind)
            solver = RangeSolver(game, CFR_PLUS, alternative=outside).run(300)
            best = gains(values_by_hole(solver, 2, 0, True)[opponent], bound)
            worst[kind], margin[kind] = best.max(), -best.max()
        assert worst["resolve"] < 0.1
        assert worst["maxmargin"] < 0.1
        assert worst[None] > 1
        assert margin["maxmargin"] > margin["resolve"] - 0.05
        assert margin["maxmargin"] > 0


@pytest.mark.parametrize("kind", GADGETS)
def test_solve__is_safe_on_drawn_boards_too(kind):
    """Hands share their strategy on all rivers."""
    random = np.random.default_rng(3)
    ranges, alike = random.random((2, H)) ** 3, np.tile(np.arange(H), (8, 1))
    truth = turn_or_river(2, ranges, every=True, buckets=(None, alike))
    bound = values_by_hole(RangeSolver(truth, LINEAR).run(3), 2, 0, True)[0]
    outside = Alternative(0, bound, kind)
    safe, unsafe = (
        RangeSolver(truth, DCFR, (2,), 1, alternative=given).run(3000) for given in (outside, None)
    )
    safe, unsafe = (
        gains(values_by_hole(solver, 2, 0, True)[0], bound).max() for solver in (safe, unsafe)
    )
    assert safe < 0.3  # chips, of a pot of 20
    assert unsafe > safe + 0.5


@pytest.mark.parametrize("node", [0, 1, 2])
def test_values_at__equal_those_of_listed_deals(node):
    """A river: values at the root, after a check and after a bet, as by best responses.

    A hand that checks never has no values after a check.
    """
    ranges, tree = small_ranges(), small_tree(1)
    node = node and int(tree.node[0, 1]) + node - 1
    layout, deals = listed_game(1, ranges, tree)
    listed = field(tree, layout, deals)
    hand = (listed.offset[:, 0] - layout.base[0][:, None]) // layout.columns[0][:, None]
    solver = RangeSolver(turn_or_river(1, ranges), CFR_PLUS).run(8)
    strategy = solver.strategy()
    for best in (False, True):
        actual = values_by_hole(solver, 2, node, best)
        expected = values_of_hands(listed, hand, strategy, node, best)
        met = np.isfinite(actual)
        assert met.sum() > 12
        np.testing.assert_allclose(actual[met], np.pad(expected, ((0, 0), (0, H)))[:, :H][met],
                                   atol=1e-3)  # fmt: skip
        assert np.ptp(actual[met]) > 5


def test_solve__safely_leaves_out_our_own_values():
    game = turn_or_river(1, np.ones((2, H)), every=True)
    solver = RangeSolver(game, CFR_PLUS, alternative=Alternative(0, np.zeros(H))).run(5)
    actual = values_by_hole(solver, 2, 0, False)
    assert np.isnan(actual[1]).all()
    assert np.isfinite(actual[0]).any()


def test_solve__refuses_alternatives_that_are_no_numbers():
    game = turn_or_river(1, np.ones((2, H)), every=True)
    with pytest.raises(ValueError, match="wanted a number for each hand"):
        RangeSolver(game, CFR_PLUS, alternative=Alternative(0, np.full(H, np.nan)))


def test_values__by_ranges_are_exact():
    """Every deal of a river, unequal beliefs, a frozen row: hands of no belief have values too."""
    game, beliefs = river(), np.random.default_rng(3).random((2, HOLES)) ** 2
    beliefs[0, :30] = 0
    frozen = [FrozenRow(0, hole_id(20, 21), np.array([0.1, 0.9]))]
    solution = solve(problem(game, beliefs=beliefs, frozen=frozen), SEARCH)
    expected = hand_values(game.tree, game.layout, every_deal(RIVER), beliefs, solution.average)
    free = ~np.isin(hole_cards(SMALL), RIVER).any(axis=1)
    assert np.isnan(solution.values_at(0)[:, ~free]).all()
    np.testing.assert_allclose(solution.values_at(0)[:, free], expected[:, free], atol=0.01)
    assert np.abs(expected[:, free]).max() > 100
