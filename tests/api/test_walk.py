"""Addresses: contents, refusals, and a way there and back that changes nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sixmax.api.walk import LONGEST, Address, Walk
from sixmax.base.errors import UserError
from sixmax.betting.state import spell


@given(st.builds(Address, *[st.text(max_size=12)] * 4))
def test_address__round_trip(address):
    filled = Address(*(v or d for v, d in zip(address, Address(), strict=True)))
    assert Address.of(filled.fields()) == filled


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"run": "/etc"}, "field 'run': wanted one of actions, board, agent, beside"),
        ({"board": 3}, "board: found int, wanted text"),
        ({"actions": "c" * (LONGEST + 1)}, "found 401 characters"),
    ],
)
def test_address__mistakes_are_told(fields, why):
    with pytest.raises(UserError, match=why):
        Address.of(fields)


@pytest.mark.parametrize(
    ("actions", "board", "why"),
    [
        ("r120", "", "raises to 120, wanted 200 to 2000"),
        ("cz", "", "wanted f, c and rN"),
        ("call", "", "did you mean 'c'"),
        ("ccf", "", "folds where checking is free"),
        ("ccc/", "AhKd", "found 2 cards, wanted 3 in round 2"),
        ("ccc/", "AhKdA", "found 'A', wanted a rank of"),
        ("ccc/", "AhKdAh", "dealt twice"),
        ("ccc/", "AhKd2c", "wanted a rank of 9TJQKA"),
        ("ccc/c", "", "found 0 cards, wanted 3"),
        ("c/", "AhKd9c", "round 1 is not over: SB is to act"),
        ("c/", "", "the round is not over; leave out the last slash"),
        ("ff/", "", "the hand is over; leave out the last slash"),
        ("ff/c", "AhKd9c", "the hand is over before round 2"),
        ("ffc", "", "after the hand is over"),
        ("c/c/c/c/c", "AhKd9cTsTd", "found 5 rounds, wanted 4"),
    ],
)
def test_walk__mistakes_are_told_as_advise_does(library, actions, board, why, refused):
    with refused(why):
        Address(actions, board).walk(library.open("blueprint"))


@given(choices=st.lists(st.integers(0, 9), max_size=12), seed=st.randoms())
def test_walk__legal_play_leads_to_its_own_address(library, choices, seed):
    walk, actions, board = Walk(library.open("blueprint")), "", ""
    deck = [rank + suit for rank in "9TJQKA" for suit in "cdhs"]
    seed.shuffle(deck)
    for choice in choices:
        if walk.betting.over:
            break
        if walk.needs_cards:
            cards = "".join(deck.pop() for _ in range(walk.needs_cards))
            walk.deal(cards)
            actions, board = actions + "/", board + cards
        low_high = walk.betting.raise_range or ()
        legal = [0, *low_high, *([-1] if walk.betting.to_call else [])]
        legal += [a for a in walk.here().strategy.offered if a not in legal]
        action = legal[choice % len(legal)]
        walk.act(action)
        actions += spell(action)
    actual = Address(actions, board).walk(library.open("blueprint"))
    assert actual.betting.hand.tolist() == walk.betting.hand.tolist()
    assert [d.played for d in actual.decisions] == [d.played for d in walk.decisions]
    assert actual.board.tolist() == walk.board.tolist()
