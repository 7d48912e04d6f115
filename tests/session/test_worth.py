"""The worth of actions: against a slow twin, and against an exact expectation on the river."""

import numpy as np
import pytest

from evaluation.seated import Opened
from oracles.session import samples
from search.holdem import HOLES, RANKS, RIVER, SEARCH, every_deal, small_run
from sixmax.agents.registry import open_agents
from sixmax.base.rng import child
from sixmax.betting.rules import CALL, FOLD
from sixmax.cards.deck import as_cards, holds, hole_cards, hole_id
from sixmax.ongoing.policies import Side, match_game, mixed
from sixmax.search.config import NEVER
from sixmax.search.public_hand import PublicHand
from sixmax.session import worth as module
from sixmax.session.worth import worth

DEALS = 60


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


def test_worth__of_a_call_on_the_river_is_the_exact_expectation():
    """Two players, 100 chips each and a bet of 150: the mean over the opponent's hands."""
    run, policy = small_run(2)
    hand = hand_at(run, policy, [[0, 0], [0, 0], [0, 0], [250]], RIVER)
    hole = np.array([1, 22], np.int8)
    belief = np.random.default_rng(4).random(HOLES) ** 4
    belief[holds([*RIVER, *hole], RANKS)] = 0
    deals, mine = every_deal(RIVER), hole_id(*hole)
    both = deals.bucket[:, :, 0]
    mask = both[:, 0] == mine
    rank, theirs = deals.rank[mask, 0], both[mask, 1]
    keep = belief[theirs] > 0
    rank, theirs = rank[keep], theirs[keep]
    share = (rank[:, 0] > rank[:, 1]) + 0.5 * (rank[:, 0] == rank[:, 1])
    expected = (belief[theirs] * (500 * share - 150)).sum() / belief[theirs].sum()
    beliefs = np.stack([belief, belief])
    actual = worth(hand, side_of(run, policy), hole, beliefs, [FOLD, CALL], 5, 20_000)
    sums = actual.of(CALL)
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
    assert len(hole_cards(RANKS)) == HOLES


def test_cost__of_the_own_play_is_nothing():
    won = np.random.default_rng(1).normal(size=(50, 3))
    each = module.Worth((-1, 0, 300), won)
    assert each.cost(np.array([0.0, 1.0, 0.0]), 0).square == 0.0
    mixed_up = each.cost(np.array([0.0, 0.5, 0.5]), 300)
    assert mixed_up.mean == pytest.approx((won[:, 1] - won[:, 2]).mean() / 2)
