"""Hands in the ACPC format: read, written, replayed; Pluribus's own hands to the chip."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hands.small import LOGS, needs_logs
from oracles.cards import hand_value
from oracles.games import games, holdem
from sixmax.base.errors import UserError
from sixmax.betting.notation import Line, form, in_acpc_notation, parse, play_seats
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.state import Betting

SIX = (
    "STATE:7:r300ffffc/cr400c/cc/cc:2c2d|KcKd|AcAd|3c3d|4c4d|5c5d/7h8h9s/Jd/2s"
    ":-50|-700|750|0|0|0:a|b|c|d|e|f"
)
TWO = "STATE:0:cc/r200c/cr600r1800f:9s8h|9c6h/8c5d6c/6s:600|-600:other|button"
ALL_IN = (
    "STATE:3:ffffr10000c///:Ah2d|7s6s|3c3d|4c4d|5c5d|8c8d/Ad7h2s/Jd/Js"
    ":10000|-10000|0|0|0|0:a|b|c|d|e|f"
)


@cache
def value(hole, board):
    return hand_value(hole + board)


def ranks(holes, board):
    return [value(hole, board) if hole else 0 for hole in holes]


def play(record, game, place="hand"):
    betting = Betting(game)
    play_seats(record.actions, betting, place)
    return betting


def replay(record, game, rank=None, place="hand"):
    """Net chips; ``rank`` decides a showdown, or says who does by holes and board."""
    betting = play(record, game, place)
    assert betting.over
    if callable(rank):
        rank = rank(record.holes, "".join(record.boards)) if betting.showdown else None
    return betting.payoffs(rank)


def test_parse__six_players():
    actual = parse(SIX)
    assert actual.number == 7
    assert actual.actions[0] == (300, FOLD, FOLD, FOLD, FOLD, CALL)
    assert actual.actions[1:] == ((CALL, 400, CALL), (CALL, CALL), (CALL, CALL))
    assert actual.holes[2] == "AcAd"
    assert actual.boards == ("7h8h9s", "Jd", "2s")
    assert actual.payoffs == (-50, -700, 750, 0, 0, 0)
    assert actual.names == tuple("abcdef")


@pytest.mark.parametrize("line", [SIX, TWO, ALL_IN])
def test_form__is_the_inverse_of_parse(line):
    assert form(parse(line + "\n")) == line


def test_form__halves():
    line = SIX.replace("-50|-700|750", "-50|325.5|-275.5")
    assert form(parse(line)) == line


def test_replay__six_players():
    game = holdem([10_000] * 6)
    betting = play(parse(SIX), game)
    assert betting.showdown
    assert betting.contributed.tolist() == [50, 400, 400, 0, 0, 0]
    assert replay(parse(SIX), game, ranks).tolist() == [-50, -400, 450, 0, 0, 0]


def test_replay__two_players_seats_as_in_the_acpc():
    # seat 0 is the big blind and acts first after the flop
    actual = replay(parse(TWO), holdem([20_000] * 2))
    assert actual.tolist() == [600, -600]


def test_replay__all_in_before_the_flop():
    actual = replay(parse(ALL_IN), holdem([10_000] * 6), ranks)
    assert actual.tolist() == [10_000, -10_000, 0, 0, 0, 0]


def test_replay__ranks_may_be_given():
    actual = replay(parse(ALL_IN), holdem([10_000] * 6), [1, 1, 9, 0, 0, 0])
    assert actual.tolist() == [0] * 6


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("STATE", "HAND"), "found 'HAND:7:"),
        ((":a|b|c|d|e|f", ""), "wanted STATE:<hand>:<actions>:<cards>:<payoffs>:<names>"),
        ((":7:", ":x:"), "found hand number 'x', wanted up to 18 digits"),
        (("r300f", "b300f"), "found actions 'b300ffffc', wanted f, c and rN"),
        (("r300f", "rf"), "found actions 'rffffc', wanted f, c and rN"),
        (("-50|", "lots|"), "found payoff 'lots', wanted chips"),
        (("-50|", "nan|"), "found payoff 'nan', wanted chips"),
        (("AcAd", "AxAd"), "found cards 'AxAd', wanted 2 such as Ah"),
        (("7h8h9s", "7h8h"), "found cards '7h8h', wanted 3 such as Ah"),
        (("/Jd/", "/Ac/"), "the card Ac is dealt twice"),
        (("/Jd/2s", "/Jd"), "4 betting rounds and 2 boards"),
        (("a|b|", "b|"), "6 hands, 6 payoffs and 5 names"),
    ],
)
def test_parse__damaged_lines(change, expected, refused):
    with refused(expected, begins="x.log, line 4: "):
        parse(SIX.replace(*change), "x.log, line 4")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (("r300f", "r150f"), "action 1 of the hand, r150: UTG raises to 150, wanted 200 to 10000"),
        (("/cc/cc:", "/cf/cc:"), "action 11 of the hand, f: UTG folds"),
        (
            ("/cc/cc:", "/ccc/c:"),
            "action 12 of the hand, c, is in round 2, wanted round 3, where BB",
        ),
        (
            ("/cc/cc:", "/c/cc:"),
            "action 11 of the hand, c, is in round 3, wanted round 2, where UTG",
        ),
        (("/cc/cc:", "/cc/ccf:"), "action 14 of the hand, f: action 'f' after the hand is over"),
    ],
)
def test_replay__illegal_hands(change, expected, refused):
    line = SIX.replace(*change)
    assert line != SIX
    with refused(expected, begins="x.log, line 9: "):
        replay(parse(line), holdem([10_000] * 6), ranks, "x.log, line 9")


def test_replay__another_game():
    with pytest.raises(UserError, match="found 4 rounds, wanted 2"):
        replay(parse(SIX), holdem([10_000] * 6, rounds=2))


@settings(max_examples=100)
@given(games(seats=(2, 6)), st.randoms(use_true_random=False))
def test_replay__equals_play(game, random):
    betting = Betting(game)
    actions = [[] for _ in game.rounds]
    while not betting.over:
        low, high = betting.raise_range or (CALL, CALL)
        choices = [CALL, low, random.randint(low, high)] + [FOLD] * (betting.to_call > 0)
        action = random.choice(choices)
        actions[betting.round].append(action)
        betting.act(action)
    n, strengths = game.seats, [random.randint(0, 2) for _ in game.stacks]
    expected, taken = betting.payoffs(strengths), tuple(map(tuple, actions))
    boards = ("",) * (len(actions) - 1)
    record = Line(1, taken, ("",) * n, boards, tuple(expected), ("x",) * n)
    again = parse(form(record))
    assert again.actions == record.actions
    assert replay(again, game, strengths).tolist() == expected.tolist()
    assert again.payoffs == pytest.approx(expected)


@needs_logs
def test_replay__hands_of_pluribus():
    """Data File S1 of the paper, 2,200 of its 10,000 hands: every payoff to the half chip."""
    game = holdem([10_000] * 6)
    hands = 0
    for file in sorted(LOGS.glob("*.log")):
        for line in file.read_text().splitlines():
            if line.startswith("STATE:"):
                record = parse(line, file.name)
                actual = replay(record, game, ranks, f"{file.name}, hand {record.number}")
                assert tuple(actual) == record.payoffs
                hands += 1
    assert hands == 2200


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fold, raise to 250; call/check", "fr250c/c"),
        ("f c r225", "fcr225"),
        ("bet 300 folds", "r300f"),
        ("kb100", "cr100"),
        ("fr250c/c", "fr250c/c"),
        ("what", "what"),
        ("fkx", "fcc"),
        ("r1k", "r1k"),
        ("back", "back"),
    ],
)
def test_in_acpc_notation__spells_words_and_leaves_the_rest(text, expected):
    assert in_acpc_notation(text) == expected
