"""An opponent who chooses how to go on, held to a walk of one hand at a time."""

import numpy as np
import pytest

from search.holdem import RANKS
from search.solvers.limited.test_flop import limited_flop
from sixmax.cards.deck import hole_cards
from sixmax.cfr.methods import CFR
from sixmax.errors import UserError
from sixmax.evaluation.search_gain.chooser import win, wins
from sixmax.game.tree import n_actions, path, seat_of
from sixmax.search.solvers.limited.solver import LimitedSolver, round_game

pytestmark = pytest.mark.usefixtures("one_thread")
CARDS = hole_cards(RANKS)
ENOUGH = {"roll_outs": 3000, "limited_iterations": 100, "average": True}


def searched(seat, values):
    """A flop from ``seat`` on, and its search with so many values; None: all."""
    at = limited_flop(seat, leaf_values=values, **ENOUGH)
    return at, at.search()


class Walk:
    """The chips of one hand of ``me`` by the games of response and score, other hands in a row."""

    def __init__(self, games, tree, solved, me):
        self.games, self.tree, self.solved, self.me = games, tree, solved, me
        self.hands = games[0].hands

    def apart(self, hand):
        mine = CARDS[self.hands.hole[hand]]
        return ~np.isin(CARDS[self.hands.hole], mine).any(axis=1)

    def end(self, game, x, hand):
        for number, row in ((game.folds, game.kept), (game.shown, game.tie)):
            if len(at := np.flatnonzero(number == x)):
                chips = np.full(len(self.hands.hole), row[self.me, at[0]])
                if number is game.shown:
                    chips = chips + game.win[self.me, at[0]] * game.lead[hand]
                return chips
        table = game.tables[self.me, list(game.leaves).index(x)]
        return table[self.hands.of, self.hands.of[hand]]

    def value(self, x, hand, weight):
        """By both games, of the response of the first: chips times ``weight``, summed."""
        if self.games[0].first[x] < 0:
            return [float(weight @ self.end(game, x, hand)) for game in self.games]
        head, first = int(self.tree.node[x, 0]), int(self.tree.node[x, 1])
        below = range(n_actions(head))
        if seat_of(head) == self.me:
            return max((self.value(first + a, hand, weight) for a in below), key=lambda v: v[0])
        rows = self.solved.play(tuple(path(self.tree, x))).played[self.hands.hole]
        values = [self.value(first + a, hand, weight * rows[:, a]) for a in below]
        return np.sum(values, axis=0).tolist()


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("values", [1, 2])
def test_win__is_that_of_a_walk_hand_by_hand(seat, values):
    (full, result), (_, few) = searched(seat, None), searched(seat, values)
    position, me = full.position(), 1 - seat
    problem = full._searcher.problem(position, (), 3)
    games = [round_game(problem._replace(seed=s), 500) for s in (4, 5)]
    solvers = [LimitedSolver(game, position.beliefs, CFR) for game in games]
    assert (result.tree.action == problem.subgame.tree.action).all()
    walk = Walk(games, problem.subgame.tree, few, me)
    chips = mass = 0.0
    for hand, prior in enumerate(solvers[0].prior[me]):
        weight = solvers[0].prior[seat] * walk.apart(hand)
        chips += prior * walk.value(0, hand, weight)[1]
        mass += prior * weight.sum()
    actual = win(*solvers, problem.subgame.tree, few, me)
    assert actual == pytest.approx(chips / mass, rel=1e-5)


def test_wins__an_opponent_who_chooses_wins_more_from_one_value():
    hand, few = limited_flop(**ENOUGH), limited_flop(leaf_values=1, **ENOUGH)._searcher
    one, four = wins(few, hand._searcher, hand, 3000, 3)
    same, again = wins(few, hand._searcher, hand, 3000, 3)
    assert (one, four) == (same, again)
    assert one > four + 5


def test_wins__wants_fewer_values_than_all():
    hand, few = limited_flop(**ENOUGH), limited_flop(leaf_values=4, **ENOUGH)._searcher
    with pytest.raises(UserError, match="found 4 values at a leaf; wanted fewer"):
        wins(few, hand._searcher, hand, 100, 3)
