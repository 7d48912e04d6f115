"""The gain of whole hands in expectation, beside whole hands that are really played."""

import functools
import json

import numpy as np
import pytest

from evaluation.search_gain.fakes import drawn, finds
from evaluation.search_gain.test_duel import CONFIG, how
from search.holdem import small_run
from sixmax.base.errors import UserError
from sixmax.continuation.compress import pack
from sixmax.continuation.generate import biased
from sixmax.evaluation.search_gain import stage
from sixmax.evaluation.search_gain.duel import play
from sixmax.evaluation.search_gain.fixed import FixedStrategy, fixed
from sixmax.evaluation.search_gain.one_round import enter, spots
from sixmax.evaluation.search_gain.stage import HandsAsked, NumberedHands, one_round, whole
from sixmax.evaluation.search_gain.whole_hands import RIVER, Measurement, gains
from sixmax.ongoing.hand import Play
from sixmax.search.agent import SearchCache
from sixmax.search.config import SearchSettings
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import FrozenAction
from sixmax.search.searcher import Searcher

HANDS = 400


class Bluffer(FixedStrategy):
    """Bets and raises with the weakest buckets, else checks and folds; is believed to do either.

    Its actions tell its hand, and the others believe something else: both matter.
    """

    def play(self, done):
        same = super().play(done)
        rows = np.zeros_like(same.played)
        rows[(self._bucket >= 0) & (self._bucket < 2), -1] = rows[self._bucket >= 2, 0] = 1.0
        return Play(same.offered, rows, same.believed)


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
            won[k] += gains(Measurement(run, policy, 50), hand, seat, seed=k)[0] / 3
    return won


BLUFFER = finds(Bluffer, *small_run())


def test_gains__who_searches_and_finds_the_blueprint_gains_nothing():
    assert not measured(fixed(*small_run()), 20).any()


OWN_RAISES = pytest.param(drawn, (0.5, 1.5), marks=pytest.mark.slow)


@pytest.mark.parametrize(("searcher", "later"), [(BLUFFER, (0.75,)), OWN_RAISES])
def test_gains__are_what_whole_hands_win(searcher, later):
    """Also of who raises as no tree does, is met by translation, and searches again."""
    expected, actual = whole_hands(searcher, later), measured(searcher, HANDS, 1, later).sum(axis=1)
    error = np.hypot(expected.standard_error / 10, actual.std() / np.sqrt(len(actual)))
    assert abs(actual.mean() - expected.mean / 10) < 3 * error
    assert abs(actual.mean()) > 3 * error, "the bound would let anything pass"


def whole_hands(searcher, later):
    run, policy = small_run(3, later)
    return play(run, policy, CONFIG, searcher, how(), 1000, seed=3)[0].deals


def test_gains__of_later_rounds_count_where_the_earlier_were_searched_too():
    won, later = measured(BLUFFER, HANDS), measured(BLUFFER, HANDS, first=3)
    assert not won[:, 0].any()
    assert (won[:, 1:] != 0).any(axis=0).all()
    assert not later[:, :3].any()
    # Fewer get to the river who have searched, and they are others.
    assert abs(won[:, 3].mean() - later[:, 3].mean()) > 2 * later[:, 3].std() / np.sqrt(HANDS)


def test_gains__of_one_round_stop_there_and_leave_the_hand_as_it_was():
    run, policy = small_run()
    spot = next(s for _, s in spots(run, policy, 1, 5) if s)
    searcher = SearchCache(finds(Bluffer, run, policy))
    hand = enter(PublicHand(run, policy, CONFIG, searcher, seed=1), spot)
    before = [list(r.done) for r in hand.rounds]
    seat = run.tree.seat(spot.node)
    one = gains(Measurement(run, policy, 50), hand, seat, seed=1, rounds=1)[0]
    whole = gains(Measurement(run, policy, 50), hand, seat, seed=1)[0]
    assert one[1] == whole[1] != 0
    assert not one[2:].any()
    assert [r.done for r in hand.rounds] == before
    assert hand.betting.round == 1
    assert run.tree.path(spot.node) == [a for done in before for a in done]
    assert searcher.searches >= 1


def test_gains__of_several_ways_are_their_mean():
    """One way is the first of several; many agree with whole hands as one way does."""
    run, policy = small_run()
    spot = next(s for _, s in spots(run, policy, 1, 5) if s)
    searcher = SearchCache(finds(Bluffer, run, policy))
    hand = enter(PublicHand(run, policy, CONFIG, searcher, seed=1), spot)
    seat = run.tree.seat(spot.node)
    one = Measurement(run, policy, 50)
    alone = np.array([gains(one, hand, seat, seed=k)[0] for k in range(300)])
    expected, error = alone.mean(axis=0), alone.std(axis=0) / np.sqrt(len(alone))
    many = one._replace(branches=(1, 1, 8, 6))
    several = np.array([gains(many, hand, seat, seed=k)[0] for k in range(60)])
    actual = several.mean(axis=0)
    np.testing.assert_array_equal(several[:, 1], alone[:60, 1])
    both = np.hypot(error, several.std(axis=0) / np.sqrt(len(several)))
    assert (np.abs(actual - expected)[2:] < 3.5 * both[2:]).all()
    assert (np.abs(expected)[2:] > 3.5 * both[2:]).all(), "the bound would let anything pass"
    assert (several.std(axis=0)[2:] < 0.7 * alone.std(axis=0)[2:]).all(), "no luck is taken out"


def test_once__solves_a_position_once_until_something_is_frozen():
    calls, river = [], CONFIG.model_copy(update={"first": RIVER})
    run, policy = small_run()
    blueprint = fixed(run, policy)

    def searcher(position, frozen, seed):
        calls.append(seed)
        return blueprint(position, frozen, seed)

    once = SearchCache(searcher)
    spot = next(s for _, s in spots(run, policy, RIVER, 5) if s)
    for _ in range(2):
        hand = enter(PublicHand(run, policy, river, once, seed=1), spot)
        hand.search()
    assert len(calls) == once.searches == 1
    once.forget()
    enter(PublicHand(run, policy, river, once, seed=1), spot).search()
    assert len(calls) == 2
    hand = enter(PublicHand(run, policy, river, once, seed=1), spot)
    hand.rounds[-1].frozen.append(FrozenAction((), (1,), 0, np.ones(1)))
    hand.search()
    assert len(calls) == 3


def test_whole__and_one_round_say_what_was_measured():
    run, policy = small_run()
    once = SearchCache(finds(Bluffer, run, policy))
    message = []
    record = whole(Measurement(run, policy, 50), CONFIG, once, NumberedHands(30, 5), message.append)
    assert sum(message) == record["hands"] == 30
    assert set(record["gain"]) == {"all", "flop", "turn", "river"}
    parts = sum(record["gain"][name]["mean"] for name in ("flop", "turn", "river"))
    assert np.isclose(record["gain"]["all"]["mean"], parts)
    assert record["searches"] == once.searches > 0
    fresh = SearchCache(finds(Bluffer, run, policy))
    again = whole(Measurement(run, policy, 50), CONFIG, fresh, NumberedHands(30, 5))
    assert again == record

    river = CONFIG.model_copy(update={"first": RIVER})
    cache, hands = SearchCache(searched(river)), NumberedHands(10, 5)
    one = one_round(Measurement(run, policy, 50), river, cache, hands)
    assert set(one["gain"]) == {"last", "average"}
    last, average = (np.array(one["won"][name]) for name in ("last", "average"))
    assert list(one["more"]) == ["river"]
    np.testing.assert_array_equal(one["won_more"]["river"], last - average)
    assert one["more"]["river"]["mean"] == (last - average).mean() != 0


@pytest.mark.parametrize("measure", [whole, one_round])
def test_gain__of_the_blueprints_raises_is_the_same_by_name(measure):
    run, policy = small_run()
    records = []
    for rounds in ([], list(run.game.rounds)):
        config = CONFIG.model_copy(update={"rounds": rounds})
        cache = SearchCache(searched(config))
        records.append(measure(Measurement(run, policy, 50), config, cache, NumberedHands(6, 5)))
    assert records[0] == records[1]
    assert any(any(row) for row in records[0]["won"].values())


def searched(config):
    run, policy = small_run()
    packed = pack(run.tree, run.layout, biased(policy, 5.0), 1)
    return Searcher(run, policy, config, packed=packed)


@pytest.mark.parametrize("form", ["blueprint-purified", "snapshot-00003", "snapshot-00003-range-4"])
def test_gain__of_a_form_of_the_blueprint_says_by_which_protocol(form, tmp_path, monkeypatch):
    run, policy = small_run()
    opened = []

    class Opened:
        def __init__(self):
            self.identity = {"settings": {"ranks": 6, "game": {}, "abstraction": {}}}

        def __getattr__(self, name):
            return getattr(run, name)

        def policy(self, name, others=()):
            opened.append(name)
            return policy

    monkeypatch.setattr(stage, "open_run", lambda folder: Opened())
    monkeypatch.setattr(stage, "Searcher", lambda run, policy, config: fixed(run, policy))
    out = tmp_path / "gain.json"
    config = CONFIG.changed(blueprint=form)
    stage.gain(tmp_path, SearchSettings(config), HandsAsked(6, 1), None, 50, 1, out)
    assert opened == [form]
    result = json.loads(out.read_text())
    actual = result["protocol"]
    assert "in expectation over private hands" in actual["payoff"]
    assert actual["sample"] == "hand of blueprint play (mean over the seats)"
    assert (actual["unit"], actual["seats"], actual["big_blind"]) == ("mbb/game", 3, 100)
    assert result["hands"] == 6
    for row in result["gain"].values():
        assert {"mean", "standard_error", "interval", "level"} <= set(row)


def test_gain__of_a_round_alone_refuses_branches(tmp_path, monkeypatch):
    run, _ = small_run()
    monkeypatch.setattr(stage, "open_run", lambda folder: run)
    asked = HandsAsked(6, 1, branches=(1, 1, 6))
    with pytest.raises(UserError, match="--branches 1 1 6 with --round 1: a round alone does"):
        stage.gain(tmp_path, SearchSettings(CONFIG), asked, 1, 50, 1, tmp_path / "o")


def test_whole__says_in_how_many_ways_hands_go_on():
    run, policy = small_run()
    designs = []
    for branches in ((1, 1, 1, 1), (1, 1, 1, 2)):
        cache = SearchCache(finds(Bluffer, run, policy))
        measurement = Measurement(run, policy, 20, branches)
        designs.append(whole(measurement, CONFIG, cache, NumberedHands(4, 5))["design"])
    assert (
        designs[1] == designs[0] + "; a hand goes on in 1, 1 and 2 ways into flop, turn and river"
    )
