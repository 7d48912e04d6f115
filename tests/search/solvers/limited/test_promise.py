"""Promises of leaves: against walks of pairs of hands, and in the searches that hold them."""

import functools
import sys

import numpy as np
import pytest

from search.holdem import HOLES, RANKS, small_run
from search.solvers.limited.called_flop import FLOP, on_the_flop
from sixmax.cards.deck import holds, hole_cards, hole_id, parse_cards
from sixmax.cards.evaluate import rank_holes
from sixmax.cfr.layout import infoset
from sixmax.continuation.generate import biased, probabilities
from sixmax.game.rules import CALL
from sixmax.game.tree import DECISION, FOLDED, find, kind_of, n_actions, round_of, seat_of
from sixmax.play.lookup import blueprint_buckets

pytestmark = pytest.mark.usefixtures("one_thread")
TURN = "Td"
CARDS = hole_cards(RANKS)
APART = ~(CARDS[:, None, :, None] == CARDS[None, :, None, :]).any(axis=(2, 3))
ME = 0  # the opponent, who chooses, by turns; the other seat searches


@pytest.fixture(params=[0, 1], autouse=True)
def seats(request, monkeypatch):
    monkeypatch.setattr(sys.modules[__name__], "ME", request.param)


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
    hand = on_the_flop(ME, **changes)
    for action in actions:
        hand.act(action)
    link = hand.search().links[-1]
    node = find(link.solved.tree, actions[link.begin :])
    return link.solved, node, hand.now()[1 - ME]


def best_choice(solved, node, weights, hole):
    """The continuation that is best for ``hole`` by the matrices of the leaf."""
    (_, game, *_), won = solved.solution.promises.__wrapped__.args, []
    hand, leaf = game.hands.of_hole[hole], int(solved.tree.node[node, 1])
    for k in range(4):
        table = game.tables[ME, list(game.leaves).index(leaf + k)]
        won.append(0.0)
        for other, of in zip(game.hands.hole, game.hands.of, strict=True):
            if not set(CARDS[other]) & set(CARDS[hole]):
                won[-1] += weights[other] * table[of, game.hands.of[hand]]
    return int(np.argmax(won))


def expected_chips(solved, node, there, hole):
    """Net chips of ``hole`` on TURN by the twin, in the blueprint's game."""
    tree, walk = solved.tree, walks(ME)[best_choice(solved, node, there, hole)]
    start = int(tree.node[tree.node[node, 1], 2])
    board = tuple(int(c) for c in parse_cards(FLOP + TURN, RANKS))
    total, mass = 0.0, 0.0
    for other in np.flatnonzero(there):
        known = {*CARDS[hole].tolist(), *CARDS[other].tolist(), *board}
        if len(known) < 8:
            continue
        hands = (hole, int(other)) if ME == 0 else (int(other), hole)
        chips = walk.value(start, board, hands)
        total, mass = total + there[other] * chips, mass + there[other]
    return total / mass


@functools.cache
def walks(me):
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
    hand, positions = on_the_flop(ME, **changes), []
    searcher = hand._searcher
    hand._searcher = lambda at, *rest: positions.append(at) or searcher(at, *rest)
    hand.act(CALL)
    hand.act(CALL)
    hand.deal(TURN)
    hand.play()
    return hand, positions


def test_turn__begins_with_the_promise_of_the_flop():
    """The alternative of each hand is the promise of its leaf; less is won above it."""
    hand, (flop, turn) = on_the_turn()
    card = int(parse_cards(TURN, RANKS)[0])
    assert flop.alternative is None
    seat, values, *others = turn.alternative
    assert (seat, others) == (ME, ["resolve", False])
    first = hand.rounds[1].result.links[0].solved
    chooser, promise, _, over_blueprint = first.solution.promised(
        find(first.tree, (CALL, CALL)), card
    )
    assert (chooser, over_blueprint) == (ME, False)
    held = np.isfinite(promise)
    assert held.sum() == 190
    np.testing.assert_array_equal(values[held], promise[held])
    left, excess = APART @ turn.beliefs[1 - ME], []
    for solved in (hand.search().links[0].solved, hand._solve(2, None, 0, ())):
        best = solved.solution.values_at(0, best=True)[ME]
        excess.append((left * np.maximum(best - promise, 0))[held].sum())
    assert excess[0] < excess[1]


def test_turn__does_not_depend_on_beliefs_about_the_opponent():
    """With the promise of the flop; without it two hands of 190 decide."""
    hand, (_, turn) = on_the_turn()
    few = turn.beliefs.copy()
    few[ME] = np.isin(np.arange(HOLES), [hole_id(*parse_cards(t, RANKS)) for t in ("9sJs", "QsJc")])
    few[ME] /= few[ME].sum()
    safe, unsafe = (
        [hand._searcher(at._replace(beliefs=beliefs), (), 1) for beliefs in (turn.beliefs, few)]
        for at in (turn, turn._replace(alternative=None))
    )
    mine = [
        [result.play(() if ME == 0 else (CALL,)).played for result in results]
        for results in (safe, unsafe)
    ]
    np.testing.assert_allclose(*mine[0], atol=1e-6)
    assert np.abs(mine[1][0] - mine[1][1]).max() > 0.5


def test_turn__begins_unsafely_where_both_chose():
    hand, (flop, turn) = on_the_turn(choosers="all")
    assert turn.alternative is None
    first = hand.rounds[1].result.links[0].solved
    assert first.solution.promised(find(first.tree, (CALL, CALL)), 0) is None
