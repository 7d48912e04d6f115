"""The pairs of agents that meet: in the matches of a run, and in a league of several runs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple, Self

from sixmax.agents import registry
from sixmax.base.errors import UserError
from sixmax.base.options import argument
from sixmax.betting.config import GameConfig
from sixmax.continuation.generate import STRATEGIES

BOUNDS = ("fc", "fcpa", "56bets", "56flop", "modicum-1", "modicum-2")  # of lbr.py
BOUNDED_AGENTS = ("blueprint", "random")  # uniform play beside the strategy
# Of the experiments; early: the first snapshot.
PARTICIPANTS = ("rule", "early", "continuation-fold", "continuation-call", "continuation-raise")
OPPONENT = "rule"  # the fixed opponent of every snapshot


class Pairing(NamedTuple):
    """One match: ``a`` against copies of ``b``."""

    a: Annotated[str, argument("A")]
    b: Annotated[str, argument("B")]

    @property
    def name(self) -> str:
        """The file that its result has under ``evaluation/match``."""
        return f"{self.a}_vs_{self.b}"


def participants(snapshots: list[int]) -> list[str]:
    """The agents of the experiments, where ``early`` is the first of the snapshots."""
    early = registry.snapshot_name(snapshots[0])
    return [early if name == "early" else name for name in PARTICIPANTS]


def pairings(
    snapshots: list[int], late: int, continuations: Sequence[str] = STRATEGIES
) -> list[Pairing]:
    """The matches of a run: the blueprint against everybody, each snapshot against one opponent.

    ``snapshots`` are the intervals after which one was taken; two of them are among the
    blueprint's opponents: the first, and the one after interval ``late``.
    ``continuations`` are the names of those of the run.
    """
    own = [registry.snapshot_name(k) for k in dict.fromkeys((snapshots[0], late))]
    against = [*registry.BASELINES, *own, *map(registry.continuation_name, continuations)]
    over_training = [Pairing(registry.snapshot_name(k), OPPONENT) for k in snapshots]
    return [Pairing("blueprint", b) for b in against] + over_training


def bounded(game: GameConfig) -> bool:
    """Whether the local best response can play ``game``: two players, hold'em to the river."""
    return game.cards == "holdem" and (game.seats, len(game.rounds)) == (2, 4)


class Entrant(NamedTuple):
    """An agent of a run, in a league: it meets every other, one among copies both ways round."""

    run: str
    agent: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """From ``run`` or ``run/agent``; the agent is the blueprint by default.

        Raises UserError for an agent that plays from no tables.
        """
        run, _, agent = text.partition("/")
        agent = agent or "blueprint"
        if not run or not registry.is_agent(agent):
            known = ", ".join(each.example for each in registry.AGENTS)
            raise UserError(
                f"entrant {text!r}: wanted a run, or a run and its agent as in "
                f"default/blueprint-purified; agents: {known}"
            )
        return cls(run, agent)

    @property
    def file(self) -> str:
        """As in the name of a result."""
        return f"{self.run}.{self.agent}"

    @property
    def files(self) -> list[str]:
        """The files that its agent plays from, as the workflow names them."""
        own = [f"results/{self.run}/{store}" for store in registry.stores(self.agent)]
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
