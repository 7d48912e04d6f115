"""Matches hand by hand."""

import numpy as np
import pytest

from evaluation.seated import Wild, over_a_socket, players, searchers
from search.holdem import RANKS
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL
from sixmax.evaluation.match.by_hand import hands, play, play_hand
from sixmax.evaluation.match.duplicate import protocol
from sixmax.hands.record import from_line, to_line


def match(kinds, deals=10, seed=3, boards=None, listener=lambda record: None):
    run, (one, *others) = players(3, kinds)
    kind = protocol(3, 100, "small", boards)
    return play(one, others, run.game, RANKS, kind, deals, seed, boards, listener)


@pytest.mark.parametrize("boards", [None, 20])
def test_play__against_copies_of_itself_every_deal_breaks_even(boards):
    """Where all agents are one, all rotations are one hand, and so are the boards drawn for it."""
    result = match(["blueprint"] * 3, 30, boards=boards)
    assert result.deals.total == pytest.approx(0)
    assert result.deals.square == pytest.approx(0)
    assert result.seat[0].square > 0
    assert result.hands == 90


def test_play__one_deal_has_no_error():
    with pytest.raises(ValueError, match="1 deals, wanted at least 2"):
        match(["random"] * 3, 1)


def test_play__same_seed_same_lines_another_seed_others():
    one, two, other = [], [], []
    for result, seed in ((one, 3), (two, 3), (other, 4)):
        match(["blueprint", "random", "random"], 5, seed, listener=lambda r, f=result: f.append(r))
    assert [to_line(r) for r in one] == [to_line(r) for r in two]
    assert [to_line(r) for r in one] != [to_line(r) for r in other]


def test_play__result_is_what_the_records_say_and_they_are_read_back():
    hit = []
    result = match(["call", "random", "random"], 20, listener=hit.append)
    won = [10 * r.payoffs[k % 3] for k, r in enumerate(hit)]
    assert result.deals.mean == pytest.approx(np.mean(won))
    for k, hand in enumerate(hit):
        assert hand.number == k
        assert hand.names[k % 3] == "call"
        assert hand.payoffs.sum() == pytest.approx(0)
        again, net = from_line(to_line(hand), hand.rules, RANKS)
        assert again.actions == hand.actions
        np.testing.assert_array_equal(net, hand.payoffs)


def test_play__all_in_pots_over_boards_have_the_same_mean_and_less_noise():
    kinds = ["random", "random", "random"]
    plain, mean = (match(kinds, 60, boards=boards) for boards in (None, 50))
    assert plain.protocol != mean.protocol
    difference = plain.seat[0].mean - mean.seat[0].mean
    assert abs(difference) < 4 * plain.seat[0].standard_error
    assert sum(s.square for s in mean.seat) < sum(s.square for s in plain.seat)


@pytest.mark.parametrize("kind", ["blueprint", "random", "call"])
def test_hands__opponents_off_the_tree(kind):
    run, others = players(3, [kind, kind])
    result = [r for _, _, r in hands(Wild(), others, run.game, RANKS, 40, 1)]
    sizes = {a for r in result for part in r.actions for _, a in part if a > CALL}
    assert len(sizes) > 30
    assert sum(len(r.actions) > 1 for r in result) > 10


@pytest.mark.parametrize("seats", [3, pytest.param(6, marks=pytest.mark.slow)])
def test_hands__searchers_around_one_and_one_among_searchers(seats):
    run, once, team = searchers(seats)
    _, (call,) = players(seats, ["call"])
    for deal in (
        list(hands(call, team[1:], run.game, RANKS, 2, 1)),
        list(hands(team[0], team[1:], run.game, RANKS, 2, 1)),
    ):
        assert len(deal) == 2 * seats
        assert all(r.payoffs.sum() == pytest.approx(0) for _, _, r in deal)
    won = np.array([[r.payoffs[hero] for _, hero, r in deal[:seats]]])
    assert won.sum() == pytest.approx(0)  # copies of one agent: every rotation is one hand
    assert once.searches > 0


def test_play_hand__every_kind_of_player_in_every_seat():
    """Search twice, a table, a baseline, an ACPC player and raises of any size: at one table."""
    run, _, searching = searchers(6)
    _, (blueprint, call, mine) = players(6, ["blueprint", "call", "random"])
    won = []
    with over_a_socket(run, mine) as (external, follower):
        team = [*searching[:2], blueprint, call, external, Wild()]
        for k in range(6):
            cards = np.random.default_rng(k).permutation(4 * RANKS)[:17].astype(np.int8)
            result = play_hand(team[k:] + team[:k], run.game, RANKS, cards, k, k)
            won.append(result.payoffs[result.names.index(external.name)])
            again, net = from_line(to_line(result), result.rules, RANKS)
            np.testing.assert_array_equal(net, result.payoffs)
            assert again.actions == result.actions
    assert follower.won == won


def test_hands__an_illegal_action_names_player_and_hand():
    class Cheat(Wild):
        name = "cheat"

        def act(self, u):
            return 101

    run, others = players(3, ["call", "call"])
    with pytest.raises(UserError, match=r"cheat, hand 0: .* raises to 101, wanted 200 to 2000"):
        list(hands(Cheat(), others, run.game, RANKS, 1, 1))
