"""Our player at a dealer by the ACPC protocol: its answers, and the end of a match."""

import socket
import threading

import pytest

from evaluation.seated import PATIENCE
from oracles.games import holdem
from sixmax.agents.acpc_client import Follower, LostError, connect, serve
from sixmax.agents.player import TablePlayer
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL
from sixmax.hands.record import shift


class Script:
    """A dealer that says its lines and keeps what it hears."""

    def __init__(self, lines, end=True):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.heard, self.lines, self.end = [], lines, end
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        connection, _ = self.server.accept()
        with connection, connection.makefile("rb") as answers:
            self.heard.append(answers.readline())
            for line, answered in self.lines:
                connection.sendall(line.encode() + b"\r\n")
                if answered:
                    self.heard.append(answers.readline())
        self.server.close()


class Caller(TablePlayer):
    def __init__(self):
        self.name = "caller"

    def begin(self, *args):
        pass

    def deal(self, cards):
        pass

    def act(self, u):
        return CALL

    def see(self, action):
        pass


ONE_HAND = [
    ("# a comment", False),
    ("MATCHSTATE:0:30::9s8h|", False),  # two players: the big blind waits
    ("; another", False),
    ("MATCHSTATE:0:30:c:9s8h|", True),
    ("MATCHSTATE:0:30:cc/:9s8h|/8c5d6c", True),
    ("MATCHSTATE:0:30:cc/c:9s8h|/8c5d6c", False),
    ("MATCHSTATE:0:30:cc/cr250:9s8h|/8c5d6c", True),
    ("MATCHSTATE:0:30:cc/cr250c/:9s8h|/8c5d6c/6s", True),
    ("MATCHSTATE:0:30:cc/cr250c/c:9s8h|/8c5d6c/6s", False),
    ("MATCHSTATE:0:30:cc/cr250c/cc/:9s8h|/8c5d6c/6s/2h", True),
    ("MATCHSTATE:0:30:cc/cr250c/cc/cc:9s8h|9c6h/8c5d6c/6s/2h", False),
]


def test_serve__a_hand_of_two_players_answers_every_own_turn_with_the_same_line():
    dealer = Script(ONE_HAND)
    game = holdem([20_000, 20_000])
    follower = Follower(Caller(), game, 13, 0, 1)
    serve(follower, connect("127.0.0.1", dealer.port))
    dealer.thread.join(PATIENCE)
    asked = [line for line, answered in ONE_HAND if answered]
    assert dealer.heard == [b"VERSION:2.0.0\r\n", *(f"{a}:c\r\n".encode() for a in asked)]
    assert follower.won == [-250.0]  # two pair against a full house


def test_serve__the_small_blind_in_our_seat_0_is_the_dealers_seat_1():
    dealer = Script([("MATCHSTATE:1:4::|9s8h", True), ("MATCHSTATE:1:4:cr300f:|9s8h", False)])
    game = holdem([20_000, 20_000], blinds=[50, 100])
    game = game.model_copy(update={"first": [0, 1, 1, 1]})
    follower = Follower(Caller(), game, 13, shift(game), 1)
    serve(follower, connect("127.0.0.1", dealer.port))
    dealer.thread.join(PATIENCE)
    assert dealer.heard[1:] == [b"MATCHSTATE:1:4::|9s8h:c\r\n"]
    assert follower.won == [-100.0]


def test_serve__a_connection_lost_in_a_hand_is_one_line():
    dealer = Script(ONE_HAND[:7])
    follower = Follower(Caller(), holdem([20_000, 20_000]), 13, 0, 1)
    with pytest.raises(LostError) as error:
        serve(follower, connect("127.0.0.1", dealer.port))
    dealer.thread.join(PATIENCE)
    assert "lost the connection" in str(error.value)
    assert "in the middle of a hand, after 0 hands" in str(error.value)


def test_connect__nobody_there():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(UserError, match="no dealer answers"):
        connect("127.0.0.1", port)


def test_hear__a_line_said_twice_has_one_answer():
    follower = Follower(Caller(), holdem([20_000, 20_000]), 13, 0, 1)
    line = "MATCHSTATE:1:0::|9s8h"
    assert follower.hear(line) == follower.hear(line) == f"{line}:c"


def test_hear__an_illegal_action_of_the_dealer_is_named():
    follower = Follower(Caller(), holdem([20_000, 20_000]), 13, 0, 1)
    with pytest.raises(UserError, match="SB raises to 150, wanted 200 to 20000"):
        follower.hear("MATCHSTATE:0:30:r150:9s8h|")
