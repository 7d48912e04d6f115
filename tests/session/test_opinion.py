"""Opinions: the rows of `sixmax strategy`, the play of the search, nothing of others' cards."""

import numpy as np
import pytest

from evaluation.seated import searchers
from search.holdem import RANKS
from session.person import Person, play
from sixmax.agents.player import Player
from sixmax.base.errors import UserError
from sixmax.cards.deck import as_cards, class_names, classes, hole_cards, hole_id
from sixmax.ongoing.hand import Play
from sixmax.ongoing.preflop_chart import class_strategy, find
from sixmax.session import opinion as module
from sixmax.session.opinion import Adviser, AskedHand, shares
from sixmax.session.session import Session

NOTHING = np.empty(0, np.int8)


@pytest.mark.parametrize("path", [(), ("f",), ("f", "r300"), ("r350", "f")])
def test_follow__gives_the_rows_of_the_strategy(run, path):
    """Before the flop, with a hand of every class."""
    adviser, node = Adviser(run), find(run, path)
    rows = class_strategy(run, run.policy("blueprint"), node)
    done = [{"f": -1, "c": 0}.get(word) or int(word[1:]) for word in path]
    seat = (2 + len(path)) % 3
    label = classes(RANKS)
    for k in range(len(class_names(RANKS))):
        hole = hole_cards(RANKS)[np.flatnonzero(label == k)[0]]
        asked = AskedHand(run.game, 1, seat, hole, [done], NOTHING, 3)
        (actual,) = adviser.follow(asked, cost=False)
        assert list(actual.offered) == run.tree.offered(node)
        np.testing.assert_allclose(actual.chance, rows[k])
        assert (actual.action, actual.worth, actual.cost) == (None, None, None)


def test_follow__the_opinion_of_an_agent_is_its_own_play(run):
    """The decisions of an agent are among those that it says it makes, as often as it says."""
    session, adviser, share = Session(run, ["blueprint"], seed=3), Adviser(run), []
    for record in play(session, 120, Person(2)):
        at = record.names.index("you")
        seat = (at + 1) % 3
        own = session.hand.own_seed
        for opinion in adviser.of_record(record, seat, own, cost=False):
            taken = opinion.offered.index(opinion.action)
            assert opinion.chance[taken] > 0
            share.append((opinion.share, float((opinion.chance**2).sum())))
    said, expected = np.array(share).T
    less = said - expected  # an action drawn from p has on average the share sum p^2
    assert len(less) > 150
    assert abs(less.mean()) < 4 * less.std() / np.sqrt(len(less))


def test_follow__by_search_is_what_the_search_plays(run, monkeypatch):
    small, once, players = searchers(3)
    monkeypatch.setattr(module, "open_players", lambda *args: [players[0]])
    adviser = Adviser(run, "search")
    hole, board = np.array([1, 22], np.int8), np.array([0, 5, 9], np.int8)
    asked = AskedHand(run.game, 1, 0, hole, [[0, 0, 0], []], board, 5)
    every = list(adviser.follow(asked, cost=False))
    assert [o.in_round for o in every] == [0, 1]
    other = players[1]
    other.begin(1, 0, hole, run.game, 5)
    for action in (0, 0, 0):
        other.see(action)
    other.deal(board)
    play_ = other.strategy()
    offered, chance = shares(play_, hole_id(*hole), None)
    assert every[1].offered == offered
    np.testing.assert_allclose(every[1].chance, chance)
    assert once.searches > 0


def test_follow__an_action_that_the_agent_has_not_is_shown_with_0(run):
    adviser = Adviser(run)
    hole = as_cards("AhKh", RANKS)
    actions = [[333, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    board = as_cards("9cTcJdQsAd", RANKS)
    first, *later = adviser.follow(AskedHand(run.game, 1, 2, hole, actions, board, 3))
    assert 333 in first.offered
    assert first.share == 0
    assert first.worth.of(333).n > 0
    assert list(first.offered) == sorted(first.offered)
    assert [o.in_round for o in later] == [1, 2, 3]
    assert [o.at for o in later] == [5, 8, 11]
    assert [o.before for o in later] == [333] * 3


def test_cost__is_chips_of_the_mix_less_those_of_the_action(run):
    adviser, hole = Adviser(run), as_cards("9h9c", RANKS)
    asked = AskedHand(run.game, 1, 2, hole, [[-1, 0, 0]], NOTHING, 3)
    (opinion,) = adviser.follow(asked)
    worth = [opinion.worth.of(action).mean for action in opinion.offered]
    assert opinion.cost.mean == pytest.approx(opinion.chance @ worth - worth[0])
    assert worth[0] == 0


def test_of_record__unseen_cards(run):
    record = play(Session(run, ["call"], seed=3), 1, Person(2))[0]
    holes = record.holes.copy()
    holes[1] = -1
    with pytest.raises(UserError, match=r"hand 1: the cards of .* are unknown"):
        Adviser(run).of_record(record._replace(holes=holes), 1, 1)


def test_adviser__an_agent_without_a_strategy(run, monkeypatch):
    class Silent(Player):
        name = "silent"

    monkeypatch.setattr(module, "open_players", lambda *args: [Silent()])
    adviser = Adviser(run, "silent")
    asked = AskedHand(run.game, 1, 2, as_cards("9h9c", RANKS), [[]], NOTHING, 3)
    with pytest.raises(UserError, match="agent 'silent' shows no strategy; ask another"):
        list(adviser.follow(asked))


def test_shares__the_action_taken_is_among_them():
    rows = np.array([[0.1, 0.5, 0.4]])
    offered, chance = shares(Play([0, 500, 2000], rows), 0, 700)
    assert offered == (0, 500, 700, 2000)
    np.testing.assert_allclose(chance, [0.1, 0.5, 0, 0.4])
