"""Our players at a dealer that shares no code with us, and at dealers that misbehave."""

import socket
import threading
from contextlib import suppress

import numpy as np
import pytest

from evaluation.seated import PATIENCE, Wild, players, searchers
from oracles.games import holdem
from oracles.judges.acpc_dealer import Dealer, Game
from search.holdem import RANKS, small_run
from sixmax.agents.acpc_client import Follower, LostError, connect, serve
from sixmax.base.errors import UserError
from sixmax.cards.deck import rank_names
from sixmax.cli import main
from sixmax.evaluation.match import table
from sixmax.hands.record import shift, turned_rules


def game_of(rules, ranks):
    """The dealer's game: that of the run, its seats as the protocol counts them."""
    turned = turned_rules(rules, shift(rules))
    return Game(turned.stacks, turned.blinds, turned.first, rank_names(ranks))


def match(team, rules, ranks, hands, seed):
    """A match of ``team`` at the dealer: the dealer, and what each player says that it won."""
    dealer = Dealer(game_of(rules, ranks), len(team), PATIENCE)
    followers = [Follower(one, rules, ranks, shift(rules), k) for k, one in enumerate(team)]
    threads = []
    for follower in followers:  # one after the other: the dealer seats them in this order
        connection = connect("127.0.0.1", dealer.port)
        args = follower, connection, 0, PATIENCE
        threads.append(threading.Thread(target=serve, args=args, daemon=True))
        threads[-1].start()
    dealer.play(hands, seed)
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    return dealer, np.array([f.won for f in followers]).T


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_serve__every_hand_at_the_dealers_table_is_legal_and_pays_what_it_says(seats):
    rules = holdem([2000] * seats)
    dealer, won = match([Wild() for _ in range(seats)], rules, 13, 60, seats)
    np.testing.assert_allclose(won, dealer.won)
    assert np.abs(won.sum(axis=1)).max() < 1e-9
    assert len(set(dealer.raises)) > 40


@pytest.mark.parametrize("seats", [2, 3])
def test_serve__players_from_tables_among_raises_of_any_size(seats):
    run, (blueprint, random) = players(seats, ["blueprint", "random"])
    team = [blueprint, random, Wild()][:seats] if seats == 3 else [blueprint, Wild()]
    dealer, won = match(team, run.game, RANKS, 40, 1)
    np.testing.assert_allclose(won, dealer.won)
    assert np.abs(won).max() > 500


def test_serve__who_searches_beside_its_blueprint():
    run, (blueprint,) = players(3, ["blueprint"])
    team = [*searchers(3)[2][:2], blueprint]
    dealer, won = match(team, run.game, RANKS, 6, 2)
    np.testing.assert_allclose(won, dealer.won)
    assert np.abs(won).max() > 0


def served(speech, rules=None, silent=False, seconds=PATIENCE):
    """The end of our player at a dealer that says ``speech`` and closes, or falls silent."""
    server = socket.create_server(("127.0.0.1", 0))
    port, done = server.getsockname()[1], threading.Event()

    def run():
        connection, _ = server.accept()
        with connection:
            with suppress(ConnectionError):
                connection.sendall(speech)
            if silent:
                done.wait(PATIENCE)
            with suppress(ConnectionError):  # it may be gone
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(1 << 12):
                    pass

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    follower = Follower(Wild(), rules or holdem([2000, 2000]), 13, 0, 1)
    try:
        serve(follower, connect("127.0.0.1", port), 0, seconds)
    finally:
        done.set()
        thread.join(PATIENCE)
        server.close()
    return follower


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
        (b"MATCHSTATE:1:1::|9s8h", "closed by the dealer"),
    ],
)
def test_serve__whatever_a_dealer_says_is_one_line(speech, expected):
    with pytest.raises(UserError, match=expected) as error:
        served(speech)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


def test_serve__a_dealer_that_goes_away_before_the_first_hand():
    with pytest.raises(LostError, match=r"closed by the dealer.* before the first hand"):
        served(b"# welcome\r\n")


def test_serve__a_silent_dealer_is_left():
    with pytest.raises(LostError, match=r"not a word in 0\.2 s.* in the middle of a hand"):
        served(b"MATCHSTATE:0:0::9s8h|\r\n", silent=True, seconds=0.2)


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
        follower = Follower(Wild(), holdem([2000, 2000]), 13, 0, 1)
        try:
            outcomes.add("silence" if follower.hear("".join(text)) is None else "answer")
        except UserError as error:
            outcomes.add("line" if "\n" not in str(error) else "lines")
    assert outcomes == {"answer", "silence", "line"}


def test_acpc__a_lost_connection_is_one_line_and_exit_code_2(tmp_path, monkeypatch, capsys):
    run = small_run(2)[0]._replace(folder=tmp_path)
    monkeypatch.setattr(table, "open_run", lambda folder: run)
    server = socket.create_server(("127.0.0.1", 0))
    port = server.getsockname()[1]

    def dealer():
        connection, _ = server.accept()
        with connection:
            connection.sendall(b"MATCHSTATE:1:0::|AhKh\r\n")
            connection.recv(100)

    thread = threading.Thread(target=dealer, daemon=True)
    thread.start()
    command = ["sixmax", "acpc", "call", "127.0.0.1", str(port), "--run", "x"]
    monkeypatch.setattr("sys.argv", command)
    with pytest.raises(SystemExit) as left:
        main()
    thread.join(PATIENCE)
    server.close()
    said = capsys.readouterr().err.splitlines()
    assert left.value.code == 2
    assert said[-1].startswith(f"sixmax: 127.0.0.1:{port}: lost the connection")
    assert len(said) == 2  # the other says who plays where
