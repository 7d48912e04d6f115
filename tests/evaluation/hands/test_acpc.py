"""The ACPC protocol both ways: our player at a dealer, somebody else's at our table."""

import socket
import threading

import numpy as np
import pytest

from evaluation.seated import Wild, players
from oracles.games import holdem
from oracles.judges.acpc import referee, verdicts
from search.holdem import RANKS
from sixmax.errors import UserError
from sixmax.evaluation.agents.acpc_client import Follower, LostError, connect, serve
from sixmax.evaluation.agents.acpc_player import AcpcPlayer, Listener
from sixmax.evaluation.agents.player import TablePlayer
from sixmax.evaluation.hands.acpc import form_game, parse_state, read_answer, read_game
from sixmax.evaluation.hands.record import shift, to_line, turned, turned_rules
from sixmax.evaluation.match.by_hand import hands
from sixmax.game.rules import CALL

PATIENCE = 120.0  # seconds: on a busy machine


def at_our_table(seats, deals):
    """Lines of a match in which the one connects over a socket, and what it said it won."""
    run, others = players(seats, ["random"] * (seats - 1))
    listener = Listener(0, PATIENCE)
    _, (mine,) = players(seats, ["blueprint"])
    follower = Follower(mine, run.game, RANKS, shift(run.game), 5)
    caller = threading.Thread(
        target=lambda: serve(follower, connect("127.0.0.1", listener.port), 0),
        daemon=True,
    )
    caller.start()
    one = AcpcPlayer(listener, RANKS)
    result = [(hero, r) for _, hero, r in hands(one, others, run.game, RANKS, deals, 3)]
    one.close()
    caller.join(PATIENCE)
    assert not caller.is_alive()
    return run, result, follower


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_match__a_player_over_a_socket_wins_what_the_table_says(seats):
    _, result, follower = at_our_table(seats, 12)
    assert len(result) == 12 * seats
    assert follower.won == [record.payoffs[hero] for hero, record in result]
    assert np.abs(follower.won).sum() > 0


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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("STATE:0:30::9s8h|", "wanted MATCHSTATE:<position>:<hand>:<actions>:<cards>"),
        ("MATCHSTATE:0:30::|9s8h", "no cards of position 0"),
        ("MATCHSTATE:2:30::9s8h|", "no cards of position 2"),
        ("MATCHSTATE:0:30:x:9s8h|", "wanted f, c and rN"),
        ("MATCHSTATE:0:30::9s9s|", "dealt twice"),
    ],
)
def test_parse_state__damaged(line, expected):
    with pytest.raises(UserError, match=expected):
        parse_state(line)


def test_hear__an_illegal_action_of_the_dealer_is_named():
    follower = Follower(Caller(), holdem([20_000, 20_000]), 13, 0, 1)
    with pytest.raises(UserError, match="SB raises to 150, wanted 200 to 20000"):
        follower.hear("MATCHSTATE:0:30:r150:9s8h|")


@pytest.mark.parametrize("word", ["", "x", "r", "r0", "c c", "rr200"])
def test_read_answer__refuses(word):
    with pytest.raises(UserError, match="wanted f, c or rN"):
        read_answer(f"MATCHSTATE:0:30::9s8h|:{word}", "MATCHSTATE:0:30::9s8h|")


def test_read_answer__to_another_state():
    with pytest.raises(UserError, match="wanted MATCHSTATE:0:30"):
        read_answer("MATCHSTATE:0:31::9s8h|:c", "MATCHSTATE:0:30::9s8h|")


def test_game__written_and_read(tmp_path):
    game = holdem([10_000, 9_000, 8_000])
    path = tmp_path / "three.game"
    path.write_text(form_game(game))
    actual = read_game(path)
    for name in ("stacks", "blinds", "antes", "first"):
        assert getattr(actual, name) == getattr(game, name)


def test_game__of_other_bytes_and_words(tmp_path):
    path = tmp_path / "latin.game"
    path.write_bytes(b"# f\xfcr drei\n---- ours\n" + form_game(holdem([1000] * 3)).encode())
    assert read_game(path).stacks == [1000] * 3


@pytest.mark.parametrize("players", ["0", "-1", "11", "999999999999", "9" * 5000])
def test_game__of_too_many_players(tmp_path, players):
    path = tmp_path / "x.game"
    path.write_text(form_game(holdem([1000] * 3)).replace("Players = 3", f"Players = {players}"))
    with pytest.raises(UserError, match=str(path)):
        read_game(path)


class Noted(Follower):
    """Keeps what it hears, with the answer."""

    def hear(self, line):
        answer = super().hear(line)
        self.lines = [*getattr(self, "lines", []), answer or line.strip()]
        return answer


@pytest.mark.skipif(referee() is None, reason="no C++ compiler, or OpenSpiel without the ACPC")
@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("kind", ["blueprint", "random"])
def test_lines__the_acpcs_own_code_finds_every_one_legal(tmp_path, seats, kind):
    """Both what our dealer says and what our player answers, against raises of any size."""
    run, (mine,) = players(seats, [kind])
    listener = Listener(0, PATIENCE)
    noted = Noted(mine, run.game, RANKS, shift(run.game), 5)
    caller = threading.Thread(
        target=lambda: serve(noted, connect("127.0.0.1", listener.port)), daemon=True
    )
    caller.start()
    one, others = AcpcPlayer(listener, RANKS), [Wild() for _ in range(seats - 1)]
    result = [r for _, _, r in hands(one, others, run.game, RANKS, 60 // seats, 3)]
    one.close()
    caller.join(PATIENCE)
    game = tmp_path / "x.game"
    game.write_text(form_game(turned_rules(run.game, shift(run.game))))
    lines = noted.lines + [to_line(turned(r, shift(r.rules))) for r in result]
    assert sum(line.count(":") == 5 for line in noted.lines) > 60  # answers
    assert {
        (v, line) for v, line in zip(verdicts(game, lines), lines, strict=True) if v != "ok"
    } == (set())


@pytest.mark.skipif(referee() is None, reason="no C++ compiler, or OpenSpiel without the ACPC")
def test_verdicts__find_fault(tmp_path):
    game = tmp_path / "x.game"
    game.write_text(form_game(holdem([20_000, 20_000])))
    lines = [
        "MATCHSTATE:0:30:c:9s8h|:r150",
        "MATCHSTATE:0:30:c:9s8h|:f",
        "MATCHSTATE:0:30::9s8h|:c",
        "MATCHSTATE:0:30:c:9s8h|:r20001",
        "MATCHSTATE:0:30:c:9s8h|:r200x",
        "STATE:0:cc/r200c/cr600r1800f:9s8h|9c6h/8c5d6c/6s:500|-500:other|button",
        "STATE:0:cc/r200c/cr600r1800f:9s8h|9c6h/8c5d6c/6s:600|-600:other|button",
    ]
    illegal = "an illegal action"
    assert verdicts(game, lines) == [
        illegal, illegal, "out of turn", illegal, "not an action", "other payoffs", "ok",
    ]  # fmt: skip


def test_table__an_illegal_action_over_the_socket_ends_the_match_in_one_line():
    run, others = players(2, ["random"])
    listener = Listener(0, PATIENCE)

    def cheat():
        with connect("127.0.0.1", listener.port) as c, c.makefile("rb") as lines:
            c.sendall(b"VERSION:2.0.0\r\n")
            for line in lines:
                c.sendall(line.strip() + b":r101\r\n")

    thread = threading.Thread(target=cheat, daemon=True)
    thread.start()
    one = AcpcPlayer(listener, RANKS)
    with pytest.raises(UserError, match=r"acpc-\d+, hand \d+: .* raises to 101"):
        list(hands(one, others, run.game, RANKS, 5, 3))
    one.close()


def said_after_the_version(say):
    """What our table hears, at a patience of half a second, of a player that goes on by ``say``."""
    run, others = players(2, ["random"])
    listener, done = Listener(0, 0.5), threading.Event()

    def caller():
        with connect("127.0.0.1", listener.port) as c:
            c.sendall(b"VERSION:2.0.0\r\n")
            try:
                while not done.wait(0.05):
                    c.sendall(say)
            except OSError:
                pass

    thread = threading.Thread(target=caller, daemon=True)
    thread.start()
    one = AcpcPlayer(listener, RANKS)
    try:
        with pytest.raises(UserError) as result:
            list(hands(one, others, run.game, RANKS, 5, 3))
    finally:
        done.set()
        one.close()
        thread.join(PATIENCE)
    return str(result.value)


@pytest.mark.parametrize("say", [b"# a moment\r\n", b"#"], ids=["comments", "bytes"])
def test_table__patience_is_one_for_the_whole_answer(say):
    assert said_after_the_version(say).endswith("hand 0: no answer in time")


def test_table__a_line_without_end():
    assert "a line of 65,536 bytes or more" in said_after_the_version(b"#" * 70_000)
