"""The gain of a search over the blueprint, held to enumeration on a deck of 24 cards."""

import itertools

import numpy as np
import pytest

from evaluation.search_gain.fakes import drawn, finds
from search.holdem import SEARCH, small_run
from sixmax.base.jit import set_threads, threads_in_use
from sixmax.betting.tree import round_of
from sixmax.cards.deck import hole_cards
from sixmax.cards.evaluate import rank_holes
from sixmax.cards.isomorphism import boards, canonical_board
from sixmax.evaluation.search_gain.fixed import FixedStrategy
from sixmax.evaluation.search_gain.one_round import enter, gain, spots
from sixmax.evaluation.search_gain.round_tree import round_tree
from sixmax.ongoing.hand import Play
from sixmax.search.public_hand import PublicHand

RIVER = 3


class Last(FixedStrategy):
    """Takes the last action always."""

    def play(self, done):
        same = super().play(done)
        rows = np.zeros_like(same.played)
        rows[same.played.sum(axis=1) > 0, -1] = 1.0
        return Play(same.offered, rows, same.believed)


def at_spot(searcher, in_round, seats=3, later=(0.75,)):
    """The first hand that reaches ``in_round``, and ``searcher`` for each search there."""
    run, policy = small_run(seats, later)
    spot = next(s for _, s in spots(run, policy, in_round, 3) if s)
    config = SEARCH.model_copy(update={"first": in_round, "off_tree": None})
    return run, policy, enter(PublicHand(run, policy, config, searcher, seed=1), spot)


def chips(run, policy, hand, beliefs, n, seed, **options):
    return gain(run, policy, round_tree(hand, beliefs), beliefs, n, seed, **options)


@pytest.mark.parametrize("in_round", [0, 1, 2, 3])
def test_gain__of_the_blueprint_over_itself_is_nothing(in_round):
    for strategy in (FixedStrategy, Last):
        run, policy, hand = at_spot(finds(strategy, *small_run()), in_round)
        won = chips(run, policy, hand, hand.beliefs(), 200, 1)
        assert won.any() == (strategy is Last)


def enumerated(hand, beliefs, me, average=False):
    """The gain of ``me`` on the river with two players, over all pairs of hands, each played."""
    ranks, cards = np.empty(beliefs.shape[1], np.int32), hole_cards(hand.run.ranks)
    rank_holes(hand.board, hand.run.ranks, ranks)

    def value(at, holes, rank, searches):
        if at.betting.over:
            return at.betting.payoffs(rank)[me]
        actor = at.betting.actor
        play = at.play() if searches and actor == me else at.blueprint()
        rows = play.believed if average and searches and actor == me else play.played
        total = 0.0
        for action, p in zip(play.offered, rows[holes[actor]], strict=True):
            if p:
                then = at.copy()
                then.act(action)
                total += p * value(then, holes, rank, searches)
        return total

    total = weight = 0.0
    for holes in itertools.product(*(np.flatnonzero(row) for row in beliefs)):
        if set(cards[holes[0]]) & set(cards[holes[1]]):
            continue
        w = float(np.prod([beliefs[p, h] for p, h in enumerate(holes)]))
        rank = ranks[list(holes)]
        total += w * (value(hand, holes, rank, True) - value(hand, holes, rank, False))
        weight += w
    return total / weight


def few(beliefs):
    """Eight hands each, so that enumeration is quick."""
    random, out = np.random.default_rng(1), np.zeros_like(beliefs)
    for p in range(len(beliefs)):
        some = random.choice(np.flatnonzero(beliefs[p]), 8, replace=False)
        out[p, some] = beliefs[p, some] / beliefs[p, some].sum()
    return out


@pytest.mark.parametrize("strategy", ["last", "average"])
@pytest.mark.parametrize("own", [False, True])
def test_gain__on_the_river_equals_enumeration(own, strategy):
    """With raises of its own too, and searches that others' actions have made again."""
    searcher = drawn if own else finds(Last, *small_run(2))
    run, policy, hand = at_spot(searcher, RIVER, seats=2)
    beliefs = few(hand.beliefs())
    result = chips(run, policy, hand, beliefs, 40_000, 2, strategy=strategy)
    for p in (0, 1):
        expected = enumerated(hand, beliefs, p, strategy == "average")
        error = result[:, p].std() / np.sqrt(len(result))
        assert abs(result[:, p].mean() - expected) < 4 * error + 1e-9
        if own or strategy == "last":
            assert abs(expected) > 10 * error, "the bound would let anything pass"


def test_gain__is_the_same_on_any_number_of_threads():
    run, policy, hand = at_spot(drawn, 1, later=(0.5, 1.5))
    before, won = threads_in_use(), []
    for threads in (1, 2):
        set_threads(threads)
        won.append(chips(run, policy, hand, hand.beliefs(), 500, 2))
    set_threads(before)
    assert won[0].any()
    np.testing.assert_array_equal(*won)


def test_spots__are_the_same_for_a_seed_and_lie_at_the_start_of_the_round():
    run, policy = small_run()
    one, two = (
        [s for (_, s), _ in zip(spots(run, policy, 2, 9), range(30), strict=False)]
        for _ in range(2)
    )
    assert [s and s.node for s in one] == [s and s.node for s in two]
    result = [s for s in one if s]
    assert result
    assert len(result) < len(one)
    for spot in result:
        assert round_of(run.tree.node[spot.node, 0]) == 2
        assert round_of(run.tree.node[run.tree.parent[spot.node], 0]) == 1
        assert len(spot.board) == 4


def test_spots__of_given_flops_are_theirs_as_often_as_they_come():
    """And the flops of all are those of a plain deal, with any seats in the round."""
    run, policy = small_run()
    every, flops = boards(run.ranks, 3), [3, 8, 11, 20]
    share = every.count[flops] / every.count[flops].sum()
    assert share.max() > 1.5 * share.min(), "all alike: nothing to see"
    of = [flop for flop, _ in itertools.islice(spots(run, policy, 1, 4, flops), 3000)]
    hit = np.bincount(of, minlength=len(every.count))[flops]
    assert hit.sum() == 3000
    assert (((hit - 3000 * share) ** 2) / (3000 * share)).sum() < 16.3  # chi-square, p = .001
    suits = np.empty(4, np.int8)
    for flop, spot in itertools.islice(spots(run, policy, 2, 4, flops), 100):
        if spot:
            assert canonical_board(every, spot.board[:3], suits) == flop
    plain = itertools.islice(spots(run, policy, 2, 4), 50)
    given = itertools.islice(spots(run, policy, 2, 4, range(len(every.count))), 50)
    for sample in (list(plain), list(given)):
        assert all(f == canonical_board(every, s.board[:3], suits) for f, s in sample if s)
        assert 5 < sum(s is not None for _, s in sample) < 50
