"""The matches of a run, and the stores that each of them needs."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from sixmax.agents.registry import BASELINES, continuation_name, snapshot_name
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
    return [snapshot_name(snapshots[0]) if name == "early" else name for name in PARTICIPANTS]


def pairings(
    snapshots: list[int], late: int, continuations: Sequence[str] = STRATEGIES
) -> list[Pairing]:
    """The matches of a run: the blueprint against everybody, each snapshot against one opponent.

    ``snapshots`` are the intervals after which one was taken; two of them are among the
    blueprint's opponents: the first, and the one after interval ``late``.
    ``continuations`` are the names of those of the run.
    """
    own = [snapshot_name(k) for k in dict.fromkeys((snapshots[0], late))]
    against = [*BASELINES, *own, *map(continuation_name, continuations)]
    over_training = [Pairing(snapshot_name(k), OPPONENT) for k in snapshots]
    return [Pairing("blueprint", b) for b in against] + over_training


def bounded(game: GameConfig) -> bool:
    """Whether the local best response can play ``game``: two players, hold'em to the river."""
    return game.cards == "holdem" and (game.seats, len(game.rounds)) == (2, 4)
