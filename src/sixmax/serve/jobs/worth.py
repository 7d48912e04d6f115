"""The worth of each action to every hand at a spot, by roll-outs, as plain JSON values."""

from typing import Any, NamedTuple

import numpy as np

from sixmax.api.ev import EV
from sixmax.api.spots.spot import Spot
from sixmax.api.strategy import Strategy, by_class
from sixmax.base.jit import set_threads
from sixmax.cards.deck import classes
from sixmax.search.solvers.problem import Begin
from sixmax.serve.library import Library
from sixmax.session.range_worth import DEALS, PARTS, standard_error

SEED = 1


class WorthQuestion(NamedTuple):
    """The worth of actions at a spot where all play the strategy ``agent``."""

    actions: str
    board: str
    agent: str

    @property
    def fields(self) -> dict[str, Any]:
        """The rest of the question, as plain JSON values."""
        return {"agent": self.agent}


def spot_of(library: Library, question: WorthQuestion) -> Spot:
    """The spot of ``question``. Raises UserError for one that is impossible."""
    agent = library.open(question.agent)
    return agent.of.at(question.actions, question.board, agent.name)


class SpotWorth:
    """Answers questions about the spots of ``library``; ``tremble`` is that of a search."""

    def __init__(self, library: Library, tremble: float, threads: int, deals: int = DEALS):
        """``deals`` are those of each of PARTS parts."""
        self._library, self._tremble = library, tremble
        self._threads, self._deals = threads, deals

    def __call__(self, question: WorthQuestion, begin: Begin) -> dict[str, Any]:
        """The worth of each action of the strategy there. Raises UserError for a wrong spot."""
        set_threads(self._threads)  # of this thread
        spot = spot_of(self._library, question)
        ev = spot.ev(PARTS * self._deals, SEED, begin, self._tremble)
        return {"deals": ev.deals, "ev": as_values(ev, spot.chart)}


def as_values(ev: EV, strategy: Strategy) -> dict[str, Any]:
    """Rows [EV, standard error] in chips: of the strategy's own mix, then of each action.

    ``range``: of the whole range; ``classes``: of each class, null where it cannot be held;
    ``holes``: of the combos of a class, in the order of the chart's. Combos count by their reach.
    """
    known, ranks, (mean, off) = ev.known & strategy.free, strategy.ranks, ev.every
    weight, free = strategy.weight * known, known.astype(float)
    mean_class = by_class(mean.T, weight, free, ranks).T
    off_class = by_class(off.reshape(-1, len(free)).T, weight, free, ranks).T
    classes_of = _rows(mean_class, off_class.reshape(*off.shape[:2], -1))
    combos, holes = _rows(mean, off), dict[int, list]()
    for hole in np.flatnonzero(strategy.free):
        row = combos[hole] if known[hole] else None
        holes.setdefault(int(classes(ranks)[hole]), []).append(row)
    share = weight[:, None] / max(weight.sum(), 1e-300)
    return {
        "range": _rows(mean @ share, off @ share)[0],
        "classes": [None if row[0][0] != row[0][0] else row for row in classes_of],  # NaN != NaN
        "holes": None if strategy.free.all() else holes,
    }


def _rows(mean: np.ndarray, off: np.ndarray) -> list:
    """``mean`` float64[rows, n] and its error, from ``off`` float64[parts, rows, n], by n."""
    both = np.stack([mean, standard_error(off)], axis=-1)
    return np.round(both, 2).swapaxes(0, 1).tolist()
