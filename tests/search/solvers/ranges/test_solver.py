"""Endgames of two players against the small games' machinery, which OpenSpiel confirms."""

import inspect
import itertools
from pathlib import Path

import numba
import numpy as np
import pytest

from oracles.cards import ends, holes
from search import holdem
from search.solvers.ranges import small
from search.solvers.ranges.small import BOARDS, RANKS, H, small_ranges, small_tree
from sixmax.base.errors import UserError
from sixmax.base.jit import set_threads, threads_in_use
from sixmax.base.vectors import TILE
from sixmax.betting import rules, tree_build
from sixmax.betting.config import GameConfig
from sixmax.cards.deck import hole_cards, hole_id
from sixmax.cfr.full import solve as listed
from sixmax.cfr.full import sweep
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import DCFR, DCFR_DRAWN, DCFR_EXACT, LINEAR, METHODS
from sixmax.search.constraints import Alternative, FrozenRow
from sixmax.search.endgame_file import read_endgame
from sixmax.search.solvers import all_hands
from sixmax.search.solvers.all_hands import solve
from sixmax.search.solvers.ranges import hands, tree_parts, walk
from sixmax.search.solvers.ranges import solver as solver_module
from sixmax.search.solvers.ranges.boards import EVERY, SAME, Flops, alike, renamed_holes
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver, kept_suits

DATA = Path(__file__).parents[5] / "shared" / "data" / "libratus_endgame_river.txt"


@pytest.fixture(scope="module", params=[1, 2], ids=["river", "turn"])
def both(request):
    rounds, ranges = request.param, small_ranges()
    tree = small_tree(rounds)
    layout, deals = small.listed_game(rounds, ranges, tree)
    return endgame(tree, BOARDS[rounds], ranges, ranks=RANKS), tree, layout, deals


NAMES = ["linear", "dcfr", "cfr+"]


@pytest.mark.parametrize("method", NAMES)
def test_solve__equals_full_width_cfr_on_listed_deals(both, method):
    """The first iterations to the last digit of float32. Later ones part: where actions tie, or
    the opponent's whole range is gone, regrets are the rounding of zero, and it decides."""
    game, tree, layout, deals = both
    rule = METHODS[method]
    result = listed.solve(tree, layout, deals, 2, rule)[2]
    expected = sweep.nash_conv(tree, layout, deals, result)
    solver = RangeSolver(game, rule).run(2)
    actual = solver.nash_conv()
    assert actual.values == pytest.approx(expected.values, abs=1e-5)
    assert actual.gains == pytest.approx(expected.gains, abs=1e-5)
    assert (
        abs(actual.total - RangeSolver(game).nash_conv().total) > 1
    )  # no longer the untrained one
    for seat in (0, 1):
        here = slice(layout.base[0, seat], infoset(layout, 0, seat, H, 0))
        dealt = np.unique(deals.bucket[:, seat, 0] % H)  # the others are in no listed deal
        pair = [s[here].reshape(H, -1)[dealt] for s in (solver.strategy(), result)]
        assert pair[0] == pytest.approx(pair[1], abs=1e-4)


@pytest.mark.parametrize("method", NAMES)
def test_solve__ends_at_the_value_of_listed_deals(both, method):
    game, tree, layout, deals = both
    rule = METHODS[method]
    expected = sweep.nash_conv(
        tree, layout, deals, listed.solve(tree, layout, deals, 300, rule)[300]
    )
    actual = RangeSolver(game, rule).run(300).nash_conv()
    assert actual.total < 0.005 * RangeSolver(game).nash_conv().total
    # Each of the two lies no further from the value of the game than it can be exploited.
    assert abs(actual.values[0] - expected.values[0]) < actual.total + expected.total


@pytest.mark.parametrize("given", ["no buckets", "a bucket each"])
def test_solve__from_the_flop_equals_full_width_cfr_on_listed_deals(given):
    ranges, tree = small_ranges(), small_tree(3, (25, 40))
    layout, deals = small.listed_game(3, ranges, tree)
    own = (None, *(np.arange(len(b) * H).reshape(-1, H) for b in small.boards_after(BOARDS[3])[1:]))
    if given == "no buckets":
        own = ()
    expected = sweep.nash_conv(
        tree, layout, deals, listed.solve(tree, layout, deals, 2, METHODS["linear"])[2]
    )
    actual = RangeSolver(endgame(tree, BOARDS[3], ranges, own, RANKS)).run(2).nash_conv()
    assert actual.values == pytest.approx(expected.values, abs=1e-4)
    assert actual.gains == pytest.approx(expected.gains, abs=1e-4)


def test_solve__a_range_that_a_river_blocks():
    """One player has a single hand, and none on some rivers."""
    ranges = np.ones((2, H))
    ranges[0] = np.eye(H)[hole_id(1, 2)]
    game = endgame(small_tree(2), BOARDS[2], ranges, ranks=RANKS)
    assert np.diff(game.hands[0].begin).min() == 0
    result = RangeSolver(game).run(300).nash_conv()
    assert 0 <= result.total < 0.02 * RangeSolver(game).nash_conv().total
    assert result.values.sum() == pytest.approx(0, abs=1e-5)


def few_buckets():
    """A turn whose hands share seven buckets on every river."""
    few = np.tile(np.arange(H) % 7, (len(small.boards_after(BOARDS[2])[1]), 1))
    return endgame(small_tree(2), BOARDS[2], small_ranges(), (None, few), RANKS)


@pytest.mark.parametrize("rule", [LINEAR, DCFR])
def test_solve__on_drawn_boards_ends_near_the_value_of_all_and_repeats(rule):
    """Untrained play is ten times as far."""
    game = few_buckets()
    values = [
        RangeSolver(game, rule, sample, seed=1).run(400).nash_conv().values[0]
        for sample in ((), (2,))
    ]
    untrained = RangeSolver(game).nash_conv().values[0]
    assert abs(values[1] - values[0]) < 0.1 * abs(untrained - values[0])
    assert RangeSolver(game, rule, (2,), 1).run(20).total.tobytes() == (
        RangeSolver(game, rule, (2,), 1).run(10).run(10).total.tobytes()
    )
    with pytest.raises(ValueError, match="wanted buckets in all later rounds"):
        RangeSolver(endgame(small_tree(2), BOARDS[2], small_ranges(), ranks=RANKS), rule, (2,))


def test_solve__with_few_buckets_lies_between_the_exact_and_the_untrained():
    game, tree, ranges = few_buckets(), small_tree(2), small_ranges()
    exact = RangeSolver(endgame(tree, BOARDS[2], ranges, ranks=RANKS)).run(200).nash_conv().total
    actual, untrained = (
        RangeSolver(game).run(200).nash_conv().total,
        RangeSolver(game).nash_conv().total,
    )
    assert 2 * exact < actual < 0.7 * untrained


def test_strategy__is_one_for_every_hole():
    game = endgame(small_tree(1), BOARDS[1], small_ranges(), ranks=RANKS)
    strategy = RangeSolver(game).run(50).strategy()
    columns = game.layout.columns[0, 0]
    root = strategy[: H * columns].reshape(H, columns)[:, :3]  # check, bet 10, all-in
    assert root.sum(axis=1) == pytest.approx(1)
    blocked = [hole_id(*h) for h in holes(RANKS) if set(h) & set(BOARDS[1])]
    assert root[blocked] == pytest.approx(1 / 3)
    assert (root.max(axis=1) > 0.95).any()


@pytest.mark.parametrize("rounds", [1, 2])
def test_solve__hands_of_no_weight_change_nothing_and_can_have_a_strategy(rounds):
    """They meet nobody, so that the others play as without them, and respond to them as others."""
    tree, ranges = small_tree(rounds), small_ranges()
    few, every = (
        RangeSolver(endgame(tree, BOARDS[rounds], ranges, ranks=RANKS, every=flag)).run(60)
        for flag in (False, True)
    )
    assert few.nash_conv().total == pytest.approx(every.nash_conv().total, rel=1e-3)
    seat = int(few.game.seats[0])
    here = slice(few.game.layout.base[0, seat], infoset(few.game.layout, 0, seat, H, 0))
    first, second = (s.strategy()[here].reshape(H, -1)[:, :3] for s in (few, every))
    held = ranges[0] > 0
    assert first[held] == pytest.approx(second[held], abs=2e-3)
    blocked = np.array([bool(set(h) & set(BOARDS[rounds])) for h in holes(RANKS)])
    assert first[~held] == pytest.approx(1 / 3)
    assert second[~held & ~blocked].max(axis=1).mean() > 0.6


def test_solve__keeps_what_is_frozen_for_one_hand_only():
    game = endgame(small_tree(1), BOARDS[1], small_ranges(), ranks=RANKS)
    columns, free = game.layout.columns[0, 0], RangeSolver(game).run(200)
    before = free.strategy()[: H * columns].reshape(H, columns)[:, :3]
    hand = hole_id(9, 10) if before[hole_id(9, 10), 2] < 0.9 else hole_id(1, 2)
    frozen = [FrozenRow(0, hand, np.array([0.0, 0.0, 1.0]))]
    for last in (False, True):
        result = RangeSolver(game, frozen=frozen).run(200).strategy(last)
        after = result[: H * columns].reshape(H, columns)[:, :3]
        assert after[hand].tolist() == [0, 0, 1]
        assert before[hand, 2] < 0.9
        assert (after[:, 2] < 0.1).any()
    with pytest.raises(ValueError, match="frozen at node 0, hole"):
        RangeSolver(game, frozen=[FrozenRow(0, hole_id(0, 3), np.ones(1))]).run(1)


def test_endgame__of_what_does_not_fit():
    tree, ranges = small_tree(1), small_ranges()
    with pytest.raises(UserError, match="tree of 1 rounds: wanted 2"):
        endgame(tree, BOARDS[2], ranges, ranks=RANKS)
    with pytest.raises(UserError, match=r"found shape \(2, 5\), wanted \(2, 66\)"):
        endgame(tree, BOARDS[1], ranges[:, :5], ranks=RANKS)
    with pytest.raises(UserError, match="weights of 0 or more"):
        endgame(tree, BOARDS[1], -ranges, ranks=RANKS)
    with pytest.raises(UserError, match="dealt twice"):
        endgame(tree, [0, 0, 1, 2, 3], ranges, ranks=RANKS)
    with pytest.raises(UserError, match="board of 0 cards: wanted 3, 4 or 5"):
        endgame(tree, [], ranges, ranks=RANKS)
    same = np.zeros((2, H))
    same[:, hole_id(1, 2)] = 1
    with pytest.raises(UserError, match="no two hands that go together"):
        endgame(tree, BOARDS[1], same, ranks=RANKS)


@pytest.mark.parametrize(
    "wrong", [np.zeros((1, 5), int), np.full((1, H), -1), np.zeros((1, H))],
    ids=["shape", "negative", "floats"],
)  # fmt: skip
def test_endgame__of_buckets_that_do_not_fit(wrong):
    with pytest.raises(ValueError, match=r"buckets of round 0: .*wanted"):
        endgame(small_tree(1), BOARDS[1], small_ranges(), [wrong], ranks=RANKS)


@pytest.mark.parametrize("method", ["dcfr", "pcfr+"])
def test_solver__a_walk_may_read_a_tile_beyond_each_table(method):
    game = endgame(small_tree(1), BOARDS[1], small_ranges(), ranks=RANKS)
    solver = RangeSolver(game, METHODS[method])
    for table in (solver.regret, solver.total, solver.expected):
        assert not len(table) or table.base.strides[0] >= table.nbytes + TILE * table.itemsize


def test_solver__more_than_fits_is_refused(monkeypatch):
    """A predictive method has a table more."""
    game = endgame(small_tree(1), BOARDS[1], small_ranges(), ranks=RANKS)
    monkeypatch.setattr(solver_module, "MOST_BYTES", 10 * game.rows.entries)
    RangeSolver(game, DCFR)
    with pytest.raises(UserError, match=r"tables of .* bytes: wanted at most .* fewer raises"):
        RangeSolver(game, METHODS["pcfr+"])


def test_solver__without_regrets_is_not_run_on():
    game = endgame(small_tree(1), BOARDS[1], small_ranges(), ranks=RANKS)
    solver = RangeSolver(game).run(3)
    kept = RangeSolver.of_average(game, LINEAR, solver.total, 3)
    assert kept.strategy().tobytes() == solver.strategy().tobytes()
    for wrong in (lambda: kept.run(1), lambda: kept.strategy(last=True)):
        with pytest.raises(UserError, match=r"no regrets .* solve it anew"):
            wrong()


def equity(board, ranges):
    """The share of the first player if nobody bets again."""
    hole = holes(13)
    theirs = ends(board.tolist(), dict(zip(hole, ranges[1], strict=True)))
    left, won = (sum(ranges[0, hole_id(*h)] * theirs[h][i] for h in theirs) for i in (0, 1))
    return won / left


@pytest.mark.skipif(not DATA.exists(), reason=f"{DATA} is not there")
def test_solve__libratus_river():
    """Value and equity of ../shared/data/README.md; a solver of others found them."""
    board, pot, ranges = read_endgame(DATA)
    sizes = {"sizes": [[0.5, 1, "A"], [1, "A"]], "max_raises": 20, "max_players": 2}
    config = GameConfig(stacks=[20000] * 2, blinds=[0, 0], antes=[pot // 2] * 2, first=[0],
                        rounds=[sizes])  # fmt: skip
    game = endgame(tree_build.build(config), board, ranges)
    assert equity(board, ranges) == pytest.approx(0.54210, abs=1e-5)
    solver = RangeSolver(game).run(600)
    result = solver.nash_conv()
    assert result.total / 2 < 0.003 * pot  # the uniform strategy: 573 % of the pot
    assert result.values[0] + pot / 2 == pytest.approx(292.91, abs=0.2 + result.total / 2)
    assert RangeSolver(game).nash_conv().total / 2 > 5 * pot


def test_solve__from_the_exact_round_on_takes_no_buckets_and_all_boards():
    """The turn after two checks, on a small deck: as the solver alone, each hand on each river."""
    turn = holdem.subgame(2, holdem.RIVER[:4], [0, 0] * 2)
    few = holdem.SEARCH.model_copy(update={"vector_iterations": [20] * 4})
    config = holdem.with_player(few, exact_from=2)
    both = np.ones((2, holdem.HOLES))
    game = endgame(turn.tree, holdem.RIVER[:4], both, ranks=holdem.RANKS, every=True)
    expected = RangeSolver(game, DCFR_EXACT).run(20).strategy()
    exact = solve(holdem.problem(turn), config).average
    assert np.array_equal(exact[: len(expected)], expected)
    bucketed = solve(holdem.problem(turn), holdem.SEARCH).average
    assert np.abs(bucketed - exact).max() > 0.05


def test_solve__vector_boards_says_how_many_rivers_an_iteration_walks(monkeypatch):
    """The turn with buckets on a small deck, as the solver alone; 0 are all rivers."""
    turn, board, results = holdem.subgame(2, holdem.RIVER[:4], [0, 0] * 2), holdem.RIVER[:4], []
    problem = holdem.problem(turn)
    later = hands.later_buckets(board, problem.cards.buckets, holdem.RANKS, problem.cards.later)
    game = endgame(turn.tree, board, problem.beliefs[:2], later, holdem.RANKS, every=True)
    for boards, sample in ((0, ()), (1, (1,)), (3, (3,))):
        monkeypatch.setattr(all_hands, "VECTOR_BOARDS", boards)
        update = {"vector_iterations": [20] * 4}
        results.append(solve(problem, holdem.SEARCH.model_copy(update=update)).average)
        expected = RangeSolver(game, DCFR_DRAWN, sample, problem.seed).run(20).strategy()
        assert np.array_equal(results[-1][: len(expected)], expected), boards
    assert not any(np.array_equal(a, b) for a, b in itertools.combinations(results, 2))


FULL = np.random.default_rng(5).random((2, 1326))  # enough hands that two threads work at once


def wide_river():
    """A river of many parts."""
    sizes = {"sizes": [[0.25, 0.5, 1, 2, "A"], [0.5, 1, "A"]], "max_raises": 9, "max_players": 2}
    config = GameConfig(stacks=[2000] * 2, blinds=[0, 0], antes=[10, 10], first=[0], rounds=[sizes])
    return endgame(tree_build.build(config), "Qs8h5d2s7c", FULL), ()


def bucketed_turn():
    """Sixteen rivers an iteration, whose hands share the rows of buckets, and one part on each."""
    sizes = {"sizes": [[1, "A"]], "max_raises": 9, "max_players": 2}
    config = GameConfig(
        stacks=[3500] * 2, blinds=[0, 0], antes=[500] * 2, first=[0, 0], rounds=[sizes] * 2
    )
    few = np.tile(np.arange(1326) % 7, (48, 1))
    game = endgame(tree_build.build(config), "Qs8h5d2s", FULL, (None, few))
    assert len(game.public.round) == 2
    return game, (16,)


@pytest.mark.parametrize("make", [wide_river, bucketed_turn])
def test_solve__same_bits_where_threads_share_the_work(make):
    if numba.config.NUMBA_NUM_THREADS < 2:
        pytest.skip("one core")
    before, results = threads_in_use(), []
    for threads in (1, 2, 2):
        set_threads(threads)
        game, sample = make()
        assert len(game.public.decisions) * max((1, *sample)) > 200
        solver = RangeSolver(game, sample=sample, seed=3).run(20)
        results.append(solver.regret.tobytes() + solver.total.tobytes())
    set_threads(before)
    assert results[0] == results[1] == results[2]


def test_run__a_bucket_for_each_hand_of_a_river_of_parts_is_none():
    alone, _ = wide_river()
    own = np.arange(1326)[None]
    game = endgame(alone.tree, alone.board, FULL, (own,))
    assert len(game.public.round) > 1
    actual, expected = (RangeSolver(each, DCFR).run(5).strategy() for each in (game, alone))
    # Where two actions are worth the same, rounding decides.
    np.testing.assert_allclose(actual, expected, atol=2e-2)
    assert np.count_nonzero(np.abs(actual - expected) > 5e-3) < 10  # of 2,922,504


def test_solve__all_games_take_the_same_kernel():
    """Another order of memory would be another type, and half a minute more of compiling."""
    for game, _ in (wide_river(), bucketed_turn()):
        RangeSolver(game).run(1)
    at = list(inspect.signature(walk.learn.py_func).parameters).index("threads")
    threads = [signature[at] for signature in walk.learn.signatures]
    assert len(set(threads)) == len(threads) <= 2  # none for one thread, a number for more


def test_run__boards_alike_are_walked_once_with_the_same_result():
    """A flop of two suits that are alike, with ranges that do not tell them apart."""
    flop = [0, 4, 9]
    weight = np.random.default_rng(7).random((2, H))
    group = alike(np.array(flop), RANKS, [])
    assert len(group) == 2
    weight = sum(weight[:, renamed_holes(hole_cards(RANKS), suits)] for suits in group)
    few, whole = (
        RangeSolver(endgame(small_tree(3), flop, weight, (), RANKS, suits=suits), DCFR).run(3)
        for suits in (group, [SAME])
    )
    assert len(few.regret) < 0.8 * len(whole.regret)
    np.testing.assert_allclose(few.strategy(), whole.strategy(), atol=2e-4)
    np.testing.assert_allclose(few.nash_conv().gains, whole.nash_conv().gains, rtol=1e-3)
    node = few.game.tree.find((rules.CALL, rules.CALL))
    for card in (1, 2, 3, 5, 11):
        actual, expected = (solver.after(node, card).strategy() for solver in (few, whole))
        np.testing.assert_allclose(actual, expected, atol=2e-3)


def test_run__small_parts_of_boards_alike_have_the_same_result(monkeypatch):
    """Parts that no card is dealt before, on turns of which one stands for two."""
    flop, even = [0, 4, 9], np.ones((2, H))
    whole = RangeSolver(endgame(small_tree(3), flop, even, (), RANKS), DCFR).run(3)
    monkeypatch.setattr(tree_parts, "_NODES", 4)
    game = endgame(small_tree(3), flop, even, (), RANKS)
    assert not game.public.dealt[1:].all()
    assert len(game.suits) == 2
    parted = RangeSolver(game, DCFR).run(3)
    np.testing.assert_allclose(parted.strategy(), whole.strategy(), atol=2e-4)
    np.testing.assert_allclose(parted.nash_conv().gains, whole.nash_conv().gains, rtol=1e-3)


def test_run__first_buckets_that_tell_suits_apart_keep_them_apart():
    few = (np.arange(H)[None] % 7,)
    board = [0, 1, 4, 5]
    games = [endgame(small_tree(2), board, np.ones((2, H)), few, RANKS, suits=suits)
             for suits in (EVERY, [SAME])]  # fmt: skip
    actual, expected = (RangeSolver(game, DCFR).run(3).nash_conv() for game in games)
    np.testing.assert_allclose(actual.gains, expected.gains, rtol=1e-4)
    assert abs(actual.values.sum()) < 1e-4


def test_solver__refuses_input_that_tells_suits_apart_though_no_board_stands_for_others():
    """One flop of a suit, and all that is renamed are hands."""
    flops = Flops(np.array([[0, 4, 8]], np.int8), np.ones(1))
    suit, even = hole_cards(RANKS) & 3, np.ones((2, H))
    for own in (0, 1):
        even += (1 + own) * (suit == own).any(axis=1)
    game = endgame(small_tree(2), [], even, (), RANKS, final=3, flops=flops)
    assert len(game.suits) == 2
    assert not len(game.dealt[1].suits)
    frozen = [FrozenRow(0, hole_id(2, 6), np.array([1.0, 0.0, 0.0]))]
    with pytest.raises(ValueError, match="wanted a game laid out with their kept_suits"):
        RangeSolver(game, frozen=frozen)


def test_solver__refuses_input_that_tells_apart_boards_of_which_one_is_walked():
    flop, even = [0, 4, 9], np.ones((2, H))
    game = endgame(small_tree(3), flop, even, (), RANKS)
    known, odd = np.zeros(H), np.arange(H, dtype=float)
    RangeSolver(game, alternative=Alternative(0, known))
    frozen = [FrozenRow(0, hole_id(1, 2), np.array([1.0, 0.0, 0.0]))]
    for more in ({"frozen": frozen}, {"alternative": Alternative(0, odd)}):
        with pytest.raises(ValueError, match="wanted a game laid out with their kept_suits"):
            RangeSolver(game, **more)
        suits = kept_suits(game.board, RANKS, **more)
        assert suits == [SAME]
        RangeSolver(endgame(small_tree(3), flop, even, (), RANKS, suits=suits), **more)
