"""Players of a small run in memory, by seat, and players that connect to a table."""

import contextlib
import socket
import threading

from search.holdem import RANKS, SEARCH, small_run, small_searcher
from sixmax.agents import registry
from sixmax.agents.acpc_client import Follower, connect, serve
from sixmax.agents.acpc_player import AcpcPlayer, Listener
from sixmax.agents.player import Player, SearchPlayer, TablePlayer
from sixmax.base.errors import UserError
from sixmax.betting.rules import CALL, FOLD
from sixmax.betting.state import Betting
from sixmax.hands.record import shift
from sixmax.ongoing import policies
from sixmax.search.result import SearchCache

SETTINGS = {"ranks": 6, "game": {}, "abstraction": {}}
PATIENCE = 120.0  # seconds: on a busy machine


def blueprint(seats):
    """The run of ``search.holdem``, its game, and the policy of its blueprint."""
    run, policy = small_run(seats)
    game = policies.match_game(run.tree, run.layout)
    return run, game, policies.mixed(game, policy)


def players(seats, kinds):
    """The same run and a player of each of ``kinds``: blueprint, random or call."""
    run, game, policy = blueprint(seats)
    result = {
        "blueprint": policy, "random": registry.uniform(game), "call": registry.calling(game)
    }  # fmt: skip
    return run, [TablePlayer(run, kind, result[kind], game) for kind in kinds]


def searchers(seats):
    """The run, and as many players who search as seats, with the searches that they share."""
    run, policy = small_run(seats)
    quick = {"buckets": 0, "iterations": 100, "vector_iterations": [20, 20, 20, 5]}
    config = SEARCH.model_copy(update=quick)
    once = SearchCache(small_searcher(config, seats))
    return run, once, [SearchPlayer(run, config, policy, once) for _ in range(seats)]


def begun(target):
    """A thread that calls ``target``."""
    thread = threading.Thread(target=target, daemon=True)
    thread.start()
    return thread


@contextlib.contextmanager
def over_a_socket(run, mine, kind=Follower):
    """``mine`` at a table, by a follower of this ``kind``: who sits there for it; the follower."""
    listener, follower = Listener(0, PATIENCE), kind(mine, run.game, RANKS, shift(run.game), 5)
    caller = begun(lambda: serve(follower, connect("127.0.0.1", listener.port)))
    one = AcpcPlayer(listener, RANKS)
    yield one, follower
    one.close()
    caller.join(PATIENCE)
    assert not caller.is_alive()


def joined(host, guest):
    """The port on which ``host(port)`` listened, in a thread, and ``guest(port)`` connected."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    thread = begun(lambda: host(port))
    while thread.is_alive():
        try:
            guest(port)
            break
        except UserError:  # no dealer answers
            thread.join(0.05)
    thread.join(PATIENCE)
    return port


class Opened:
    """A run in memory that has a blueprint; ``asked`` are the names of policies asked for."""

    def __init__(self, seats=3):
        run, self._policy = small_run(seats)
        self.run, self.asked = run._replace(identity={"settings": SETTINGS}), []

    def __getattr__(self, name):
        return getattr(self.run, name)

    def policy(self, name, others=()):
        self.asked.append(name)
        return self._policy


class Wild(Player):
    """Raises to any number of chips that is legal: nothing that a tree offers."""

    name = "wild"

    def begin(self, number, seat, hole, game, seed):
        self.betting = Betting(game)

    def deal(self, cards):
        pass

    def act(self, u):
        limits = self.betting.raise_range
        if limits is None or u > 0.6:
            return FOLD if u > 0.9 and self.betting.to_call else CALL
        return limits[0] + int((limits[1] - limits[0]) * (u / 0.6) ** 6)

    def see(self, action):
        self.betting.act(action)
