"""A line of a plan, and shares that several lines take."""

from typing import NamedTuple

from sixmax.cards.deck import n_holes
from sixmax.config import Config


class PlanLine(NamedTuple):
    """One line of a plan. ``seconds`` are those of the stage's jobs, added up."""

    stage: str
    what: str  # the name of the rows
    rows: int
    memory_gb: float  # of its largest job
    disk_gb: float
    seconds: float
    at_once: int = 1  # such jobs that the cores hold; they run beside those of other stages


def share_of_default(config: Config) -> float:
    """The size of the rivers of a flop beside those of the full deck."""
    return n_holes(config.deck.ranks) ** 2 / n_holes(13) ** 2


def half(threads: int) -> int:
    """The threads of a job that leaves the other half of the cores to jobs beside it."""
    return max(1, threads // 2)
