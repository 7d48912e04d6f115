"""Promises of leaves: against walks of pairs of hands, and in the searches that hold them."""

import functools

import numpy as np
import pytest

from search.holdem import HOLES, RANKS, SEARCH, leaves, small_run
from search.solvers.first_round_values import drawn, first_round_game, whole_round
from sixmax.cards.deck import holds, hole_cards, hole_id, parse_cards
from sixmax.cards.evaluate import rank_holes
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CFR_PLUS
from sixmax.continuation.generate import biased, probabilities
from sixmax.game.rules import CALL
from sixmax.game.tree import DECISION, FOLDED, find, kind_of, n_actions, round_of, seat_of
from sixmax.play.lookup import blueprint_buckets
from sixmax.search.public_hand import PublicHand
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.limited import solver
from sixmax.search.solvers.limited.promise import promised
from sixmax.search.solvers.problem import Problem, strategy_at

pytestmark = pytest.mark.usefixtures("one_thread")
FLOP, TURN = "AhKd9c", "Td"
CARDS = hole_cards(RANKS)
ME = 0  # the opponent, who chooses; seat 1 searches
CONFIG = SEARCH.model_copy(
    update={
        "buckets": 0, "limited": [1], "choosers": "opponents", "roll_outs": 3000,
        "limited_iterations": 30, "exact_from": 2, "nested": "resolve", "average": True,
    }
)  # fmt: skip


def on_the_flop(kept=None, **changes):
    """Two players called; ``kept`` are the values of the first round, where it is searched."""
    run, policy = small_run(2)
    config = CONFIG.model_copy(update=changes)
    own = Searcher(run, policy, config, packed=leaves(2).packed, continuations=biased(policy, 5.0))
    own.leaf_game = own.leaf_game._replace(first_round=kept)
    hand = PublicHand(run, policy, config, own, seed=7, seat=1 - ME)
    hand.act(CALL)
    hand.act(CALL)
    hand.deal(FLOP)
    return hand


class Walk:
    """Chips of ME with one hand against one other, by recursion over the blueprint's tree."""

    def __init__(self, k):
        self.run, policy = small_run(2)
        four = biased(policy, 5.0)
        mine, other = probabilities(self.run.tree, self.run.layout, [four[k], four[0]])
        self.table, self.buckets = {ME: mine, 1 - ME: other}, {}

    def value(self, x, board, hands):
        node = self.run.tree.node
        head, pot, chips = (int(k) for k in node[x, :3])
        if kind_of(head) == FOLDED:
            return (pot - chips) * (1 if seat_of(head) == ME else -1)
        ended = kind_of(head) != DECISION
        if len(board) == 4 and (ended or round_of(head) == 3):
            return float(np.mean([self.value(x, full, hands) for full in rivers(board, hands)]))
        if ended:
            return chips * winner(board, hands)
        seat, n = seat_of(head), n_actions(head)
        bucket = self.bucket(board)[hands[seat]]
        at = int(infoset(self.run.layout, round_of(head), seat, bucket, int(node[x, 2])))
        chances, first = self.table[seat][at : at + n], int(node[x, 1])
        return sum(p * self.value(first + a, board, hands) for a, p in enumerate(chances))

    def bucket(self, board):
        if board not in self.buckets:
            self.buckets[board] = blueprint_buckets(self.run, np.array(board, np.int8))
        return self.buckets[board]


def rivers(board, hands):
    """The full boards that may come where both hands are known."""
    held = {int(c) for h in hands for c in CARDS[h]}
    return [(*board, c) for c in range(4 * RANKS) if c not in held and c not in board]


@functools.cache
def ranks_on(board):
    rank = np.empty(HOLES, np.int32)
    rank_holes(np.array(board, np.int8), RANKS, rank)
    return rank


def winner(board, hands):
    """1 where ME wins, -1 where it loses, else 0."""
    rank = ranks_on(board)
    return int(np.sign(int(rank[hands[ME]]) - int(rank[hands[1 - ME]])))


def at_a_leaf(actions, **changes):
    """The solution of the flop that ends with ``actions``, its leaf, the other's hands there."""
    hand = on_the_flop(**changes)
    for action in actions:
        hand.act(action)
    link = hand.search().links[-1]
    node = find(link.solved.tree, actions[link.begin :])
    return link.solved, node, hand.now()[1 - ME]


def expected_chips(solved, node, there, hole):
    """Net chips of ``hole`` on TURN by the twin, in the blueprint's game."""
    tree, solution = solved.tree, solved.solution
    start = int(tree.node[tree.node[node, 1], 2])
    board = tuple(int(c) for c in parse_cards(FLOP + TURN, RANKS))
    shares = strategy_at(tree, solution.layout, solution.average, node)[hole]
    total, mass = 0.0, 0.0
    for other in np.flatnonzero(there):
        known = {*CARDS[hole].tolist(), *CARDS[other].tolist(), *board}
        if len(known) < 8:
            continue
        hands = (hole, int(other)) if ME == 0 else (int(other), hole)
        chips = [walk.value(start, board, hands) for walk in walks()]
        total, mass = total + there[other] * (shares @ chips), mass + there[other]
    return total / mass


@functools.cache
def walks():
    return [Walk(k) for k in range(4)]


HELD = ("AcAd", "JhQh", "9sTc")


# The actions of the flop; in the blueprint's game the chips of each, and the real pot over its pot:
OF_LEAVES = [((CALL, CALL), 100, 1.0), ((250, CALL), 250, 1.0), ((CALL, 217, CALL), 250, 434 / 500)]


@pytest.mark.parametrize(("actions", "mine", "ratio"), OF_LEAVES)
def test_values__of_a_leaf_on_a_card_are_those_of_pairs_of_hands(actions, mine, ratio):
    solved, node, there = at_a_leaf(actions)
    card = int(parse_cards(TURN, RANKS)[0])
    actual = solved.solution.promised(node, card).values
    assert np.isnan(actual[holds(np.array([card], np.int8), RANKS)]).all()
    put = solved.tree.contributed[solved.tree.node[solved.tree.node[node, 1], 1], ME]
    for text in HELD:
        hole = hole_id(*parse_cards(text, RANKS))
        won = expected_chips(solved, node, there, hole)
        assert actual[hole] == pytest.approx((won + mine) * ratio - put, abs=0.01), text
    assert np.nanstd(actual) > 20


def on_the_turn(**changes):
    """The turn after two checks on the flop, and the positions of its searches."""
    hand, positions = on_the_flop(**changes), []
    searcher = hand._searcher
    hand._searcher = lambda at, *rest: positions.append(at) or searcher(at, *rest)
    hand.act(CALL)
    hand.act(CALL)
    hand.deal(TURN)
    hand.play()
    return hand, positions


def test_turn__begins_with_the_promise_of_the_flop():
    """The alternative of each hand is its leaf's value; less is won above it than unsafely."""
    hand, (flop, turn) = on_the_turn()
    card = int(parse_cards(TURN, RANKS)[0])
    assert flop.alternative is None
    seat, values, *others = turn.alternative
    assert (seat, others) == (ME, ["resolve", False])
    first = hand.rounds[1].result.links[0].solved
    promised, over_blueprint = first.solution.promised(find(first.tree, (CALL, CALL)), card)
    assert not over_blueprint
    known = np.isfinite(promised)
    assert known.sum() == 190
    np.testing.assert_array_equal(values[known], promised[known])
    apart = ~(CARDS[:, None, :, None] == CARDS[None, :, None, :]).any(axis=(2, 3))
    left, above = apart @ turn.beliefs[1 - ME], []
    for solved in (hand.search().links[0].solved, hand._solve(2, None, 0, ())):
        best = solved.solution.values_at(0, best=True)[ME]
        above.append((left * np.maximum(best - promised, 0))[known].sum())
    assert above[0] < 0.99 * above[1]


def test_turn__begins_unsafely_where_both_chose():
    hand, (flop, turn) = on_the_turn(choosers="all")
    assert turn.alternative is None
    first = hand.rounds[1].result.links[0].solved
    with pytest.raises(ValueError, match="where one player chooses"):
        first.solution.promised(find(first.tree, (CALL, CALL)), 0)


@pytest.mark.parametrize("chooser", [0, 1])
def test_promise__of_the_first_round_is_the_worth_of_the_choice_over_the_blueprint(chooser):
    subgame, (_, game) = whole_round(3, 1 << chooser), first_round_game(3, 1 << chooser)
    beliefs = np.random.default_rng(3).random((2, RANKS**2))[:, game.hands.of_hole]
    solved = solver.LimitedSolver(game, beliefs, CFR_PLUS).run(20)
    strategy, leaf = solved.strategy(), int(game.leaves[3])
    node = int(subgame.tree.parent[leaf])
    problem = Problem(subgame, beliefs, leaf_values=leaves(2))
    values, over = promised(problem, game, solved.prior, strategy, node, -1)
    other, weight = 1 - chooser, solved.prior[1 - chooser].copy()
    x = node
    while (before := int(subgame.tree.parent[x])) >= 0:
        if seat_of(int(game.node[before, 0])) == other:
            weight *= strategy[game.first[before] + x - int(game.node[before, 1])]
        x = before
    tables = game.tables[chooser, [list(game.leaves).index(leaf + k) for k in range(3)]]
    facing = weight[:, None] * game.hands.apart
    won = (tables * facing).sum(axis=1) / facing.sum(axis=0)
    chosen = strategy[game.first[node] : game.first[node] + 3]
    expected = (chosen * won).sum(axis=0) - won[0]
    assert over
    assert np.abs(expected).max() > 10
    np.testing.assert_allclose(values, expected[game.hands.of_hole], rtol=1e-6, atol=1e-6)


def blueprint_value(problem, game, x, hands):
    """Chips of ME with a pair of ``hands`` if both play the blueprint's rows from ``x`` on."""
    rows = {start.node: start.rows for start in problem.warm_start()}
    mine, other = hands
    for kind in ("folds", "shown", "leaves"):
        at = np.flatnonzero(getattr(game, kind) == x)
        if len(at) and kind == "folds":
            return game.kept[ME, at[0]]
        if len(at) and kind == "shown":
            return game.tie[ME, at[0]] + game.win[ME, at[0]] * game.lead[mine, other]
        if len(at):
            return game.tables[ME, at[0], game.hands.of[other], game.hands.of[mine]]
    first, n = int(game.node[x, 1]), n_actions(int(game.node[x, 0]))
    if x not in rows:  # a leaf: the blueprint goes on
        return blueprint_value(problem, game, first, hands)
    hole = game.hands.hole[mine if seat_of(int(game.node[x, 0])) == ME else other]
    chances = rows[x][hole]
    return sum(chances[a] * blueprint_value(problem, game, first + a, hands) for a in range(n))


def test_flop__begins_with_the_blueprints_play_and_the_promise_of_the_first_round(monkeypatch):
    calls, alternative_of = [], solver._alternative

    def noted(problem, game):
        calls.append((problem, game, alternative_of(problem, game)))
        return calls[-1][-1]

    monkeypatch.setattr(solver, "_alternative", noted)
    hand = on_the_flop(first=0, limited=[0, 1], kept=drawn())
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
                weight = problem.beliefs[1 - ME, hole]
                total += weight * blueprint_value(problem, game, 0, (mine, other))
                mass += weight
        expected = total / mass + more.values[game.hands.hole[mine]]
        assert alternative.values[game.hands.hole[mine]] == pytest.approx(expected, abs=0.01)
