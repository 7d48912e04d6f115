"""The strategies that the site shows: agents of the run it was started with, and of another."""

from typing import NamedTuple

from sixmax.agents.open_players import check_run
from sixmax.agents.registry import BASELINES, continuation_name
from sixmax.api.run import Agent, OpenedRun
from sixmax.blueprint.run import Run, snapshots, unknown_agent
from sixmax.evaluation.match.two_runs import refuse_other_games

AGAINST = "against:"  # before the name of an agent of the other run


class StrategySource(NamedTuple):
    """A strategy by its ``name`` in an address, in words, and the group that lists it."""

    name: str
    label: str
    group: str


class Library:
    """The runs that the server was started with. Nothing else is ever opened."""

    def __init__(self, run: Run, against: Run | None = None):
        """Raises UserError unless both are runs of hold'em, and of one real game."""
        check_run(run)
        self.runs = {"": OpenedRun(run)}
        if against is not None:
            refuse_other_games(run, against)
            self.runs[AGAINST] = OpenedRun(against)
        self._listed = {
            source.name: (place, source)
            for place, opened in self.runs.items()
            for source in _sources(opened, place)
        }
        for place in self.runs:
            self.open(place + "blueprint")  # a run that is not trained is refused at once

    @property
    def opened(self) -> OpenedRun:
        """The run that is explored."""
        return self.runs[""]

    @property
    def run(self) -> Run:
        """Its stores and its game."""
        return self.opened.run

    @property
    def sources(self) -> list[StrategySource]:
        """All strategies, the blueprint first."""
        return [source for _, source in self._listed.values()]

    def label(self, name: str) -> str:
        """The strategy ``name`` in words."""
        return self._listed[name][1].label

    def open(self, name: str) -> Agent:
        """The strategy ``name``. Raises UserError for one that is not listed."""
        if name not in self._listed:
            raise unknown_agent(self.run.folder, name, [n for n in self._listed if ":" in n])
        place, _ = self._listed[name]
        return self.runs[place].agent(name.removeprefix(place))


def _sources(opened: OpenedRun, place: str) -> list[StrategySource]:
    """The strategies of ``opened``: those whose stores are there."""
    of = f" of {opened.name}" if place else ""
    names = [
        ("blueprint", "blueprint", "Blueprint"),
        ("blueprint-purified", "purified", "Blueprint"),
    ]
    last_first = snapshots(opened.folder)[::-1]
    names += [(n, f"snapshot {int(n.rpartition('-')[2])}", "Snapshots") for n in last_first]
    names += [(continuation_name(n), n, "Continuations") for n in opened.continuations]
    names += [(n, n, "Baselines") for n in BASELINES]
    return [StrategySource(place + n, label + of, group + of) for n, label, group in names]
