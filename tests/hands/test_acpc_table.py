"""Somebody else's player at our table, by the ACPC protocol over a socket."""

import contextlib
import re
import time

import numpy as np
import pytest

from evaluation.seated import PATIENCE, Wild, begun, over_a_socket, players
from oracles.judges.acpc import referee, verdicts
from search.holdem import RANKS
from sixmax.agents.acpc_client import Follower, connect
from sixmax.agents.acpc_player import AcpcPlayer, Listener
from sixmax.base.errors import UserError
from sixmax.evaluation.match.by_hand import hands
from sixmax.hands.acpc import form_game
from sixmax.hands.record import shift, to_line, turned, turned_rules


def at_our_table(seats, deals, mine, other, kind=Follower):
    """A match in which ``mine`` connects over a socket: seat and record of each hand; follower."""
    run, (one, *others) = players(seats, [mine] + ["random"] * (seats - 1))
    others = [other() for _ in others] if other else others
    with over_a_socket(run, one, kind) as (outside, follower):
        dealt = hands(outside, others, run.game, RANKS, deals, 3)
        return run, [(hero, record) for _, hero, record in dealt], follower


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_match__a_player_over_a_socket_wins_what_the_table_says(seats):
    _, result, follower = at_our_table(seats, 12, "blueprint", None)
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
    run, result, noted = at_our_table(seats, 60 // seats, kind, Wild, Noted)
    game = tmp_path / "x.game"
    game.write_text(form_game(turned_rules(run.game, shift(run.game))))
    lines = noted.lines + [to_line(turned(r, shift(r.rules))) for _, r in result]
    assert sum(line.count(":") == 5 for line in noted.lines) > 60  # answers
    judged = zip(verdicts(game, lines), lines, strict=True)
    assert [(verdict, line) for verdict, line in judged if verdict != "ok"] == []


def refused(speak, seconds=PATIENCE):
    """The error of our table of this patience: ``speak(connection)`` goes on after the version."""
    run, others = players(2, ["random"])
    listener = Listener(0, seconds)

    def caller():
        with connect("127.0.0.1", listener.port) as c, contextlib.suppress(OSError):
            c.sendall(b"VERSION:2.0.0\r\n")
            speak(c)

    thread, one = begun(caller), AcpcPlayer(listener, RANKS)
    with pytest.raises(UserError) as result, contextlib.closing(one):
        list(hands(one, others, run.game, RANKS, 5, 3))
    thread.join(PATIENCE)
    return str(result.value)


def test_table__an_illegal_action_over_the_socket_ends_the_match_in_one_line():
    def cheat(c):
        for line in c.makefile("rb"):
            c.sendall(line.strip() + b":r101\r\n")

    assert re.match(r"acpc-\d+, hand \d+: .* raises to 101", refused(cheat))


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        (b"# a moment\r\n", "hand 0: no answer in time$"),
        (b"#", "hand 0: no answer in time$"),
        (b"#" * 70_000, "a line of 65,536 bytes or more"),
    ],
    ids=["comments", "bytes", "a line without end"],
)
def test_table__patience_is_one_for_the_whole_answer(say, expected):
    def speak(c):
        while True:
            c.sendall(say)
            time.sleep(0.05)

    assert re.search(expected, refused(speak, 0.5))
