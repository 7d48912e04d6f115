"""The strategies that the site shows: agents of the run it was started with, and of another."""

from collections.abc import Iterator
from typing import NamedTuple

from sixmax.agents.open_players import PLAYERS, check_run
from sixmax.api.run import Agent, OpenedRun
from sixmax.blueprint.run import Run, unknown_agent
from sixmax.evaluation.match.two_runs import refuse_other_games

AGAINST = "against:"  # before the name of an agent of the other run
_GROUPS = {"blueprint": "Blueprint", "snapshot": "Snapshots", "continuation": "Continuations"}


class StrategySource(NamedTuple):
    """A strategy by its ``name`` in an address, in words, and the group that lists it."""

    name: str
    label: str
    group: str


class Library:
    """The runs that the server was started with, and no other.

    ``sources`` are all strategies, the blueprint first; ``labels`` their words by name.
    """

    def __init__(self, run: Run, against: Run | None = None):
        """Raises UserError unless both are runs of hold'em, and of one real game."""
        check_run(run)
        self.runs = {"": OpenedRun(run)}
        if against is not None:
            refuse_other_games(run, against)
            self.runs[AGAINST] = OpenedRun(against)
        self.opened, self.run = self.runs[""], run  # those that are explored
        self.sources = [s for place, opened in self.runs.items() for s in _sources(opened, place)]
        self.labels = {source.name: source.label for source in self.sources}
        for place in self.runs:
            self.open(place + "blueprint")  # a run that is not trained is refused at once

    def open(self, name: str) -> Agent:
        """The strategy ``name``. Raises UserError for one that is not listed."""
        if name not in self.labels:
            raise unknown_agent(self.run.folder, name, [n for n in self.labels if ":" in n])
        place = AGAINST if name.startswith(AGAINST) else ""
        return self.runs[place].agent(name.removeprefix(place))


def _sources(opened: OpenedRun, place: str) -> Iterator[StrategySource]:
    """The agents of ``opened`` that have a table."""
    of = f" of {opened.name}" if place else ""
    for name in opened.agents:
        kind, _, rest = name.partition("-")
        label = f"snapshot {int(rest)}" if kind == "snapshot" else rest or name
        if name not in PLAYERS:
            yield StrategySource(place + name, label + of, _GROUPS.get(kind, "Baselines") + of)
