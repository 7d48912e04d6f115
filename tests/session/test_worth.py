"""The worth of actions: a slow twin, an exact expectation on the river, the law of deals."""

import numpy as np
import pytest

from evaluation.seated import Opened
from oracles.cards import holes
from oracles.session import samples
from search.holdem import HOLES, RANKS, RIVER, SEARCH, every_deal, small_run
from sixmax.agents.registry import open_agents
from sixmax.base.rng import child
from sixmax.betting.rules import CALL, FOLD
from sixmax.cards.deck import as_cards, holds, hole_id, n_holes
from sixmax.hands.record import UNSEEN
from sixmax.ongoing.policies import Side, match_game, mixed
from sixmax.search.config import NEVER
from sixmax.search.public_hand import PublicHand
from sixmax.session import worth as module
from sixmax.session.worth import deals_by, worth

DEALS = 60
# Of the deals alone: a small deck of five ranks.
FIVE, SEATS, HERO = 5, 3, 1
HOLE, BOARD = np.array([0, 5], np.int8), np.array([7, 11, 18], np.int8)
NONE = np.empty(0, np.int8)


def hand_at(run, policy, actions, board):
    """The public hand after ``actions``, by round."""
    hand = PublicHand(run, policy, SEARCH.model_copy(update=NEVER), None, 7)
    for in_round, part in enumerate(actions):
        if in_round:
            hand.deal(board[(0, 3, 4)[in_round - 1] : (3, 4, 5)[in_round - 1]])
        for action in part:
            hand.act(action)
    return hand


def side_of(run, policy):
    """``policy`` in all seats of ``run``."""
    game = match_game(run.tree, run.layout)
    return Side(game, mixed(game, policy))


def dealt(monkeypatch):
    """The cards that the next call deals, once it was made."""
    kept, deal = [], module.deals_by

    def dealing(*args):
        kept.append(deal(*args))
        return kept[-1]

    monkeypatch.setattr(module, "deals_by", dealing)
    return kept


@pytest.mark.parametrize(
    ("actions", "board"),
    [([[]], 0), ([[250]], 0), ([[300, 0, 0], [0, 750]], 3), ([[0, 0, 0], [0, 0, 0], [273]], 4)],
)
def test_worth__every_deal_as_the_slow_twin(actions, board, monkeypatch):
    """On the tree and off it; an all-in, a size that no tree has, call and fold."""
    run, policy = small_run(3)
    side, hand = side_of(run, policy), hand_at(run, policy, actions, RIVER)
    betting, kept = hand.betting, dealt(monkeypatch)
    low, high = betting.raise_range
    offered = [CALL, low, low + 37, high] + [FOLD] * bool(betting.to_call)
    hole = np.array([1, 22], np.int8)
    actual = worth(hand, side, hole, hand.now(), offered, 11, DEALS)
    expected = samples(hand, side, kept[0], offered, child(11, "draws"))
    np.testing.assert_allclose(actual.won, expected, atol=1e-9)
    if betting.to_call:
        assert not actual.won[:, -1].any()


def test_worth__deals_are_of_what_the_player_knows(monkeypatch):
    run, policy = small_run(3)
    hand, kept = hand_at(run, policy, [[0, 0, 0], []], RIVER), dealt(monkeypatch)
    hole, seat = np.array([1, 22], np.int8), hand.betting.actor
    worth(hand, side_of(run, policy), hole, hand.now(), [CALL], 3, 500)
    for row in kept[0]:
        assert len(set(row.tolist())) == len(row)
        assert row[2 * seat : 2 * seat + 2].tolist() == hole.tolist()
        assert row[6:9].tolist() == RIVER[:3].tolist()


def river_call():
    """Two players, 100 chips each and a bet of 150: the side, the hand of the caller, beliefs.

    Then the caller's hole, and its EV of a call: the exact mean over the opponent's hands.
    """
    run, policy = small_run(2)
    hand = hand_at(run, policy, [[0, 0], [0, 0], [0, 0], [250]], RIVER)
    hole = np.array([1, 22], np.int8)
    belief = np.random.default_rng(4).random(HOLES) ** 4
    belief[holds(RIVER, RANKS)] = 0
    deals = every_deal(RIVER)
    mask = deals.bucket[:, 0, 0] == hole_id(*hole)
    rank, theirs = deals.rank[mask, 0], deals.bucket[mask, 1, 0]
    share = (rank[:, 0] > rank[:, 1]) + 0.5 * (rank[:, 0] == rank[:, 1])
    expected = (belief[theirs] * (500 * share - 150)).sum() / belief[theirs].sum()
    return hand, side_of(run, policy), np.stack([belief] * 2), hole, expected


def test_worth__of_a_call_on_the_river_is_the_exact_expectation():
    hand, side, beliefs, hole, expected = river_call()
    sums = worth(hand, side, hole, beliefs, [FOLD, CALL], 5, 20_000).of(CALL)
    assert abs(sums.mean - expected) < 4 * sums.standard_error
    assert abs(sums.mean) > 8 * sums.standard_error


def test_worth__no_deal_agrees():
    run = Opened()
    game, (player,) = open_agents(run, ["blueprint"])
    hand = hand_at(run, run.policy("blueprint"), [[]], RIVER)
    hole = as_cards("AsAh", RANKS)
    beliefs = np.zeros((run.game.seats, HOLES))
    beliefs[:, hole_id(*as_cards("AdAc", RANKS))] = 1.0  # all others hold the same two cards
    assert worth(hand, Side(game, player), hole, beliefs, [CALL], 5, 10) is None


def test_cost__of_the_own_play_is_nothing():
    won = np.random.default_rng(1).normal(size=(50, 3))
    each = module.Worth((-1, 0, 300), won)
    assert each.cost(np.array([0.0, 1.0, 0.0]), 0).square == 0.0
    mixed_up = each.cost(np.array([0.0, 0.5, 0.5]), 300)
    assert mixed_up.mean == pytest.approx((won[:, 1] - won[:, 2]).mean() / 2)


@pytest.fixture(scope="module")
def beliefs():
    return np.random.default_rng(1).integers(0, 4, (SEATS, n_holes(FIVE))).astype(float)


@pytest.mark.parametrize("hole", [HOLE, NONE], ids=["held", "unseen"])
def test_deals__hands_come_as_often_as_the_product_of_the_beliefs(beliefs, hole):
    """All pairs of the others' hands that share no card, against those that are drawn."""
    n, dead = 40_000, {*hole.tolist(), *BOARD.tolist()}
    cards = deals_by(beliefs, HERO, hole, BOARD, FIVE, child(3, "deals"), n)
    pairs, expected = holes(FIVE), {}
    for a, first in enumerate(pairs):
        for b, second in enumerate(pairs):
            if len({*first, *second, *dead}) == 4 + len(dead):
                expected[(*sorted(first), *sorted(second))] = beliefs[0, a] * beliefs[2, b]
    total = sum(expected.values())
    drawn = np.concatenate([np.sort(cards[:, :2], axis=1), np.sort(cards[:, 4:6], axis=1)], axis=1)
    kinds, counts = np.unique(drawn, axis=0, return_counts=True)
    chance = np.array([expected[tuple(kind.tolist())] / total for kind in kinds])
    assert (chance > 0).all()
    assert abs(counts / n - chance).sum() < 2.5 * np.sqrt(len(expected) / n)
    mine = cards[:, 2:4]
    assert (mine == (hole if hole.size else UNSEEN)).all()


def test_deals__the_rest_of_the_board_is_uniform_and_free(beliefs):
    cards = deals_by(beliefs, HERO, HOLE, BOARD, FIVE, child(4, "deals"), 20_000)
    assert (cards[:, 6:9] == BOARD).all()
    for row in cards[:500]:
        assert len(set(row.tolist())) == len(row)
    free = sorted({*range(4 * FIVE)} - {*HOLE.tolist(), *BOARD.tolist()})
    cards = deals_by(np.ones_like(beliefs), HERO, HOLE, BOARD, FIVE, child(5, "deals"), 20_000)
    counts = np.bincount(cards[:, 9], minlength=4 * FIVE)[free]
    assert counts / counts.sum() == pytest.approx(np.full(len(free), 1 / len(free)), abs=0.01)


def test_deals__none_where_the_others_cannot_hold_hands_apart(beliefs):
    one = np.zeros_like(beliefs)
    one[:, 40] = 1.0
    assert len(deals_by(one, HERO, NONE, NONE, FIVE, child(6, "deals"), 5)) == 0
    assert len(deals_by(0 * one, HERO, NONE, NONE, FIVE, child(6, "deals"), 5)) == 0
