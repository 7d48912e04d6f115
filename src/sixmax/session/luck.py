"""The result of a person, as the cards fell and with less luck: AIVAT of a stranger.

Nobody knows a person's strategy, so the person's own actions get no correction. AIVAT scores each
agent at the table, whose strategies are known; the person's score is minus their sum (supplement,
"Variance reduction via AIVAT"). Its mean is that of the chips won.
"""

import functools
import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.agents.registry import open_agents
from sixmax.betting.config import SEEN
from sixmax.blueprint.run import Run
from sixmax.evaluation.aivat.recorded import Recorded, Taken
from sixmax.evaluation.aivat.scored_match import COLUMNS
from sixmax.evaluation.aivat.values import STORE, Values, load
from sixmax.scores.statistics import Sums

AIVAT = COLUMNS.index("AIVAT")


class PlayedHand(NamedTuple):
    """A hand that is over, as AIVAT reads it.

    cards: int8[2 seats + 5], dealt
    taken: all decisions, with the agents' policies
    state: seed of the boards that are drawn
    """

    cards: np.ndarray
    person: int
    taken: Sequence[Taken]
    state: np.uint64


class Luck:
    """Scores hands of a person among agents of ``run`` by ``values``, which were frozen before.

    Several threads may ask; they share a work space, so one waits for the other.
    """

    def __init__(self, run: Run, values: Values):
        self._run, self._values, self._lock = run, values, threading.Lock()

    @functools.cached_property
    def _recorded(self) -> Recorded:
        """Made when it is first needed: its kernels may have to be compiled."""
        game, (believed,) = open_agents(self._run, ["blueprint"])
        return Recorded(self._run, game, self._values, (believed, believed))

    def columns(self, hand: PlayedHand) -> np.ndarray:
        """Chips of the person by COLUMNS of AIVAT: float64[5]; the first are those won."""
        seats = (len(hand.cards) - SEEN[-1]) // 2
        won = np.zeros(len(COLUMNS))
        with self._lock:
            for seat in range(seats):
                if seat != hand.person:
                    won -= self._recorded.columns(hand.cards, seat, hand.taken, hand.state)
        return won


def open_luck(run: Run) -> Luck | None:
    """AIVAT by the values that are stored in ``run``; None where there are none.

    Raises UserError where they are of another run, or damaged.
    """
    return Luck(run, load(run)[0]) if (run.folder / STORE).exists() else None


class SessionScore(NamedTuple):
    """The result so far, in mbb a hand; a sample is a hand.

    adjusted: by AIVAT; None without a hand that it scored
    late: whether AIVAT has not scored all hands yet
    """

    won: Sums
    adjusted: Sums | None
    late: bool


class Scores:
    """The hands of a session that are over, scored by ``luck`` beside the play.

    AIVAT works in a thread, which ends with the program: its kernels may take minutes to compile.
    """

    def __init__(self, luck: Luck | None, big_blind: int):
        self.luck, self._big_blind = luck, big_blind
        self.won: list[float] = []  # mbb, as the next
        self.adjusted: list[float] = []
        self.unscored: list[PlayedHand] = []
        self._thread: threading.Thread | None = None
        self._error: Exception | None = None

    def add(self, chips: float, hand: PlayedHand) -> None:
        """Count a hand, which won ``chips``."""
        self.won.append(chips * 1000 / self._big_blind)
        if self.luck is not None:
            self.unscored.append(hand)

    def result(self, seconds: float | None = None) -> SessionScore:
        """The result so far; waits so many ``seconds`` for AIVAT at most, None: until it is there.

        Raises the error of the computation where that failed.
        """
        while self.unscored and self._error is None:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, daemon=True, name="aivat")
                self._thread.start()
            self._thread.join(seconds)
            if self._thread.is_alive():
                break
        if self._error is not None:
            raise self._error
        adjusted = Sums.of(np.array(self.adjusted)) if self.adjusted else None
        return SessionScore(Sums.of(np.array(self.won)), adjusted, bool(self.unscored))

    def _work(self) -> None:
        try:
            while self.unscored:
                chips = self.luck.columns(self.unscored[0])[AIVAT]
                self.adjusted.append(float(chips) * 1000 / self._big_blind)
                self.unscored.pop(0)
        except Exception as error:  # raised again where the result is asked for
            self._error = error
