"""Somebody else's player at our table, by the ACPC protocol over a socket."""

import threading

import numpy as np
import pytest

from evaluation.seated import PATIENCE, Wild, players
from oracles.judges.acpc import referee, verdicts
from search.holdem import RANKS
from sixmax.agents.acpc_client import Follower, connect, serve
from sixmax.agents.acpc_player import AcpcPlayer, Listener
from sixmax.base.errors import UserError
from sixmax.evaluation.match.by_hand import hands
from sixmax.hands.acpc import form_game
from sixmax.hands.record import shift, to_line, turned, turned_rules


def begun(target):
    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    return thread


def at_our_table(seats, deals):
    """Lines of a match in which the one connects over a socket, and what it said it won."""
    run, others = players(seats, ["random"] * (seats - 1))
    listener = Listener(0, PATIENCE)
    _, (mine,) = players(seats, ["blueprint"])
    follower = Follower(mine, run.game, RANKS, shift(run.game), 5)
    caller = begun(lambda: serve(follower, connect("127.0.0.1", listener.port), 0))
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
    caller = begun(lambda: serve(noted, connect("127.0.0.1", listener.port)))
    one, others = AcpcPlayer(listener, RANKS), [Wild() for _ in range(seats - 1)]
    result = [r for _, _, r in hands(one, others, run.game, RANKS, 60 // seats, 3)]
    one.close()
    caller.join(PATIENCE)
    game = tmp_path / "x.game"
    game.write_text(form_game(turned_rules(run.game, shift(run.game))))
    lines = noted.lines + [to_line(turned(r, shift(r.rules))) for r in result]
    assert sum(line.count(":") == 5 for line in noted.lines) > 60  # answers
    judged = zip(verdicts(game, lines), lines, strict=True)
    assert [(verdict, line) for verdict, line in judged if verdict != "ok"] == []


def test_table__an_illegal_action_over_the_socket_ends_the_match_in_one_line():
    run, others = players(2, ["random"])
    listener = Listener(0, PATIENCE)

    def cheat():
        with connect("127.0.0.1", listener.port) as c, c.makefile("rb") as lines:
            c.sendall(b"VERSION:2.0.0\r\n")
            for line in lines:
                c.sendall(line.strip() + b":r101\r\n")

    begun(cheat)
    one = AcpcPlayer(listener, RANKS)
    with pytest.raises(UserError, match=r"acpc-\d+, hand \d+: .* raises to 101"):
        list(hands(one, others, run.game, RANKS, 5, 3))
    one.close()


def said_after_the_version(say):
    """The error of our table of half a second's patience: the player goes on by ``say``."""
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

    thread = begun(caller)
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
