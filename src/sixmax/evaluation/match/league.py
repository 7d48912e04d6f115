"""A league: agents of several runs of one game, each against copies of every other.

The yardstick between configs. Two runs of other trees and buckets meet in the real game
(:mod:`sixmax.evaluation.match.two_runs`), one among copies both ways round: A may win against
copies of B and B among copies of A, where there are more than two seats.
"""

import itertools
from pathlib import Path
from typing import Any, NamedTuple, Self

from sixmax.agents.registry import is_agent, known_agents, stores
from sixmax.base.errors import UserError
from sixmax.base.files import write_json
from sixmax.base.stage import stage
from sixmax.evaluation.match.stage import read_together, write_table


class Entrant(NamedTuple):
    """An agent of a run."""

    run: str
    agent: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """From ``run`` or ``run/agent``; the agent is the blueprint by default.

        Raises UserError for an agent that plays from no tables.
        """
        run, _, agent = text.partition("/")
        agent = agent or "blueprint"
        if not run or not is_agent(agent):
            raise UserError(
                f"entrant {text!r}: wanted a run, or a run and its agent as in "
                f"default/blueprint-purified; agents: {known_agents()}"
            )
        return cls(run, agent)

    @property
    def file(self) -> str:
        """As in the name of a result."""
        return f"{self.run}.{self.agent}"

    @property
    def files(self) -> list[str]:
        """The files that its agent plays from, as the workflow names them."""
        own = [f"results/{self.run}/{store}" for store in stores(self.agent)]
        return [f"results/{self.run}/blueprint/run.json", *own]


def refuse_missing(entrants: list[Entrant], own: str) -> None:
    """Raise UserError where nobody plays, or a run is missing that is not the run ``own``."""
    if not entrants:
        raise UserError("config.league is empty; name two or more, as in [default, other]")
    for entrant in entrants:
        for file in entrant.files:
            if entrant.run != own and not Path(file).exists():
                raise UserError(
                    f"config.league: found no {file}; make that run first, or leave it out"
                )


def matches(entrants: list[Entrant]) -> list[tuple[Entrant, Entrant]]:
    """Every entrant against copies of every other."""
    return list(itertools.permutations(entrants, 2))


@stage
def gather(files: list[Path], out: Path, text: Path) -> dict[str, Any]:
    """Write the results in ``files`` as one table, and return its values.

    ``out`` is JSON, ``text`` is for people. Raises UserError where they were not played by one
    protocol, or a pair occurs twice.
    """
    shared, rows = read_together(files)
    names = list(dict.fromkeys(name for row in rows for name in (row["a"], row["b"])))
    record = {"protocol": rows[0]["protocol"], "entrants": names, "matches": rows}
    write_json(out, record)
    write_table(shared, rows, text)
    return record
