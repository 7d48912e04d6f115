"""Typed lines: their meaning, and one line about those that have none."""

import pytest

from sixmax.base.errors import UserError
from sixmax.session.person import parse
from sixmax.session.session import Session


@pytest.fixture
def facing(run):
    """The button before the flop, first in: 100 to call, raises to 200 up to 2,000."""
    return Session(run, ["call"], "BTN", seed=1).state()


@pytest.fixture
def flop(run):
    """The small blind on the flop, after all have called 100: a bet of 100 to 1,900."""
    session = Session(run, ["call"], "SB", seed=1)
    while session.state().round == "preflop" and not session.over:
        session.act(0) if session.waits else session.step()
    return session.state()


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("f", -1), ("FOLD", -1), ("c", 0), (" call\n", 0), ("k", 0), ("check", 0),
        ("r 250", 250), ("r250", 250), ("raise to 250", 250), ("bet 1,250", 1250), ("b 300", 300),
        ("r min", 200), ("r pot", 350), ("r half", 225), ("r 100%", 350), ("r 50 %", 225),
        ("r 3bb", 300), ("r 2.5bb", 250), ("r max", 2000), ("r all-in", 2000), ("a", 2000),
        ("all in", 2000), ("shove", 2000),
    ],
)  # fmt: skip
def test_parse__actions(facing, line, action):
    assert parse(line, facing).action == action


@pytest.mark.parametrize(
    ("line", "action"),
    [("b 100", 200), ("r pot", 400), ("r 50%", 250), ("r 3bb", 400), ("a", 2000), ("c", 0)],
)
def test_parse__sizes_are_chips_of_the_round(flop, line, action):
    assert flop.round == "flop"
    assert parse(line, flop).action == action


@pytest.mark.parametrize(
    ("line", "name"),
    [("o", "opinion"), ("?", "help"), ("h", "help"), ("q", "quit"), ("s", "score"), ("", "next")],
)
def test_parse__others(facing, line, name):
    command = parse(line, facing)
    assert (command.name, command.action) == (name, None)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("fodl", "'fodl' is no command; did you mean 'fold'?"),
        ("chekc", "did you mean 'check'?"),
        ("xyzzy", r"'xyzzy' is no command; \? lists the commands"),
        ("r", "raise to how much? legal: 200 to 2,000"),
        ("r 150", "to 150 is not legal; legal: 200 to 2,000"),
        ("r 2001", "to 2,001 is not legal"),
        ("r 99999999999999999999", "is not legal"),
        ("r 250.5", "250.5 chips: wanted whole chips"),
        ("r -250", "'r -250' is no command"),
        ("r 1,2,3", "wanted a legal size"),
        ("r 0%", "to 100 is not legal"),
        ("r 1e3", "no command"),
        ("\x1b[A\x00é", "no command"),
        ("a" * 10_000, "no command"),
    ],
)
def test_parse__mistakes(facing, line, message):
    with pytest.raises(UserError, match=message.replace("how much?", r"how much\?")) as error:
        parse(line, facing)
    assert len(str(error.value)) < 120


def test_parse__what_is_not_legal(flop, run):
    with pytest.raises(UserError, match="checking is free: c checks"):
        parse("f", flop)
    session = Session(run, ["call"], "SB", seed=1)
    assert not session.waits
    for line in ("f", "c", "r 300", "a"):
        with pytest.raises(UserError, match="it is not your turn"):
            parse(line, session.state())
    with pytest.raises(UserError, match="the hand is over: Enter deals the next"):
        parse("c", session.state()._replace(over=True))
    state = flop._replace(raises=None, to_call=0)
    for line in ("r 300", "r", "a"):
        with pytest.raises(UserError, match="no raise is legal here: c checks"):
            parse(line, state)


def test_parse__all_in_is_a_call_where_that_takes_all(facing):
    behind = facing.stacks[facing.seat]
    state = facing._replace(raises=None, to_call=behind)
    assert parse("a", state).action == 0
