"""Matches at a dealer that shares no code with us, and a dealer that says its lines."""

import socket
import threading
from contextlib import suppress

from evaluation.seated import PATIENCE
from oracles.judges.acpc_dealer import Dealer, Game
from sixmax.agents.acpc_client import Follower, LostError, connect, serve
from sixmax.cards.deck import rank_names
from sixmax.hands.record import shift, turned_rules


def game_of(rules, ranks):
    """The dealer's game: that of the run, its seats as the protocol counts them."""
    turned = turned_rules(rules, shift(rules))
    return Game(turned.stacks, turned.blinds, turned.first, rank_names(ranks))


def match(team, rules, ranks, hands, seed, limits=None, clocks=None, seconds=PATIENCE):
    """A match of ``team``, with ``clocks``: the dealer, and what each player says that it won."""
    dealer = Dealer(game_of(rules, ranks), len(team), PATIENCE, limits)
    followers, threads = [], []
    for k, (one, clock) in enumerate(zip(team, clocks or [None] * len(team), strict=True)):
        followers.append(Follower(one, rules, ranks, shift(rules), k, clock))
        # One after the other: the dealer seats them in this order.
        args = followers[-1], connect("127.0.0.1", dealer.port), seconds
        threads.append(threading.Thread(target=_served, args=args, daemon=True))
        threads[-1].start()
    try:
        dealer.play(hands, seed)
    finally:
        dealer.server.close()
    for thread in threads:
        thread.join(PATIENCE)
        assert not thread.is_alive()
    return dealer, [follower.won for follower in followers]


def _served(follower, connection, seconds):
    with suppress(LostError):
        serve(follower, connection, 0, seconds)


class Script:
    """A dealer that says ``lines`` and keeps what it hears, then closes or falls ``silent``.

    A line is bytes, and whether they are answered.
    """

    def __init__(self, lines, silent=False):
        self.server = socket.create_server(("127.0.0.1", 0))
        self.port = self.server.getsockname()[1]
        self.heard, self.lines, self.silent = [], lines, silent
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        connection, _ = self.server.accept()
        with connection, connection.makefile("rb") as answers, suppress(ConnectionError):
            self.heard.append(answers.readline())
            for speech, answered in self.lines:
                connection.sendall(speech)
                if answered:
                    self.heard.append(answers.readline())
            if self.silent:
                self.done.wait(PATIENCE)
            connection.shutdown(socket.SHUT_WR)
            answers.read()

    def serve(self, follower, seconds=PATIENCE):
        """Serve ``follower`` at this dealer until it closes."""
        try:
            serve(follower, connect("127.0.0.1", self.port), 0, seconds)
        finally:
            self.done.set()
            self.thread.join(PATIENCE)
            self.server.close()
