"""The first round solved with kept values, as the blueprint's tree has it."""

import itertools

import numpy as np
import pytest

from search.holdem import RANKS, small_run
from search.solvers.first_round_values import NO_BOARD, drawn, first_round_game, whole_round
from sixmax.betting.tree import n_actions, round_of, seat_of
from sixmax.cfr.layout import infoset, section
from sixmax.cfr.methods import DCFR
from sixmax.search.solvers.limited.hands import hands_on
from sixmax.search.solvers.limited.solver import LimitedSolver
from sixmax.self_generated.trunk import range_at, solve

pytestmark = pytest.mark.usefixtures("one_thread")


def first(number):
    """The first values of those drawn."""
    return drawn()._replace(chips=drawn().chips[:, :number])


@pytest.mark.parametrize("chooser", [0, 1])
def test_solve__a_player_with_more_to_choose_from_wins_more(chooser):
    run, _ = small_run(2)
    one, two, three = (solve(run, first(n), chooser, 1500).value for n in (1, 2, 3))
    assert one + 5 < two < three - 2  # chips


@pytest.mark.parametrize("chooser", [0, 1])
def test_solve__has_the_rows_of_the_one_who_does_not_choose(chooser):
    run, _ = small_run(2)
    rows, us = solve(run, first(2), chooser, 100).strategy, 1 - chooser
    _, game = first_round_game(2, 1 << chooser)
    expected = LimitedSolver(game, np.ones((2, len(game.hands.of_hole))), DCFR).run(100)
    subgame = whole_round(2, 1 << chooser).tree
    assert len(rows) == run.layout.start[1]
    assert not rows[section(run.layout, 0, chooser)].any()
    for x in np.flatnonzero(round_of(run.tree.node[:, 0]) == 0):
        head = int(run.tree.node[x, 0])
        if not n_actions(head) or seat_of(head) != us:
            continue
        at = infoset(run.layout, 0, us, np.arange(RANKS**2), run.tree.node[x, 2])
        row = rows[at[:, None] + np.arange(n_actions(head))]
        at_node = game.first[subgame.find(run.tree.path(int(x)))]
        same = expected.strategy()[at_node : at_node + n_actions(head)].T
        np.testing.assert_allclose(row, same)  # a class is a bucket of the run
    assert rows.std() > 0.1, "hands that differ play alike"


def test_solve__of_another_tree_than_the_blueprint_s_is_refused():
    run, _ = small_run(2)
    action = run.tree.action.copy()
    action[run.tree.node[0, 1] + 2] += 1
    with pytest.raises(ValueError, match="other actions than the blueprint's"):
        solve(run._replace(tree=run.tree._replace(action=action)), first(2), 0, 1)


def test_range_at__is_the_product_of_the_rows_on_the_way():
    run, policy = small_run(2)
    hands = hands_on(NO_BOARD, run.buckets, RANKS)
    for node in drawn().node:
        for seat in (0, 1):
            actual, expected = range_at(run, policy, hands, int(node), seat), np.ones(RANKS**2)
            taken = run.tree.path(int(node))
            way = [run.tree.find(taken[:k]) for k in range(len(taken) + 1)]
            for x, y in itertools.pairwise(way):
                head = int(run.tree.node[x, 0])
                if seat_of(head) != seat:
                    continue
                place = list(run.tree.children(x)).index(y)
                for c in range(RANKS**2):
                    at = int(infoset(run.layout, 0, seat, c, run.tree.node[x, 2]))
                    row = policy[at : at + n_actions(head)].astype(float)
                    expected[c] *= row[place] / row.sum()
            np.testing.assert_allclose(actual, expected * np.bincount(hands.of_hole))
