"""Matches hand by hand."""

import numpy as np
import pytest

from evaluation.seated import Wild, players
from search.holdem import RANKS, SEARCH, small_run
from sixmax.continuation.compress import pack
from sixmax.errors import UserError
from sixmax.evaluation.players import SearchPlayer
from sixmax.evaluation.record import from_line, to_line
from sixmax.evaluation.table import hands, play, protocol
from sixmax.game.rules import CALL
from sixmax.search.searcher import Searcher

HOW = protocol(3, 100, "small")


def match(kinds, deals=10, seed=3, boards=None, told=lambda record: None):
    run, (one, *others) = players(3, kinds)
    how = protocol(3, 100, "small", boards)
    return play(one, others, run.game, RANKS, how, deals, seed, boards, told)


def test_play__against_copies_of_itself_every_deal_breaks_even():
    """Where all agents are one, all rotations are one hand."""
    result = match(["blueprint"] * 3, 30)
    assert result.deals.total == pytest.approx(0)
    assert result.deals.square == pytest.approx(0)
    assert result.seat[0].square > 0
    assert result.hands == 90


def test_play__same_seed_same_lines_another_seed_others():
    one, two, other = [], [], []
    for found, seed in ((one, 3), (two, 3), (other, 4)):
        match(["blueprint", "random", "random"], 5, seed, told=lambda r, f=found: f.append(r))
    assert [to_line(r) for r in one] == [to_line(r) for r in two]
    assert [to_line(r) for r in one] != [to_line(r) for r in other]


def test_play__result_is_what_the_records_say_and_they_are_read_back():
    found = []
    result = match(["call", "random", "random"], 20, told=found.append)
    won = [r.net_mbb[k % 3] for k, r in enumerate(found)]
    assert result.deals.mean == pytest.approx(np.mean(won))
    for k, hand in enumerate(found):
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


class Raiser(Wild):
    def act(self, u):
        limits = self.betting.raise_range
        if limits is None or u > 0.7:
            return CALL
        return limits[0] + int((limits[1] - limits[0]) * u**4)


@pytest.mark.parametrize("kind", ["blueprint", "random", "call"])
def test_hands__opponents_off_the_tree(kind):
    run, others = players(3, [kind, kind])
    found = [r for _, _, r in hands(Raiser(), others, run.game, RANKS, 40, 1)]
    sizes = {a for r in found for part in r.actions for _, a in part if a > CALL}
    assert len(sizes) > 30
    assert sum(len(r.actions) > 1 for r in found) > 10


def test_hands__search_at_the_table():
    run, policy = small_run()
    config = SEARCH.model_copy(update={"buckets": 0, "iterations": 100, "batch": 20})
    searcher = Searcher(run, policy, config, packed=pack(run.tree, run.layout, policy, 5.0, 1))
    one = SearchPlayer(run, config, policy, searcher)
    found = [r for _, _, r in hands(one, [Raiser(), Raiser()], run.game, RANKS, 2, 1)]
    assert len(found) == 6
    assert {name for r in found for name in r.names} == {"search", "wild"}


def test_hands__an_illegal_action_names_player_and_hand():
    class Cheat(Wild):
        name = "cheat"

        def act(self, u):
            return 101

    run, others = players(3, ["call", "call"])
    with pytest.raises(UserError, match=r"cheat, hand 0: .* raises to 101, wanted 200 to 2000"):
        list(hands(Cheat(), others, run.game, RANKS, 1, 1))
