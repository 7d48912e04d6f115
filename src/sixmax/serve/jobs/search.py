"""A search of a spot, as `sixmax advise` makes it, as plain JSON values."""

from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np

from sixmax.api.spots.searched import SETTINGS, SearchedSpot, search_at, why_not
from sixmax.api.strategy import Strategy, by_class, rounded
from sixmax.base.jit import set_threads
from sixmax.betting.rules import HIGH
from sixmax.blueprint.run import Run
from sixmax.cards.deck import classes
from sixmax.search.config import SearchSettings, search_config
from sixmax.search.public_hand import PublicHand
from sixmax.search.solvers.problem import Begin
from sixmax.serve.library import Library
from sixmax.serve.spot import option_of

SEED = 1  # that of `sixmax advise`
_SOLVED = 2  # hands kept with their solutions, for values that are asked for later
_QUICK = 4  # board cards from which values of all hands take less than a second


class SearchQuestion(NamedTuple):
    """A search: the spot's betting and board, and the setting, "full" or "fast".

    ``values``: with the value of every hand, where that takes long.
    """

    actions: str
    board: str
    setting: str
    values: bool = False

    @property
    def fields(self) -> dict[str, Any]:
        """The rest of the question, as plain JSON values."""
        return {"setting": self.setting, "values": self.values}


class SpotSearch:
    """Answers questions about the spots of ``library``'s run."""

    def __init__(self, library: Library, config: str | None, threads: int):
        """``config`` is JSON, as the commands that search take it. Raises UserError."""
        self._opened, self._threads = library.opened, threads
        folder = self._opened.folder
        self.configs = {name: search_config(config, name, folder=folder) for name in SETTINGS}
        self._solved: OrderedDict[tuple[str, str, str], SearchedSpot] = OrderedDict()

    def why_not(self) -> str:
        """The reason why this run cannot be searched; "" where it can."""
        return why_not(self._opened)

    def __call__(self, question: SearchQuestion, begin: Begin) -> dict[str, Any]:
        """The search of a spot. Raises UserError for an impossible one."""
        set_threads(self._threads)  # of this thread
        result = self._searched(question, begin)
        hand, strategy, run = result.hand, result.chart, self._opened.run
        ready = result.has_values and (question.values or len(hand.board) >= _QUICK)
        betting, base = hand.betting, base_of(hand)
        return {
            "label": result.label,
            "options": [option_of(betting, action, base) for action in strategy.offered],
            "waits": False,
            "buckets": 0,
            **strategy.to_dict(),
            "average": result.average.to_dict(),
            "beliefs": [
                {"seat": name, "grid": rounded(result.range(name).heights)}
                for seat, name in enumerate(betting.names)
                if betting.contenders >> seat & 1
            ],
            "values": "ready" if ready else "on request" if result.has_values else "none",
            "ev": _by_class(result.chips, strategy, run) if ready else None,
        }

    def _searched(self, question: SearchQuestion, begin: Begin) -> SearchedSpot:
        """The spot, searched; one that was solved before is kept."""
        key = question[:3]
        if key not in self._solved:
            search = SearchSettings(self.configs[question.setting], question.setting)
            at = question.actions, question.board
            self._solved[key] = search_at(self._opened, *at, search, SEED, begin)
            while len(self._solved) > _SOLVED:
                self._solved.popitem(last=False)
        return self._solved[key]


def base_of(hand: PublicHand) -> int:
    """Chips that each player in the hand had put in before this round."""
    return int(hand.rounds[-1].root[HIGH]) if hand.betting.round else max(hand.game.antes)


def _by_class(value: np.ndarray, strategy: Strategy, run: Run) -> dict[str, Any]:
    """Values as :func:`sixmax.serve.jobs.worth.as_values` has them, of the mix alone: exact."""
    known = np.isfinite(value) & (strategy.bucket >= 0)
    weight, label, chips = strategy.weight * known, classes(run.ranks), np.where(known, value, 0)
    by = by_class(chips[:, None], weight, known.astype(float), run.ranks)[:, 0]
    holes: dict[int, list] = {}
    for hole in np.flatnonzero(strategy.bucket >= 0):
        one = _exactly(chips[hole]) if known[hole] else None
        holes.setdefault(int(label[hole]), []).append(one)
    return {
        "range": _exactly(weight @ chips / max(weight.sum(), 1e-300)),
        "classes": [None if np.isnan(v) else _exactly(v) for v in by],
        "holes": holes,
    }


def _exactly(chips: float) -> list[list[float]]:
    return [[round(float(chips), 2), 0.0]]
