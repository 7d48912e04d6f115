"""Our time at a dealer with limits: it is kept, and without limits nothing changes."""

import time

import numpy as np
import pytest

from agents.dealers import match
from commands import called
from evaluation.seated import PATIENCE, Opened, players
from oracles.judges.acpc_dealer import ForfeitError
from oracles.judges.acpc_dealer import Limits as Allowed
from search.holdem import RANKS, SEARCH, packed, small_run, small_searcher
from sixmax.agents import open_players as opening
from sixmax.agents.acpc_client import LAG, SAFE, Clock, Limits
from sixmax.agents.player import Player, SearchPlayer
from sixmax.betting.rules import CALL, FOLDERS
from sixmax.evaluation.match import table
from sixmax.evaluation.match.by_hand import play_hand
from sixmax.games.holdem import deal_cards
from sixmax.search.result import SearchCache
from sixmax.search.searcher import OutOfTimeError, Searcher

QUICK = SEARCH.changed(buckets=0, iterations=200, vector_iterations=[24, 24, 24, 12])
# Hours, and a solver that is cut between any two of them.
ENDLESS = SEARCH.changed(buckets=0, iterations=10**7, vector_iterations=[10**7] * 4)


class Time:
    """A clock on the wall that the test turns."""

    now = 0.0

    def __call__(self):
        return self.now


def first_asked(clock, rounds):
    """``clock`` where a hand begins, and we are asked with so many rounds left."""
    clock.next_hand()
    clock.ask(rounds)
    return clock


def test_clock__shares_of_a_hand_leave_something_for_each_later_decision():
    time_, limits = Time(), Limits(hand=8000)
    clock = Clock(limits, time_)
    clock.next_hand()
    spent = 0.0
    for rounds in (4, 3, 3, 2, 1, 1, 1):
        clock.ask(rounds)
        expected = (8.0 - spent) / (rounds + 1) - LAG
        assert clock.left() == pytest.approx(expected)
        assert expected > 0
        time_.now += expected
        assert clock.left() == pytest.approx(0)
        clock.answered()
        spent += expected + LAG
    assert spent < 8.0
    assert first_asked(clock, 4).left() == pytest.approx(8.0 / 5 - LAG)


def test_clock__time_of_a_match_is_saved_up_and_never_borrowed():
    time_ = Time()
    clock = Clock(Limits(per_hand=7000), time_)
    for _ in range(3):  # three hands that take no time, but for the lag
        first_asked(clock, 4).answered()
    assert first_asked(clock, 1).left() == pytest.approx((4 * 7.0 - 3 * LAG) / 2 - LAG)
    time_.now += 30
    clock.answered()
    assert first_asked(clock, 1).left() < 0.0 + (5 * 7.0 - 30) / 2


def test_clock__a_response_keeps_to_its_own_limit():
    clock = Clock(Limits(response=2000, hand=100_000), Time())
    assert first_asked(clock, 1).left() == pytest.approx(SAFE * 2.0 - LAG)
    assert first_asked(Clock(Limits(), Time()), 3).left() == np.inf


def searching(seats, config, left=None):
    """A player of the small run who searches, and its searcher with what it was asked."""
    run, policy = small_run(seats)
    searcher = SearchCache(small_searcher(config, seats, left=left))
    return SearchPlayer(run, config, policy, searcher), searcher


@pytest.mark.parametrize("seats", [2, 3])
def test_searcher__a_clock_that_never_strikes_changes_no_bit(seats):
    """Also a limit that is not reached: iterations go one by one, and the tables are the same."""
    run, policy = small_run(seats)
    cards = deal_cards(3, 0, seats, RANKS)
    results = []
    for left in (None, lambda: np.inf, lambda: 1e6):
        cache = SearchCache(small_searcher(QUICK, seats, left=left))
        team = [SearchPlayer(run, QUICK, policy, cache) for _ in range(seats)]
        record = play_hand(team, run.game, run.ranks, cards, 0, 5)
        tables = [r.average for r in cache._results.values()]
        results.append((record.actions, record.payoffs.tolist(), tables))
    assert len(results[0][2]) >= 2, "searches"
    for actions, payoffs, tables in results[1:]:
        assert (actions, payoffs) == results[0][:2]
        for expected, actual in zip(results[0][2], tables, strict=True):
            np.testing.assert_array_equal(expected, actual)


def test_searcher__has_no_result_where_time_is_up_or_iterations_are_few():
    def on_the_flop(config, seconds):
        player, _ = searching(2, config, left=lambda: seconds)
        player.begin(0, 1, np.array([0, 1], np.int8), small_run(2)[0].game, 1)
        for action in (CALL, CALL):
            player.see(action)
        player.deal(np.array([4, 9, 14], np.int8))
        return player

    with pytest.raises(OutOfTimeError, match=r"0\.01 s left"):
        on_the_flop(QUICK, 0.01)._hand.play()
    slow, begun = on_the_flop(ENDLESS, 0.2), time.monotonic()
    with pytest.raises(OutOfTimeError, match=rf"of {10**7} iterations"):
        slow._hand.play()
    assert time.monotonic() - begun < PATIENCE / 4
    expected = slow._hand.blueprint().rows
    slow.act(0.5)
    np.testing.assert_array_equal(slow._hand.play().rows, expected)


def test_search_player__goes_on_searching_in_the_next_round():
    left = Time()
    run, _ = small_run(2)
    player, cache = searching(2, QUICK, left)
    cards = deal_cards(3, 0, 2, RANKS)
    player.begin(0, 1, cards[2:4], run.game, 1)
    searched = []
    for number, seconds in enumerate((60.0, 0.0, 60.0, 60.0)):
        left.now = seconds
        if number:
            player.deal(cards[4:][:3] if number == 1 else cards[4:][number + 1 : number + 2])
        else:
            player.see(CALL)
        player.act(0.5)
        searched.append(cache.searches)
        for _ in range(2 if number else 1):
            player.see(CALL)
    assert searched == [0, 0, 1, 2]


def searched(limits, known, config, seats=2):
    """A match at a dealer that has ``limits``, of a searching player who has ``known`` limits."""
    run, (_, *others) = players(seats, ["call"] * seats)
    clock = None if known is None else Clock(known)
    player, cache = searching(seats, config, clock and clock.left)
    clocks = [clock, *[None] * len(others)]
    dealer, _ = match([player, *others], run.game, RANKS, 3, 1, limits, clocks)
    return dealer, cache


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_dealer__its_limits_are_kept_by_a_search_without_end(seats, monkeypatch):
    """Without the clock one search takes hours: the player would forfeit."""
    monkeypatch.setattr("sixmax.search.searcher.LEAST", 0.0)  # every cut search is played
    searched(None, None, QUICK, seats)  # kernels are compiled
    allowed = Allowed(response=4.0, hand=4.0, per_hand=2.0)
    dealer, cache = searched(allowed, Limits(4000, 4000, 2000), ENDLESS, seats)
    assert len(dealer.won) == 3
    assert cache.searches >= 3, "it searched, and not played the blueprint"
    assert dealer.took[0] > 1.0, "it used its time"


def test_dealer__a_player_without_a_clock_forfeits():
    class Slow(Player):
        name = "slow"

        def act(self, u):
            time.sleep(0.3)
            return CALL

    run, (caller,) = players(2, ["call"])
    with pytest.raises(ForfeitError, match="player 0"):
        match([Slow(), caller], run.game, RANKS, 3, 1, Allowed(9.0, 9.0, 0.2), seconds=1.0)


def test_acpc__limits_are_those_of_the_dealer_in_milliseconds(monkeypatch):
    given = []
    monkeypatch.setattr(table, "open_run", lambda folder: None)
    monkeypatch.setattr(table, "Clock", given.append)
    monkeypatch.setattr(table, "practise", lambda *_: given.append("practice"))
    command = ["acpc", "search", "localhost", "1", "--run", "x"]
    for options in ([], ["--t_per_hand", "7000"], ["--t_response", "1500", "--t_hand", "2000"]):
        with pytest.raises(AttributeError):  # there is no run to play
            called(*command, *options)
    assert given == [Limits(per_hand=7000), Limits(1500, 2000)]


@pytest.mark.parametrize("seats", [2, 3])
def test_practise__searches_with_two_players_and_with_all(seats, monkeypatch):
    run = Opened(seats)
    searched = []

    class Watched(Searcher):
        def __init__(self, *args, **options):
            super().__init__(*args, **options, packed=packed(seats))

        def __call__(self, position, frozen, seed):
            left = bin(int(position.state.root[FOLDERS])).count("1")
            searched.append((len(position.state.board), seats - left))
            return super().__call__(position, frozen, seed)

    monkeypatch.setattr(opening, "Searcher", Watched)
    table.practise(run, "search", QUICK)
    boards = (3, 4, 5)
    assert {(board, players) for board in boards for players in {2, seats}} == set(searched)
