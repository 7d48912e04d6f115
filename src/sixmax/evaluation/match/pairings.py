"""The matches of a run, and the stores that each of them needs."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from sixmax.agents.registry import BASELINES, continuation_name, snapshot_name
from sixmax.base.options import argument
from sixmax.betting.config import GameConfig
from sixmax.continuation.generate import STRATEGIES

BOUNDS = ("fc", "fcpa", "56bets", "56flop", "modicum-1", "modicum-2")  # of lbr.py
BOUNDED_AGENTS = ("blueprint", "random")  # uniform play beside the strategy
EARLY = "early"  # in a config: the snapshot that it calls so
OPPONENT = "rule"  # the fixed opponent of every snapshot


class Pairing(NamedTuple):
    """One match: ``a`` against copies of ``b``."""

    a: Annotated[str, argument("A")]
    b: Annotated[str, argument("B")]

    @property
    def name(self) -> str:
        """The file that its result has under ``evaluation/match``."""
        return f"{self.a}_vs_{self.b}"


def participants(names: list[str], snapshots: list[int], early: int) -> list[str]:
    """The agents that ``names`` of a config mean, each once; see :func:`pairings`."""
    meant = [snapshot_name(snapshots[early - 1]) if n == EARLY else n for n in names]
    return list(dict.fromkeys(meant))


def pairings(
    snapshots: list[int], early: int, late: int, continuations: Sequence[str] = STRATEGIES
) -> list[Pairing]:
    """The matches of a run: the blueprint against everybody, each snapshot against one opponent.

    ``snapshots`` are the intervals after which one was taken; two of them are among the
    blueprint's opponents: number ``early``, counted from 1, and the one after interval ``late``.
    ``continuations`` are the names of those of the run.
    """
    own = [snapshot_name(k) for k in dict.fromkeys((snapshots[early - 1], late))]
    against = [*BASELINES, *own, *map(continuation_name, continuations)]
    over_training = [Pairing(snapshot_name(k), OPPONENT) for k in snapshots]
    return [Pairing("blueprint", b) for b in against] + over_training


def bounded(game: GameConfig) -> bool:
    """Whether the local best response can play ``game``: two players, hold'em to the river."""
    return game.cards == "holdem" and (game.seats, len(game.rounds)) == (2, 4)
