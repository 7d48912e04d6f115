"""Sessions: chips as a replay has them, nothing seen too early, the same hands from a seed."""

import json

import numpy as np
import pytest

from search.holdem import RANKS
from session.person import Person, finish, play
from sixmax.base.errors import UserError
from sixmax.cards.deck import format_cards
from sixmax.hands.record import to_line
from sixmax.session import session as module
from sixmax.session.session import ROTATE, Session, first_seat

AGENTS = ["blueprint", "random"]


def test_state__shows_no_card_of_others_before_the_end(run):
    session = Session(run, AGENTS, seed=2)
    person, ends = Person(3), 0
    for _ in range(30):
        before, seen = [session.state()], finish(session, person)
        record = session.record
        others = [format_cards(h, RANKS) for p, h in enumerate(record.holes) if p != session.seat]
        hidden = {cards[i : i + 2] for cards in others for i in (0, 2)}
        to_come = format_cards(record.board, RANKS)
        for state in [*before, *seen[:-1]]:
            assert not state.over
            assert state.shown == ()
            assert state.won == ()
            text = json.dumps(state._asdict())
            assert not [card for card in hidden if f'"{card}' in text or f"{card}" in state.board]
            unseen = to_come[len(state.board) :]
            assert to_come.startswith(state.board)
            assert not unseen or unseen not in text
        ends += len(seen[-1].shown) == 3
        session.next_hand()
    assert ends == 30


def test_state__is_the_same_whatever_cards_the_others_hold(run, monkeypatch):
    """Agents that look at no cards: other cards of theirs change nothing before the end."""

    def seen(swap):
        def deal(*args):
            cards = dealt(*args)
            if swap:  # the seats of the others, and cards that are never dealt
                others = [seat for seat in range(3) if seat != at[0]]
                rest = np.setdiff1d(np.arange(4 * RANKS), cards)
                for seat, pair in zip(others, rest[:4].reshape(2, 2), strict=True):
                    cards[2 * seat : 2 * seat + 2] = pair
            return cards

        monkeypatch.setattr(module, "deal_cards", deal)
        session, person, states = Session(run, ["call"], "BTN", seed=6), Person(5), []
        for _ in range(8):
            states += finish(session, person)[:-1]
            session.next_hand()
        return states

    dealt, at = module.deal_cards, [first_seat(run, "BTN")]
    assert seen(False) == seen(True)


def test_session__the_same_seed_gives_the_same_hands(run):
    first, again, other = (
        [to_line(r) for r in play(Session(run, AGENTS, seed=seed), 15, Person(7))]
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_session__a_hand_depends_on_its_number_alone(run):
    records = play(Session(run, AGENTS, seed=1), 5, Person(7))
    later = Session(run, AGENTS, seed=1, first=4)
    assert later.state().number == 4
    np.testing.assert_array_equal(play(later, 1, Person(8))[0].holes, records[3].holes)


def test_seat__moves_on_or_stays(run):
    session, seats, order = Session(run, AGENTS, ROTATE, seed=1), [], set()
    for record in play(session, 6, Person(1)):
        seats.append(record.names.index("you"))
        at = record.names.index("you")
        order.add(record.names[at:] + record.names[:at])
    assert seats == [2, 1, 0, 2, 1, 0]  # the button comes nearer from behind
    assert order == {("you", *AGENTS)}
    fixed = play(Session(run, AGENTS, "SB", seed=1), 4, Person(1))
    assert {record.names.index("you") for record in fixed} == {0}


@pytest.mark.parametrize(("name", "seat"), [("BTN", 2), ("btn", 2), ("sb", 0), ("rotate", 2)])
def test_first_seat__by_its_name(run, name, seat):
    assert first_seat(run, name) == seat


@pytest.mark.parametrize(
    ("agents", "seat", "why"),
    [
        (AGENTS, "BTM", "seat 'BTM': unknown; did you mean 'BTN'"),
        (["call"] * 3, "BTN", "found 3 agents .* wanted one for all seats, or 2"),
        ([], "BTN", "found 0 agents .* wanted one for all seats, or 2"),
        (["blueprnt"], "BTN", "agent 'blueprnt': unknown"),
    ],
)
def test_session__refuses_names_that_there_are_not(run, agents, seat, why):
    with pytest.raises(UserError, match=why):
        Session(run, agents, seat)


def test_act__refuses_what_is_illegal_and_changes_nothing(run):
    session = Session(run, ["call"], "BTN", seed=1)
    before = session.state()
    assert before.mine
    for action in (1, 150, 2001, 10**9, -7):
        with pytest.raises(UserError):
            session.act(action)
    assert session.state() == before
    refuses(session.step, "no agent is to act")
    for end in (session.next_hand, session.review):
        refuses(end, "hand 1 is not over")
    session.act(-1)
    for mine in (lambda: session.act(0), session.opinion):
        refuses(mine, "it is not your turn")


def refuses(do, why):
    with pytest.raises(UserError, match=why):
        do()


def test_opinion__counts_as_help(run):
    session = Session(run, ["call"], "BTN", seed=1)
    assert session.helped == 0
    opinion = session.opinion()
    assert (session.helped, opinion.action) == (1, None)
    session.act(opinion.offered[-1])
    while not session.over:
        session.act(0) if session.waits else session.step()
    first = session.review()[0]
    assert session.helped == 1
    assert first.action == opinion.offered[-1]
    np.testing.assert_array_equal(first.chance, opinion.chance)
    np.testing.assert_array_equal(first.worth.won, opinion.worth.won)
