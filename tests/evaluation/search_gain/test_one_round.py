"""The gain of a search over the blueprint, held to enumeration on a deck of 24 cards."""

import itertools

import numpy as np
import pytest

from search.holdem import SEARCH, small_run
from sixmax.evaluation.search_gain.one_round import enter, gain, round_nodes, spots
from sixmax.game.betting import Betting
from sixmax.game.tree import children, path, round_of
from sixmax.play.lookup import actions, blueprint_buckets, blueprint_rows
from sixmax.search.public_hand import Play, PublicHand, SearchResult

RIVER = 3


class Fixed(SearchResult):
    """Finds the blueprint's own strategy, or one that takes the last action always."""

    def __init__(self, run, policy, spot, last=False):
        self.run, self.policy, self.last = run, policy, last
        self.start, self.bucket = spot.node, blueprint_buckets(run, spot.board)

    def covers(self, done):
        return True

    def play(self, done):
        x = self.start
        for action in done:
            x = next(c for c in children(self.run.tree, x) if self.run.tree.action[c] == action)
        rows = blueprint_rows(self.run, self.policy, x, self.bucket)
        if self.last:
            rows = np.zeros_like(rows)
            rows[self.bucket >= 0, -1] = 1.0
        return Play(actions(self.run.tree, x), rows, rows)


def first_spot(in_round, seats=3):
    run, policy = small_run(seats)
    return run, policy, next(s for s in spots(run, policy, in_round, 3) if s)


def at_spot(run, policy, spot, in_round):
    config = SEARCH.model_copy(update={"first": in_round, "off_tree_players": 0})
    return enter(PublicHand(run, policy, config, None, seed=1), spot)


@pytest.mark.parametrize("in_round", [1, 2, 3])
def test_gain__of_the_blueprint_over_itself_is_nothing(in_round):
    run, policy, spot = first_spot(in_round)
    hand = at_spot(run, policy, spot, in_round)
    same = Fixed(run, policy, spot)
    assert not gain(run, policy, spot, same, hand.beliefs(), 200, 1).any()
    other = Fixed(run, policy, spot, last=True)
    assert gain(run, policy, spot, other, hand.beliefs(), 200, 1).any()


def enumerated(run, policy, spot, searched, beliefs, me, left):
    """The gain of ``me`` on the river with two players, over all pairs of hands."""
    bucket = blueprint_buckets(run, spot.board)
    base = Betting(run.game)
    for action in path(run.tree, spot.node):
        base.act(action)
    holes = [np.flatnonzero(beliefs[p]) for p in left]
    plan = {x: blueprint_rows(run, policy, x, bucket) for x in round_nodes(run, spot.node)}
    start = path(run.tree, spot.node)
    mine = {x: searched.play(tuple(path(run.tree, x)[len(start) :])).played for x in plan}

    def value(betting, x, hole, rank, own):
        if betting.over:
            return betting.payoffs(rank)[me]
        rows = own if betting.actor == me else plan
        total = 0.0
        for a, child in enumerate(children(run.tree, x)):
            p = rows[x][hole[betting.actor], a]
            if p:
                then = betting.copy()
                then.act(int(run.tree.action[child]))
                total += p * value(then, child, hole, rank, own)
        return total

    from sixmax.cards.deck import hole_cards
    from sixmax.cards.evaluate import rank_holes

    ranks, cards = np.empty(len(bucket), np.int32), hole_cards(run.ranks)
    rank_holes(spot.board, run.ranks, ranks)
    total = weight = 0.0
    for pair in itertools.product(*holes):
        if set(cards[pair[0]]) & set(cards[pair[1]]):
            continue
        w = float(np.prod([beliefs[p, h] for p, h in zip(left, pair, strict=True)]))
        hole = dict(zip(left, pair, strict=True))
        rank = np.zeros(run.game.seats, np.int32)
        for p, h in hole.items():
            rank[p] = ranks[h]
        args = (base, spot.node, hole, rank)
        total += w * (value(*args, mine) - value(*args, plan))
        weight += w
    return total / weight


def test_gain__on_the_river_equals_enumeration():
    run, policy, spot = first_spot(RIVER, seats=2)
    hand = at_spot(run, policy, spot, RIVER)
    beliefs = hand.beliefs()
    random = np.random.default_rng(1)
    few = np.zeros_like(beliefs)  # twelve hands each, so that enumeration is quick
    for p in (0, 1):
        some = random.choice(np.flatnonzero(beliefs[p]), 12, replace=False)
        few[p, some] = beliefs[p, some] / beliefs[p, some].sum()
    other = Fixed(run, policy, spot, last=True)
    result = gain(run, policy, spot, other, few, 40_000, 2)
    for p in (0, 1):
        expected = enumerated(run, policy, spot, other, few, p, [0, 1])
        error = result[:, p].std() / np.sqrt(len(result))
        assert abs(result[:, p].mean() - expected) < 4 * error
        assert abs(expected) > 10 * error, "the bound would let anything pass"


def test_spots__are_the_same_for_a_seed_and_lie_at_the_start_of_the_round():
    run, policy = small_run()
    one, two = (
        [s for s, _ in zip(spots(run, policy, 2, 9), range(30), strict=False)] for _ in range(2)
    )
    assert [s and s.node for s in one] == [s and s.node for s in two]
    result = [s for s in one if s]
    assert result
    assert len(result) < len(one)
    for spot in result:
        assert round_of(run.tree.node[spot.node, 0]) == 2
        assert round_of(run.tree.node[run.tree.parent[spot.node], 0]) == 1
        assert len(spot.board) == 4
