"""Our players at a dealer by the ACPC protocol: every kind of player, hands, and mistakes."""

import socket

import numpy as np
import pytest

from agents.dealers import Script, match
from evaluation.seated import Wild, players, searchers
from oracles.games import holdem
from search.holdem import RANKS, small_run
from sixmax.agents.acpc_client import Follower, LostError, connect
from sixmax.agents.player import Player
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL
from sixmax.cli import main
from sixmax.evaluation.match import table
from sixmax.hands.record import shift


class Caller(Player):
    name = "caller"

    def act(self, u):
        return CALL


def follower(player=None, game=None):
    game = game or holdem([20_000, 20_000])
    return Follower(player or Caller(), game, 13, shift(game), 1)


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_serve__every_hand_at_the_dealers_table_is_legal_and_pays_what_it_says(seats):
    rules = holdem([2000] * seats)
    dealer, won = match([Wild() for _ in range(seats)], rules, 13, 60, seats)
    won = np.array(won).T
    np.testing.assert_allclose(won, dealer.won)
    assert np.abs(won.sum(axis=1)).max() < 1e-9
    assert len(set(dealer.raises)) > 40


@pytest.mark.parametrize("seats", [2, 3])
def test_serve__players_from_tables_among_raises_of_any_size(seats):
    run, (blueprint, random) = players(seats, ["blueprint", "random"])
    team = [blueprint, random, Wild()] if seats == 3 else [blueprint, Wild()]
    dealer, won = match(team, run.game, RANKS, 40, 1)
    np.testing.assert_allclose(np.array(won).T, dealer.won)
    assert np.abs(won).max() > 500


def test_serve__who_searches_beside_its_blueprint():
    run, (blueprint,) = players(3, ["blueprint"])
    dealer, won = match([*searchers(3)[2][:2], blueprint], run.game, RANKS, 6, 2)
    np.testing.assert_allclose(np.array(won).T, dealer.won)
    assert np.abs(won).max() > 0


ONE_HAND = [
    (b"# a comment\r\n", False),
    (b"MATCHSTATE:0:30::9s8h|\r\n", False),  # two players: the big blind waits
    (b"; another\r\n", False),
    (b"MATCHSTATE:0:30:c:9s8h|\r\n", True),
    (b"MATCHSTATE:0:30:cc/:9s8h|/8c5d6c\r\n", True),
    (b"MATCHSTATE:0:30:cc/c:9s8h|/8c5d6c\r\n", False),
    (b"MATCHSTATE:0:30:cc/cr250:9s8h|/8c5d6c\r\n", True),
    (b"MATCHSTATE:0:30:cc/cr250c/:9s8h|/8c5d6c/6s\r\n", True),
    (b"MATCHSTATE:0:30:cc/cr250c/c:9s8h|/8c5d6c/6s\r\n", False),
    (b"MATCHSTATE:0:30:cc/cr250c/cc/:9s8h|/8c5d6c/6s/2h\r\n", True),
    (b"MATCHSTATE:0:30:cc/cr250c/cc/cc:9s8h|9c6h/8c5d6c/6s/2h\r\n", False),
]


def test_serve__a_hand_of_two_players_answers_every_own_turn_with_the_same_line():
    dealer, one = Script(ONE_HAND), follower()
    dealer.serve(one)
    asked = [line.strip() for line, answered in ONE_HAND if answered]
    assert dealer.heard == [b"VERSION:2.0.0\r\n", *(a + b":c\r\n" for a in asked)]
    assert one.won == [-250.0]  # two pair against a full house


def test_serve__the_small_blind_in_our_seat_0_is_the_dealers_seat_1():
    lines = [(b"MATCHSTATE:1:4::|9s8h\r\n", True), (b"MATCHSTATE:1:4:cr300f:|9s8h\r\n", False)]
    game = holdem([20_000, 20_000], blinds=[50, 100])
    dealer = Script(lines)
    one = follower(game=game.model_copy(update={"first": [0, 1, 1, 1]}))
    dealer.serve(one)
    assert dealer.heard[1:] == [b"MATCHSTATE:1:4::|9s8h:c\r\n"]
    assert one.won == [-100.0]


@pytest.mark.parametrize(
    ("speech", "expected"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n", "found 'HTTP/1.1 400 Bad Request', wanted MATCHSTATE"),
        (b"\x00\xff\x16\x03\x01\n", "wanted MATCHSTATE:<position>:<hand>:<actions>:<cards>"),
        (b"MATCHSTATE:0:" + b"9" * 5000 + b"::9s8h|\r\n", "wanted"),
        (b"MATCHSTATE:0:1:r" + b"9" * 5000 + b":9s8h|\r\n", "wanted"),
        (b"MATCHSTATE:" + b"9" * 5000 + b":1::9s8h|\r\n", "wanted"),
        (b"A" * (1 << 17), "a line of 65,536 bytes or more"),
        (b"MATCHSTATE:0:1::9s8h||\r\n", "the dealer seats 3 players, the run 2"),
        (b"MATCHSTATE:1:1:cc:|9s8h\r\n", "0 board cards in round 1"),
        (b"MATCHSTATE:0:30:r150:9s8h|\r\n", "SB raises to 150, wanted 200 to 20000"),
        (b"MATCHSTATE:1:1::|9s8h", "closed by the dealer"),
    ],
)
def test_serve__whatever_a_dealer_says_is_one_line(speech, expected):
    with pytest.raises(UserError, match=expected) as error:
        Script([(speech, False)]).serve(follower(Wild()))
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("lines", "silent", "expected"),
    [
        (ONE_HAND[:7], False, "lost the connection .* in the middle of a hand, after 0 hands"),
        ([(b"# welcome\r\n", False)], False, "closed by the dealer.* before the first hand"),
        (ONE_HAND[1:2], True, r"not a word in 0\.2 s.* in the middle of a hand"),
    ],
)
def test_serve__a_dealer_that_goes_away_or_falls_silent(lines, silent, expected):
    with pytest.raises(LostError, match=expected):
        Script(lines, silent).serve(follower(), 0.2 if silent else 120.0)


def test_connect__nobody_there():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(UserError, match="no dealer answers"):
        connect("127.0.0.1", port)


def test_hear__a_line_said_twice_has_one_answer():
    one, line = follower(Wild()), "MATCHSTATE:1:0::|9s8h"
    assert one.hear(line) == one.hear(line)
    assert one.hear(line).startswith(f"{line}:")


def test_hear__any_damage_to_a_line_is_a_mistake_in_one_line():
    """A thousand states, letters changed, dropped and doubled: an answer, nothing, or one line."""
    random = np.random.default_rng(1)
    line = "MATCHSTATE:0:30:cc/cr250c/c:9s8h|/8c5d6c/6s"
    letters = list("MATCHSTE:0123456789crf/|shdc \x00é")
    outcomes = set()
    for _ in range(1000):
        text = list(line)
        for _ in range(random.integers(1, 4)):
            at = random.integers(len(text))
            text[at] = random.choice(["", text[at] * 2, random.choice(letters)])
        try:
            answer = follower(Wild(), holdem([2000, 2000])).hear("".join(text))
            outcomes.add("silence" if answer is None else "answer")
        except UserError as error:
            outcomes.add("line" if "\n" not in str(error) else "lines")
    assert outcomes == {"answer", "silence", "line"}


def test_acpc__a_lost_connection_is_one_line_and_exit_code_2(tmp_path, monkeypatch, capsys):
    run = small_run(2)[0]._replace(folder=tmp_path)
    monkeypatch.setattr(table, "open_run", lambda folder: run)
    dealer = Script([(b"MATCHSTATE:1:0::|AhKh\r\n", True)])
    command = ["sixmax", "acpc", "call", "127.0.0.1", str(dealer.port), "--run", "x"]
    monkeypatch.setattr("sys.argv", command)
    with pytest.raises(SystemExit) as left:
        main()
    dealer.thread.join(60)
    dealer.server.close()
    said = capsys.readouterr().err.splitlines()
    assert left.value.code == 2
    assert said[-1].startswith(f"sixmax: 127.0.0.1:{dealer.port}: lost the connection")
    assert len(said) == 2  # the other says who plays where
