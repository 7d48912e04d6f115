"""The strategies that the site shows: agents of the run it was started with, and of another."""

import functools
from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

import numpy as np

from sixmax.blueprint.run import Run, snapshots, unknown_agent
from sixmax.continuation.stage import load_names
from sixmax.errors import UserError
from sixmax.evaluation.agents.open_players import check_run
from sixmax.evaluation.agents.policies import MatchGame, Policy, match_game
from sixmax.evaluation.agents.registry import BASELINES, continuation_name, open_agents
from sixmax.evaluation.match.two_runs import refuse_other_games
from sixmax.play.lookup import blueprint_buckets

AGAINST = "against:"  # before the name of an agent of the other run
_OPEN = 6  # policies kept open: some are copies in memory
_BOARDS = 64  # boards whose buckets are kept


class StrategySource(NamedTuple):
    """A strategy by its ``name`` in an address, in words, and the group that lists it."""

    name: str
    label: str
    group: str


class Opened(NamedTuple):
    """A strategy, ready to be read."""

    source: StrategySource
    run: Run
    game: MatchGame
    policy: Policy


class Library:
    """The runs that the server was started with. Nothing else is ever opened."""

    def __init__(self, run: Run, against: Run | None = None):
        """Raises UserError unless both are runs of hold'em, and of one real game."""
        check_run(run)
        self.runs = {"": run}
        if against is not None:
            refuse_other_games(run, against)
            self.runs[AGAINST] = against
        self._games = {place: match_game(r.tree, r.layout) for place, r in self.runs.items()}
        self._listed = {
            source.name: (place, source)
            for place, r in self.runs.items()
            for source in _sources(r, place)
        }
        self._open: OrderedDict[str, Opened] = OrderedDict()
        self._lock = Lock()
        for place in self.runs:
            self.open(place + "blueprint")  # a run that is not trained is refused at once

    @property
    def run(self) -> Run:
        """The run that is explored."""
        return self.runs[""]

    @property
    def sources(self) -> list[StrategySource]:
        """All strategies, the blueprint first."""
        return [source for _, source in self._listed.values()]

    def open(self, name: str) -> Opened:
        """The strategy ``name``. Raises UserError for one that is not listed."""
        if name not in self._listed:
            raise unknown_agent(self.run.folder, name, [n for n in self._listed if ":" in n])
        with self._lock:
            if name not in self._open:
                place, source = self._listed[name]
                run, game = self.runs[place], self._games[place]
                _, (policy,) = open_agents(run, [name.removeprefix(place)])
                self._open[name] = Opened(source, run, game, policy)
                while len(self._open) > _OPEN:
                    self._open.popitem(last=False)
            self._open.move_to_end(name)
            return self._open[name]

    @functools.lru_cache(maxsize=_BOARDS)  # noqa: B019 (a library lives as long as the server)
    def _buckets(self, place: str, board: bytes) -> np.ndarray:
        return blueprint_buckets(self.runs[place], np.frombuffer(board, np.int8))

    def buckets(self, opened: Opened, board: np.ndarray) -> np.ndarray:
        """The bucket of every hole on ``board`` int8[…]: int32[holes], -1 where it is blocked."""
        return self._buckets(self._listed[opened.source.name][0], board.tobytes())


def _sources(run: Run, place: str) -> list[StrategySource]:
    """The strategies of ``run``: those whose stores are there."""
    of = f" of {run.folder.name}" if place else ""
    names = [
        ("blueprint", "blueprint", "Blueprint"),
        ("blueprint-purified", "purified", "Blueprint"),
    ]
    last_first = snapshots(run.folder)[::-1]
    names += [(n, f"snapshot {int(n.rpartition('-')[2])}", "Snapshots") for n in last_first]
    names += [(continuation_name(n), n, "Continuations") for n in _continuations(run)]
    names += [(n, n, "Baselines") for n in BASELINES]
    return [StrategySource(place + n, label + of, group + of) for n, label, group in names]


def _continuations(run: Run) -> list[str]:
    try:
        return load_names(run)
    except UserError:  # a run without them can be explored, but not searched
        return []
