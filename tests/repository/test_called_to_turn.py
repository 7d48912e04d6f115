"""Opponents who call to the turn: held to what a solution's values must be."""

import json

import numpy as np
import pytest
from benchmarks import called_to_turn
from benchmarks.called_to_turn import WAYS, ToTurn

from search.holdem import NESTED, RIVER, nested_searcher, small_run
from sixmax.betting.rules import CALL
from sixmax.blueprint.run import Run
from sixmax.evaluation.exploitability.lbr import PROTOCOLS
from sixmax.evaluation.exploitability.lbr_ranges import Deal, Hypothesis, RangeOpponent
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SearchCache

pytestmark = pytest.mark.usefixtures("one_thread")


def on_the_turn(me):
    """The public hand of the player, in the seat other than ``me``, where the turn begins."""
    hand = PublicHand(*small_run(2), NESTED, SearchCache(nested_searcher()), 1, seat=1 - me)
    for cards in ([], RIVER[:3]):
        if len(cards):
            hand.deal(cards)
        for _ in range(2):
            hand.act(CALL, 0.5)
    hand.deal(RIVER[3:4])
    return hand


def values(me, reach=None):
    """Of the ways, chips a pair of hands; the response holds the hands believed, or ``reach``."""
    hand = on_the_turn(me)
    beliefs = hand.beliefs()
    deal = Deal(hand.run.ranks, RIVER, np.arange(beliefs.shape[1]))
    walk, opponent = ToTurn(PROTOCOLS["fcpa"].menu, deal, me), Hypothesis(hand, beliefs[1 - me])
    reach = beliefs[me] if reach is None else reach
    return walk.value(RangeOpponent([opponent]), reach) / walk.mass(reach, beliefs[1 - me])


def test_value__of_the_hands_believed_is_the_solution_for_both_seats():
    both = [dict(zip(WAYS, values(me), strict=True)) for me in (0, 1)]
    for name in ("checks down", "plays the solution"):
        assert sum(of[name] for of in both) == pytest.approx(0, abs=1e-4)
    for of in both:
        assert of["is known, plays the solution"] == pytest.approx(of["plays the solution"])
        assert 0 <= of["responds best"] - of["plays the solution"] < 10
    assert abs(both[0]["plays the solution"] - both[0]["checks down"]) > 1


@pytest.mark.parametrize("me", [0, 1])
def test_value__of_strong_hands_alone_is_less_to_a_player_who_knows(me):
    hand = on_the_turn(me)
    deal = Deal(hand.run.ranks, RIVER, np.arange(hand.beliefs().shape[1]))
    strength = deal.won(4, hand.beliefs()[1 - me][:, None])[:, 0]
    reach = np.where(strength > np.quantile(strength, 0.8), hand.beliefs()[me], 0)
    _, played, best, known = values(me, reach)
    assert known < played - 10
    assert played <= best


def test_called__keeps_each_way_of_each_deal(tmp_path, monkeypatch):
    run, policy = small_run(2)
    monkeypatch.setattr(called_to_turn, "open_run", lambda folder: run)
    monkeypatch.setattr(Run, "policy", lambda self, name: policy)
    monkeypatch.setattr(called_to_turn, "Searcher", lambda *given: nested_searcher())
    out = tmp_path / "called.json"
    called_to_turn.called(tmp_path, NESTED, 3, 1, 1, out)
    won = json.loads(out.read_text())["won"]
    assert list(won) == list(WAYS)
    assert {len(set(row)) for row in won.values()} == {3}
    assert all(np.less(won["plays the solution"], won["responds best"]))
    assert all(np.less(won["is known, plays the solution"], won["responds best"]))
