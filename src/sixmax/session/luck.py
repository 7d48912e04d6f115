"""The result of a person, with less luck: AIVAT, to which the person is a stranger.

Nobody knows a person's strategy, so the person's own actions get no correction. The agents around
are known: each of them is the hero of an AIVAT of its own, all agents known, and the person wins
their losses (supplement, "Variance reduction via AIVAT"). The mean is that of the chips won.
"""

import functools
from collections.abc import Sequence
from threading import Lock

import numpy as np

from sixmax.agents.registry import open_agents
from sixmax.betting.config import SEEN
from sixmax.blueprint.run import Run
from sixmax.evaluation.aivat.recorded import Recorded, Taken
from sixmax.evaluation.aivat.scored_match import COLUMNS
from sixmax.evaluation.aivat.values import STORE, Values, load

AIVAT = COLUMNS.index("AIVAT")


class Luck:
    """Scores hands of a person among agents of ``run`` by ``values``, which were frozen before.

    Several threads may ask; they share a work space, so one waits for the other.
    """

    def __init__(self, run: Run, values: Values):
        self._run, self._values, self._lock = run, values, Lock()

    @functools.cached_property
    def _recorded(self) -> Recorded:
        """Made when it is first needed: its kernels may have to be compiled."""
        game, (believed,) = open_agents(self._run, ["blueprint"])
        return Recorded(self._run, game, self._values, (believed, believed))

    def columns(
        self, cards: np.ndarray, person: int, taken: Sequence[Taken], state: np.uint64
    ) -> np.ndarray:
        """Chips of seat ``person`` by COLUMNS of AIVAT: float64[5]; the first are those won.

        ``cards`` int8[2 seats + board] were dealt, ``taken`` are all decisions of the hand, with
        the agents' policies, and ``state`` seeds the boards that are drawn.
        """
        seats = (len(cards) - SEEN[-1]) // 2
        won = np.zeros(len(COLUMNS))
        with self._lock:
            for seat in range(seats):
                if seat != person:
                    won -= self._recorded.columns(cards, seat, taken, state)
        return won


def open_luck(run: Run) -> Luck | None:
    """AIVAT by the values that are stored in ``run``; None where there are none.

    Raises UserError where they are of another run, or damaged.
    """
    return Luck(run, load(run)[0]) if (run.folder / STORE).exists() else None
