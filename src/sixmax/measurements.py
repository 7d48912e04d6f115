"""The measurements of a run: a row gives the command, the rule and the place in the report.

A row names a function; :mod:`sixmax.scores.measured` says how one is written. Nothing is imported
here, so that all may read the table.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

Config = Any  # sixmax.config.Config
Options = dict[str, Any]  # of a command, by their names; "" is the argument, None is left out


class MeasurementRow(NamedTuple):
    """One measurement of a run.

    ``needs`` are the inputs of its rule: ``blueprint``, or ``search`` with all that a player who
    searches reads; the command then gets the section ``search`` too. Where ``samples`` names an
    option, ``each`` of its samples are the work of a job, and the parts are merged.
    """

    place: str  # of its function, as in "evaluation.stacks:stacks"
    file: str  # of its result, in the folder of the run
    options: Callable[[Config], Options] = lambda config: {}
    wanted: Callable[[Config], Any] = lambda config: True
    needs: Callable[[Config], str] = lambda config: "blueprint"
    stores: Callable[[Config], dict[str, str]] = lambda config: {}  # options, files of the run
    samples: str = ""
    each: Callable[[Config], int] = lambda config: 0
    minutes: Callable[[Config], int] = lambda config: 30
    costs: bool = True  # a file with its time lies beside the result
    section: bool = False  # whether the report has a section of its own for it

    @property
    def files(self) -> list[str]:
        """Its result, and the file with its time."""
        return [self.file, self.file.replace(".json", "_cost.json")][: 1 + self.costs]

    def begins(self, config: Config) -> range:
        """The first samples of the jobs. The last has the rest, for one sample has no error."""
        return range(0, max(self.options(config)[self.samples] - 1, 1), self.each(config))

    def share(self, config: Config, begin: int) -> int:
        """How many samples the job from ``begin`` on has."""
        begins, total = self.begins(config), self.options(config)[self.samples]
        return begins.step if begin < begins[-1] else total - begin


def _searched(config: Config) -> bool:
    return config.game.cards == "holdem" and len(config.game.rounds) == 4


def _hands_of_gain(config: Config) -> Options:
    section = config.evaluation
    ways = section.search_branches
    return {
        "hands": section.search_hands,
        "seed": config.seed,
        "flops": config.search.flops if config.on_flops else None,
        "branches": None if ways == [1, 1, 1] else ways,
    }


def _exact(config: Config) -> bool:
    game = config.game
    return game.cards != "holdem" or (game.seats == 2 and len(game.rounds) <= 2)


MEASUREMENTS = {
    "response": MeasurementRow(
        "evaluation.exploitability.best_response:respond", "evaluation/response.json",
        wanted=_exact, costs=False, section=True,
    ),
    "compare": MeasurementRow(
        "evaluation.pluribus.stage:compare", "evaluation/firstin.json", minutes=lambda config: 10,
        costs=False, section=True,
    ),
    "ranges": MeasurementRow(
        "evaluation.ranges:ranges", "evaluation/ranges.json", minutes=lambda config: 10,
        costs=False, section=True,
    ),
    "pluribus": MeasurementRow(
        "evaluation.pluribus.stage:compare_pluribus", "evaluation/pluribus.json",
        options=lambda config: {
            "": config.evaluation.pluribus_hands,
            "seed": config.seed,
            "searched": config.evaluation.pluribus_search_hands,
        },
        wanted=lambda config: config.evaluation.pluribus_hands,
        needs=lambda config: "search" if config.evaluation.pluribus_search_hands else "blueprint",
        minutes=lambda config: 15 + config.evaluation.pluribus_search_hands, costs=False,
        section=True,
    ),
    "gain": MeasurementRow(
        "evaluation.search_gain.gain:gain", "evaluation/search/gain.json", _hands_of_gain,
        wanted=lambda config: _searched(config) and config.evaluation.search_hands,
        needs=lambda config: "search", samples="hands",
        each=lambda config: config.evaluation.search_hands_of_job,
        minutes=lambda config: 120, section=True,
    ),
    "duel": MeasurementRow(
        "evaluation.search_gain.duel:duel", "evaluation/search/duel.json",
        options=lambda config: {"deals": config.evaluation.search_deals, "seed": config.seed},
        wanted=lambda config: _searched(config) and config.evaluation.search_deals,
        needs=lambda config: "search",
        stores=lambda config: (
            {"values": "evaluation/values.zarr"} if config.evaluation.aivat_deals else {}
        ),
        minutes=lambda config: 60 + config.game.seats * config.evaluation.search_deals,
        section=True,
    ),
}  # fmt: skip
