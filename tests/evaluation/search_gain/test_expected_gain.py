"""The gain of a search over the blueprint in chips.

In a round it is held to enumeration on a deck of 24 cards, in whole hands to hands that are played.
"""

import functools
import itertools

import numpy as np
import pytest

from evaluation.search_gain.fakes import CONFIG, PROTOCOL, Bluffer, drawn, duellists, finds
from search.holdem import NESTED, SEARCH, nested_searcher, small_run, with_player
from sixmax.base.jit import set_threads
from sixmax.cards.deck import hole_cards
from sixmax.cards.evaluate import rank_holes
from sixmax.evaluation.search_gain.duel import play
from sixmax.evaluation.search_gain.expected_gain import RIVER, Measurement, gain_in_round, gains
from sixmax.evaluation.search_gain.round_tree import FixedStrategy, round_tree
from sixmax.evaluation.search_gain.spots import enter, spots
from sixmax.ongoing.hand import Play
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache

HANDS = 240
BLUFFER = finds(Bluffer, *small_run())


class Last(FixedStrategy):
    """Takes the last action always."""

    def play(self, done):
        same = super().play(done)
        rows = np.zeros_like(same.rows)
        rows[same.rows.sum(axis=1) > 0, -1] = 1.0
        return Play(same.offered, rows)


def at_spot(searcher, in_round, seats=3, later=(0.75,)):
    """The first hand that reaches ``in_round``, and ``searcher`` for each search there."""
    run, policy = small_run(seats, later)
    spot = next(s for _, s in spots(run, policy, in_round, 3) if s)
    config = SEARCH.model_copy(update={"first": in_round, "off_tree": None})
    return run, policy, enter(PublicHand(run, policy, config, searcher, seed=1), spot)


def chips(run, policy, hand, beliefs, n, seed):
    """By deal and seat."""
    return gain_in_round(Measurement(run, policy, n), round_tree(hand, beliefs), beliefs, seed)


@pytest.mark.parametrize("in_round", [0, 1, 2, 3])
def test_gain__of_the_blueprint_over_itself_is_nothing(in_round):
    for strategy in (FixedStrategy, Last):
        run, policy, hand = at_spot(finds(strategy, *small_run()), in_round)
        won = chips(run, policy, hand, hand.beliefs(), 200, 1)
        assert won.any() == (strategy is Last)


def enumerated(hand, beliefs, me):
    """The gain of ``me`` on the river with two players, over all pairs of hands, each played."""
    ranks, cards = np.empty(beliefs.shape[1], np.int32), hole_cards(hand.run.ranks)
    rank_holes(hand.board, hand.run.ranks, ranks)

    def value(at, holes, rank, searches):
        if at.betting.over:
            return at.betting.payoffs(rank)[me]
        actor = at.betting.actor
        play = at.play() if searches and actor == me else at.blueprint()
        total = 0.0
        for action, p in zip(play.offered, play.rows[holes[actor]], strict=True):
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


@pytest.mark.parametrize("own", [False, True])
def test_gain__on_the_river_equals_enumeration(own):
    """With raises of its own too, and searches that others' actions have made again."""
    searcher = drawn if own else finds(Last, *small_run(2))
    run, policy, hand = at_spot(searcher, RIVER, seats=2)
    beliefs = few(hand.beliefs())
    result = chips(run, policy, hand, beliefs, 40_000, 2)
    for p in (0, 1):
        won, expected = result[:, p], enumerated(hand, beliefs, p)
        error = won.std() / np.sqrt(len(won))
        assert abs(won.mean() - expected) < 4 * error + 1e-9
        assert abs(expected) > 10 * error, "the bound would let anything pass"


def test_gain__is_the_same_on_any_number_of_threads(one_thread):
    run, policy, hand = at_spot(drawn, 1, later=(0.5, 1.5))
    expected = chips(run, policy, hand, hand.beliefs(), 500, 2)
    set_threads(2)
    assert expected.any()
    np.testing.assert_array_equal(chips(run, policy, hand, hand.beliefs(), 500, 2), expected)


@functools.cache
def measured(searcher, hands, first=1, later=(0.75,)):
    """Chips by hand and round, the mean of the seats: float64[hands, 4]."""
    run, policy = small_run(3, later)
    config = CONFIG.model_copy(update={"first": first})
    won = np.zeros((hands, 4))
    for k, (_, spot) in zip(range(hands), spots(run, policy, first, 5), strict=False):
        if spot is None:
            continue
        hand = enter(PublicHand(run, policy, config, searcher, seed=k), spot)
        for seat in run.tree.players_left(spot.node):
            won[k] += gains(Measurement(run, policy, 50), hand, seat, seed=k) / 3
    return won


OWN_RAISES = pytest.param(drawn, (0.5, 1.5), marks=pytest.mark.slow)


@pytest.mark.parametrize(("searcher", "later"), [(BLUFFER, (0.75,)), OWN_RAISES])
def test_gains__are_what_whole_hands_win(searcher, later):
    """Also of who raises as no tree does, is met by translation, and searches again."""
    expected = play(duellists(searcher, later), PROTOCOL, 1000)[0].deals
    actual = measured(searcher, HANDS, 1, later).sum(axis=1)
    error = np.hypot(expected.standard_error / 10, actual.std() / np.sqrt(len(actual)))
    assert abs(actual.mean() - expected.mean / 10) < 3 * error
    assert abs(actual.mean()) > 3 * error, "the bound would let anything pass"


def test_gains__of_later_rounds_count_where_the_earlier_were_searched_too():
    won, later = measured(BLUFFER, HANDS), measured(BLUFFER, HANDS, first=3)
    assert not won[:, 0].any()
    assert (won[:, 1:] != 0).any(axis=0).all()
    assert not later[:, :3].any()
    # Fewer get to the river who have searched, and they are others.
    assert abs(won[:, 3].mean() - later[:, 3].mean()) > 2 * later[:, 3].std() / np.sqrt(HANDS)


def bluffed():
    """A flop of the small run that a Bluffer searches, and the first seat to act."""
    run, policy = small_run()
    spot = next(s for _, s in spots(run, policy, 1, 5) if s)
    searcher = SearchCache(BLUFFER)
    hand = enter(PublicHand(run, policy, CONFIG, searcher, seed=1), spot)
    return run, policy, spot, searcher, hand, run.tree.seat(spot.node)


def test_gains__of_one_round_stop_there_and_leave_the_hand_as_it_was():
    run, policy, spot, searcher, hand, seat = bluffed()
    before = [list(r.done) for r in hand.rounds]
    one = gains(Measurement(run, policy, 50), hand, seat, seed=1, rounds=1)
    whole = gains(Measurement(run, policy, 50), hand, seat, seed=1)
    assert one[1] == whole[1] != 0
    assert not one[2:].any()
    assert [r.done for r in hand.rounds] == before
    assert hand.betting.round == 1
    assert run.tree.path(spot.node) == [a for done in before for a in done]
    assert searcher.searches >= 1


def test_gains__of_several_ways_are_their_mean():
    """One way is the first of several; many agree with whole hands as one way does."""
    run, policy, *_, hand, seat = bluffed()
    one = Measurement(run, policy, 50)
    alone = np.array([gains(one, hand, seat, seed=k) for k in range(240)])
    expected, error = alone.mean(axis=0), alone.std(axis=0) / np.sqrt(len(alone))
    many = one._replace(branches=(1, 8, 6))
    several = np.array([gains(many, hand, seat, seed=k) for k in range(50)])
    actual = several.mean(axis=0)
    np.testing.assert_array_equal(several[:, 1], alone[:50, 1])
    both = np.hypot(error, several.std(axis=0) / np.sqrt(len(several)))
    assert (np.abs(actual - expected)[2:] < 3.5 * both[2:]).all()
    assert (np.abs(expected)[2:] > 3.5 * both[2:]).all(), "the bound would let anything pass"
    assert (several.std(axis=0)[2:] < 0.7 * alone.std(axis=0)[2:]).all(), "no luck is taken out"


def test_gains__of_nested_solving_search_after_each_bet_and_win():
    """Over a blueprint drawn at random, on turn and river, by the seats in turn."""
    run, policy = small_run(2)
    config = NESTED.model_copy(update={"vector_iterations": [60] * 4})
    won, counted = [], []
    for nested in ("none", "resolve"):
        asked = with_player(config, nested=nested)
        cache = SearchCache(nested_searcher(asked))
        places = (spot for _, spot in spots(run, policy, 2, 3) if spot is not None)
        hands = [enter(PublicHand(run, policy, asked, cache, seed=k), next(places)) for k in (1, 2)]
        rows = [gains(Measurement(run, policy, 20), hand, p, 5) for hand in hands for p in (0, 1)]
        won.append(np.mean(rows, axis=0))
        counted.append(cache.searches)
    assert (np.array(won)[:, :2] == 0).all()
    assert (np.array(won).sum(axis=1) > 20).all()  # chips, of pots of 200 and more
    assert counted[1] > 2 * counted[0]
