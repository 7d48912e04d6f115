"""An opponent who chooses how to go on, held to a walk of one hand at a time."""

import numpy as np
import pytest

from search.holdem import RANKS, first_round_game, small_run, whole_round, with_player
from search.solvers.limited.test_flop import CONFIG, limited_flop
from sixmax.base.errors import UserError
from sixmax.base.rng import child
from sixmax.betting.tree import n_actions, seat_of
from sixmax.cards.deck import hole_cards
from sixmax.cfr.methods import CFR, CFR_PLUS
from sixmax.evaluation.search_gain import chooser as stage
from sixmax.evaluation.search_gain.chooser import chooser, mean_wins, response_win
from sixmax.search.config import SearchSettings
from sixmax.search.result import Solution
from sixmax.search.solvers.limited.solver import LimitedSolver, _by_hole, round_game

pytestmark = pytest.mark.usefixtures("one_thread")
CARDS = hole_cards(RANKS)
MORE = CONFIG.model_copy(update={"roll_outs": 3000, "vector_iterations": [100] * 4})


def searched(seat, values):
    """A flop from ``seat`` on, and its search with so many values; None: all."""
    at = limited_flop(seat, leaf_values=values, config=MORE)
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
        rows = self.solved.play(tuple(self.tree.path(x))).rows[self.hands.hole]
        values = [self.value(first + a, hand, weight * rows[:, a]) for a in below]
        return np.sum(values, axis=0).tolist()


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("values", [1, 2])
def test_response_win__is_that_of_a_walk(seat, values):
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
    actual = response_win(*solvers, problem.subgame.tree, few, me)
    assert actual == pytest.approx(chips / mass, rel=1e-5)


def test_mean_wins__are_of_both_seats_by_one_sample_that_chooses_and_one_that_scores():
    hand, few = limited_flop(config=MORE), limited_flop(leaf_values=1, config=MORE)._searcher
    full, expected = hand._searcher, np.zeros(2)
    for seat in (0, 1):
        position = hand.copy(seat).position()
        problem = full.problem(position, (), 3)
        beliefs = position.beliefs
        games = [
            LimitedSolver(round_game(problem._replace(seed=s), 3000), beliefs, CFR)
            for s in (int(child(3, "response")), int(child(3, "score")))
        ]
        solved = [search(position, (), 3) for search in (few, full)]
        expected += [response_win(*games, problem.subgame.tree, s, 1 - seat) for s in solved]
    one, four = mean_wins(few, full, hand, 3000, 3)
    assert [one, four] == pytest.approx(expected / 2, rel=1e-9)
    assert one > four + 5, "one value leaves more to an opponent who chooses"
    other = mean_wins(few, full, hand, 300, 3)
    assert abs(other[1] - four) > 0.1, "so many deals are rolled out"


def test_mean_wins__wants_fewer_values_than_all():
    hand, few = limited_flop(config=MORE), limited_flop(leaf_values=4, config=MORE)._searcher
    with pytest.raises(UserError, match="found 4 values at a leaf; wanted fewer"):
        mean_wins(few, hand._searcher, hand, 100, 3)


@pytest.mark.parametrize("seat", [0, 1])
def test_response_win__before_the_flop_is_the_best_response_by_class(seat):
    """With one game for both roles it is the value of a best response in the solver's own game."""
    (_, game), tree = first_round_game(3, 1 << (1 - seat)), whole_round(3, 1 << (1 - seat)).tree
    beliefs = np.random.default_rng(3).random((2, RANKS**2))[:, game.hands.of_hole]
    solved = LimitedSolver(game, beliefs, CFR_PLUS).run(20)
    rows = _by_hole(whole_round(3, 1 << (1 - seat)), game, solved.strategy())
    layout = whole_round(3, 1 << (1 - seat)).layout
    result = Solution(tree, layout, rows, rows, 20, lambda node, best: None)
    roles = [LimitedSolver(game, beliefs, CFR) for _ in range(2)]
    chips, left = solved.values(1 - seat, best=True)
    expected = chips @ solved.prior[1 - seat] / (left @ solved.prior[1 - seat])
    assert response_win(*roles, tree, result, 1 - seat) == pytest.approx(expected, rel=1e-9)
    own, _ = solved.values(1 - seat)
    assert expected > own @ solved.prior[1 - seat] / (left @ solved.prior[1 - seat]) + 0.01


@pytest.mark.parametrize(
    ("in_round", "hands", "changes", "wanted"),
    [
        (2, 4, {}, r"--round 2: wanted a round with which searches end; player "),
        (1, None, {}, "--round 1, --hands None: wanted hands on flop or turn"),
        (1, 4, {"leaf_values": 2}, "has 2 values at a leaf: wanted all"),
        (0, 2, {"limited": (0, 1)}, "none before the flop, where all hands begin alike"),
    ],
)
def test_chooser__refuses(tmp_path, monkeypatch, in_round, hands, changes, wanted):
    run, _ = small_run(2)
    monkeypatch.setattr(stage, "open_run", lambda folder: run)
    config = with_player(CONFIG, **changes).model_copy(update={"first": in_round})
    with pytest.raises(UserError, match=wanted):
        chooser(
            tmp_path, SearchSettings(config), in_round, 1, hands, 100, 1, 1, tmp_path / "out.json"
        )
