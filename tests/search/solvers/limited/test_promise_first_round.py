"""Promises of the first round, and the flops that begin with them."""

import numpy as np
import pytest

from search.holdem import RANKS, leaves, small_run
from search.solvers.first_round_values import drawn, first_round_game, whole_round
from search.solvers.limited.called_flop import FLOP, on_the_flop
from sixmax.cards.deck import hole_cards, parse_cards
from sixmax.cfr.methods import CFR_PLUS
from sixmax.game.rules import CALL
from sixmax.game.tree import find, n_actions, seat_of
from sixmax.play.lookup import blueprint_buckets, blueprint_rows
from sixmax.search.solvers.limited import solver
from sixmax.search.solvers.limited.promise import promised
from sixmax.search.solvers.problem import Problem

pytestmark = pytest.mark.usefixtures("one_thread")
CARDS = hole_cards(RANKS)


@pytest.mark.parametrize("chooser", [0, 1])
def test_promise__of_the_first_round_is_the_worth_of_the_choice_over_the_blueprint(chooser):
    subgame, (_, game) = whole_round(3, 1 << chooser), first_round_game(3, 1 << chooser)
    beliefs = np.random.default_rng(3).random((2, RANKS**2))[:, game.hands.of_hole]
    solved = solver.LimitedSolver(game, beliefs, CFR_PLUS).run(20)
    strategy, leaf = solved.strategy(), int(game.leaves[3])
    node = int(subgame.tree.parent[leaf])
    problem = Problem(subgame, beliefs, leaf_values=leaves(2))
    me, values, _, over = promised(problem, game, solved.prior, strategy, node, -1)
    other, weight = 1 - chooser, solved.prior[1 - chooser].copy()
    x = node
    while (before := int(subgame.tree.parent[x])) >= 0:
        if seat_of(int(game.node[before, 0])) == other:
            weight *= strategy[game.first[before] + x - int(game.node[before, 1])]
        x = before
    tables = game.tables[chooser, [list(game.leaves).index(leaf + k) for k in range(3)]]
    facing = weight[:, None] * game.hands.apart
    won = (tables * facing).sum(axis=1) / facing.sum(axis=0)
    expected = won.max(axis=0) - won[0]
    assert (me, over) == (chooser, True)
    assert expected.max() > 10
    np.testing.assert_allclose(values, expected[game.hands.of_hole], rtol=1e-6, atol=1e-6)


def blueprint_value(problem, game, x, me, hands):
    """Chips of ``me`` with a pair of ``hands`` if both play the blueprint's rows from ``x`` on."""
    rows = {start.node: start.rows for start in problem.warm_start()}
    mine, other = hands
    for kind in ("folds", "shown", "leaves"):
        at = np.flatnonzero(getattr(game, kind) == x)
        if len(at) and kind == "folds":
            return game.kept[me, at[0]]
        if len(at) and kind == "shown":
            return game.tie[me, at[0]] + game.win[me, at[0]] * game.lead[mine, other]
        if len(at):
            return game.tables[me, at[0], game.hands.of[other], game.hands.of[mine]]
    first, n = int(game.node[x, 1]), n_actions(int(game.node[x, 0]))
    if x not in rows:  # a leaf: the blueprint goes on
        return blueprint_value(problem, game, first, me, hands)
    hole = game.hands.hole[mine if seat_of(int(game.node[x, 0])) == me else other]
    chances = rows[x][hole]
    values = [blueprint_value(problem, game, first + a, me, hands) for a in range(n)]
    return float(chances[:n] @ values)


@pytest.mark.parametrize("me", [0, 1])
def test_flop__begins_with_the_blueprints_play_and_the_promise_of_the_first_round(monkeypatch, me):
    calls, alternative_of = [], solver._alternative

    def noted(problem, game):
        calls.append((problem, game, alternative_of(problem, game)))
        return calls[-1][-1]

    monkeypatch.setattr(solver, "_alternative", noted)
    hand = on_the_flop(me, first=0, limited=[0, 1], kept=drawn())
    hand.play()
    problem, game, alternative = calls[-1]
    before, card = hand.rounds[0].result.links[0].solved, int(parse_cards(FLOP, RANKS)[-1])
    more = before.solution.promised(find(before.tree, (CALL, CALL)), card)
    assert problem.alternative.over_blueprint
    assert more.over_blueprint
    assert np.ptp(more.values) > 10
    cards = CARDS[game.hands.hole]
    for mine in (3, 40, 120):
        total, mass = 0.0, 0.0
        for other, hole in enumerate(game.hands.hole):
            if not set(cards[mine]) & set(cards[other]):
                weight = problem.beliefs[1 - me, hole]
                total += weight * blueprint_value(problem, game, 0, me, (mine, other))
                mass += weight
        expected = total / mass + more.values[game.hands.hole[mine]]
        assert alternative.values[game.hands.hole[mine]] == pytest.approx(expected, abs=0.01)
    run, policy = small_run(2)
    bucket = blueprint_buckets(run, parse_cards(FLOP, RANKS))
    rows = blueprint_rows(run, policy, find(run.tree, (CALL, CALL)), bucket)
    np.testing.assert_array_equal(next(iter(problem.warm_start())).rows, rows)


@pytest.mark.parametrize("me", [0, 1])
def test_flop__begins_unsafely_where_the_blueprint_lacks_a_decision(monkeypatch, me):
    problems, alternative_of = [], solver._alternative
    noted = lambda problem, game: problems.append((problem, game))  # noqa: E731
    monkeypatch.setattr(solver, "_alternative", noted)
    hand = on_the_flop(me, first=0, limited=[0, 1], kept=drawn())
    hand.play()
    problem, game = problems[-1]
    assert alternative_of(problem, game) is not None
    fewer = list(problem.warm_start())[1:]
    assert alternative_of(problem._replace(warm_start=lambda: fewer), game) is None
