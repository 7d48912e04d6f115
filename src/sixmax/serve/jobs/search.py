"""A search of a spot, as `sixmax advise` makes it, as plain JSON values."""

from typing import Any, NamedTuple

from sixmax.api.spot import SearchedSpot, search_at
from sixmax.api.strategy import rounded
from sixmax.betting.rules import HIGH
from sixmax.search.config import SearchSettings
from sixmax.search.settings import SPEEDS, search_config
from sixmax.search.solvers.problem import Begin
from sixmax.serve.jobs.worth import exact_values
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


class SpotSearch:
    """Answers questions about the spots of ``library``'s run."""

    def __init__(self, library: Library, config: str | None):
        """``config`` is JSON, as the commands that search take it. Raises UserError."""
        self._opened, full = library.opened, search_config(config, folder=library.opened.folder)
        self.configs = {name: full.at_speed(name) for name in SPEEDS}
        self._solved: dict[tuple[str, str, str], SearchedSpot] = {}

    def __call__(self, question: SearchQuestion, begin: Begin) -> dict[str, Any]:
        """The search of a spot. Raises UserError for an impossible one."""
        result = self._searched(question, begin)
        hand, strategy, betting = result.hand, result.chart, result.betting
        ready = result.has_values and (question.values or len(hand.board) >= _QUICK)
        base = int(hand.rounds[-1].root[HIGH]) if betting.round else max(hand.game.antes)
        return {
            "label": result.label, "waits": False, "buckets": 0,
            "options": [option_of(betting, action, base) for action in strategy.offered],
            **strategy.to_dict(),
            "beliefs": [
                {"seat": name, "grid": rounded(result.range(name).heights)}
                for name in (betting.names[seat] for seat in betting.left)
            ],
            "values": "ready" if ready else "on request" if result.has_values else "none",
            # The exact EV of the strategy's own mix, with each hand.
            "ev": exact_values(result.chips, strategy) if ready else None,
        }  # fmt: skip

    def _searched(self, question: SearchQuestion, begin: Begin) -> SearchedSpot:
        """The spot, searched; one that was solved before is kept."""
        key = question[:3]
        if key not in self._solved:
            search = SearchSettings(self.configs[question.setting], question.setting)
            at = question.actions, question.board
            self._solved[key] = search_at(self._opened, *at, search, SEED, begin)
            while len(self._solved) > _SOLVED:
                del self._solved[next(iter(self._solved))]
        return self._solved[key]
