"""The losses of searches: held to strategies that are frozen and walked."""

import json

import numpy as np
import pytest
from benchmarks import exact_round, search_loss
from benchmarks.exact_round import Decision, Exact, exact, loss
from benchmarks.search_loss import Case, searched
from benchmarks.search_of_three import Answers, Three

from commands import called
from search.holdem import RANKS, RIVER, SEARCH, flop, problem, subgame
from sixmax.cfr.methods import DCFR, DCFR_DRAWN
from sixmax.cfr.policy import shares
from sixmax.search.constraints import FrozenRow
from sixmax.search.solvers import all_hands
from sixmax.search.solvers.ranges.boards import SAME
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.search.solvers.sampled import Effort, solve_for

FLOP, CALLED = np.array([0, 5, 9], np.int8), (0, 0)


@pytest.fixture(scope="module")
def solved():
    """A flop of two players, its game, and its solution after a few iterations."""
    asked = problem(subgame(2, FLOP, CALLED))
    game = endgame(asked.subgame.tree, FLOP, asked.beliefs, (), RANKS, suits=[SAME])
    return asked, game, exact(RangeSolver(game, DCFR).run(40), [0.0, 40, 0.0])


def at_random(game, seed):
    """Rows drawn at random at the decisions of the round."""
    weight = np.random.default_rng(seed).random(game.layout.size) ** 4
    rows = exact_round.rows_of(game.tree, game.layout, weight)
    return {path: (of, row / row.sum(1, keepdims=True)) for path, (of, row) in rows.items()}


@pytest.mark.parametrize("player", [0, 1])
def test_loss__is_that_of_the_frozen_rows_in_a_walk(solved, player):
    _, game, answer = solved
    rows = at_random(game, player)
    if player:  # a decision less: the exact solution plays there
        del rows[min(rows, key=len)]
    solver = RangeSolver(game, DCFR).run(40)
    frozen = [
        FrozenRow(game.tree.find(d.path), int(hole), row)
        for d in answer.own(player)
        for hole, row in zip(answer.hole[player], exact_round.played(answer, d, rows), strict=True)
    ]
    before = solver.nash_conv().values[player]
    twin = RangeSolver.of_average(game, DCFR, solver.total.copy(), 40)
    twin.frozen = RangeSolver(game, DCFR, frozen=frozen).frozen
    expected = before - twin.nash_conv().values[player]
    assert abs(expected) > 5
    assert loss(answer, rows, player) == pytest.approx(expected, abs=0.01)


def test_loss__of_the_exact_solution_and_of_no_rows_is_zero(solved):
    _, game, answer = solved
    solver = RangeSolver(game, DCFR).run(40)
    own = exact_round.rows_of(game.tree, game.layout, solver.strategy())
    assert [loss(answer, rows, k) for rows in ({}, own) for k in (0, 1)] == pytest.approx([0] * 4)


@pytest.mark.parametrize("player", [0, 1])
def test_answered__one_who_answers_wins_more_from_rows_at_random(solved, player):
    _, game, answer = solved
    solver = RangeSolver(game, DCFR).run(60)
    free = exact_round.sure(solver.nash_conv(), player)
    own = exact_round.rows_of(game.tree, game.layout, solver.strategy())
    lost = [
        free - exact_round.sure(exact_round.answered(game, answer, rows, player, 60), player)
        for rows in (own, at_random(game, player))
    ]
    assert abs(lost[0]) < 1
    assert lost[1] > max(20, loss(answer, at_random(game, player), player))


def test_frequencies__of_a_round_by_hand():
    """Two hands each; the bet of 100 meets a raise of 300, and so does the one after a check."""
    first, second = np.array([0.6, 0.4]), np.array([0.5, 0.5])

    def at(path, player, offered, *rows):
        return Decision(path, player, offered, np.array(rows), np.zeros((2, len(offered))))

    of = Exact([np.arange(2)] * 2, [first, second], [
        at((), 0, [0, 100], [0.5, 0.5], [1.0, 0.0]),
        at((0,), 1, [0, 100], [0.2, 0.8], [0.4, 0.6]),
        at((100,), 1, [-1, 0, 300], [0.1, 0.6, 0.3], [0.5, 0.4, 0.1]),
        at((0, 100), 0, [-1, 0, 300], [0.0, 0.0, 1.0], [0.9, 0.1, 0.0]),
    ], np.zeros(3))  # fmt: skip
    actual = exact_round.frequencies(of, {})
    after = np.array([0.3, 0.4]) / 0.7  # of the first player's hands, those that checked
    assert actual == pytest.approx({
        "bet": 0.3, "bet after a check": 0.7,
        "raise": (0.2 + after[0]) / 2, "fold": (0.3 + 0.9 * after[1]) / 2,
    })  # fmt: skip


def test_apart__is_the_share_of_hands_that_act_otherwise_by_hand():
    shares, value = [np.array([0.6, 0.2]), np.array([0.5, 0.5])], np.zeros((2, 2))
    rows = np.array([[0.5, 0.5], [1.0, 0.0]])
    of = Exact([np.arange(2)] * 2, shares, [
        Decision(path, player, [0, 100], rows, value)
        for path, player in (((), 0), ((0,), 1), ((100,), 1))
    ], np.zeros(3))  # fmt: skip
    other = {(): ([0, 100], np.array([[0.1, 0.9], [0.7, 0.3]])), (100,): ([0], np.ones((2, 1)))}
    expected = (0.75 * 0.4 + 0.25 * 0.3 + 0) / 2
    assert exact_round.apart(of, {}, other) == pytest.approx(expected)
    assert exact_round.apart(of, other, other) == 0


def test_read__is_as_kept(solved, tmp_path):
    answer = solved[2]
    exact_round.keep(tmp_path / "a" / "1.npz", answer)
    again = exact_round.read(tmp_path / "a" / "1.npz")
    for d, expected in zip(again.decisions, answer.decisions, strict=True):
        assert d[:3] == expected[:3]
        assert np.array_equal(d.rows, expected.rows)
        assert np.array_equal(d.value, expected.value)
    for of in ("hole", "share"):
        assert all(map(np.array_equal, getattr(again, of), getattr(answer, of)))


def test_searched__is_the_search_of_a_run(solved):
    """The case with nothing changed is what a player does."""
    asked = solved[0]
    config = SEARCH.changed(buckets=0, vector_iterations=[100, 30, 100, 100])
    expected = all_hands.solve(asked, config)
    actual, _ = searched(asked, Case(iterations=30))
    of = exact_round.rows_of(expected.tree, expected.layout, expected.average)
    for path, (_, rows) in of.items():
        assert np.array_equal(actual["average"][path][1], rows)


@pytest.mark.parametrize(("known", "expected"), [(3, (2, 4)), (4, (4,))])
def test_searched__draws_so_many_turns_and_rivers_of_each(monkeypatch, known, expected):
    samples = []

    def solver(game, method, sample, seed):
        samples.append(sample)
        return RangeSolver(game, method, sample, seed)

    monkeypatch.setattr(search_loss, "RangeSolver", solver)
    asked = problem(subgame(2, RIVER[:known], (0, 0) * (known - 2)))
    searched(asked, Case(iterations=1, boards=(2, 4)))
    assert samples == [expected]


def test_search__loses_less_with_drawn_boards_than_by_dcfr(solved):
    """DCFR halves negative regrets in each iteration, and a losing action comes back."""
    asked, game, _ = solved
    answer = exact(RangeSolver(game, DCFR).run(200), [0.0, 200, 0.0])
    lost = {}
    for method in (DCFR, DCFR_DRAWN):
        played = [searched(asked._replace(seed=seed), Case(method, 100))[0] for seed in range(6)]
        for which in ("average", "last"):
            each = [loss(answer, rows[which], p) for rows in played for p in (0, 1)]
            lost[method.title, which] = np.mean(each)
    for which in ("average", "last"):
        assert 0 < lost[DCFR_DRAWN.title, which] < 0.8 * lost[DCFR.title, which], lost


def test_main__measures_a_turn_of_a_packed_run(tmp_path):
    out, kept = tmp_path / "turn.json", tmp_path / "kept"
    asked = ["starter.sixmax", "--round", "2", "--spots", "1", "--most", "20", "--answers", "5"]
    asked += ["--case", "search", "--kept", str(kept), "--out", str(out)]
    called(*asked, on=search_loss.main)
    first = json.loads(out.read_text())
    called(*asked, on=search_loss.main)
    again = json.loads(out.read_text())
    names = {"blueprint", "search: average", "search: last"}
    assert set(first[0]["loss"]) == set(first[0]["answered"]) == set(first[0]["check"]) == names
    assert set(first[0]["frequencies"]) == names | {"exact"}
    assert all(0 <= p <= 1 for of in first[0]["frequencies"].values() for p in of.values())
    first[0].pop("seconds"), again[0].pop("seconds")
    assert first == again  # the kept solution is read


@pytest.fixture(scope="module")
def three():
    return Three(problem(flop()))


def three_at_random(three):
    weight = np.random.default_rng(1).random(three.layout.size) ** 4
    return three.table(shares(three.tree, three.layout, weight))


def test_values__of_the_players_add_up_to_nothing(three):
    rows = three_at_random(three)
    won = [three.values(rows, seat, 1, 0, 500) for seat in three.seats]
    assert all(chips.std() > 50 for chips in won)
    np.testing.assert_allclose(sum(won), 0, atol=1e-9)
    again = np.concatenate([three.values(rows, 1, 1, k, 250) for k in (0, 250)])
    assert np.array_equal(again, won[1])


def test_loss__of_rows_at_random_is_large_and_of_a_long_search_and_a_response_next_to_nothing(
    three,
):
    """In chips of a pot of 300, the mean of the players."""
    effort, random = Answers(20_000, 20_000, 1), three_at_random(three)
    searched = three.table(solve_for(three.problem, Effort(50_000)).average)
    of_random, of_search = (
        np.mean([three.loss(rows, seat, effort)[0] for seat in three.seats])
        for rows in (random, searched)
    )
    assert of_random > 100
    assert abs(of_search) < 15
    again, error = three.loss(three.response(random, 0, 20_000, 1), 0, effort)
    assert abs(again) < 25
    assert 0 < error < 10
