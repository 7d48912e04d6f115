"""A search of a spot, as `sixmax advise` makes it, as plain JSON values."""

from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np

from sixmax.betting.rules import HIGH
from sixmax.betting.tree import find
from sixmax.blueprint.run import Run
from sixmax.cards.deck import classes, holds
from sixmax.continuation.stage import load_names
from sixmax.errors import UserError
from sixmax.jit import set_threads
from sixmax.rng import child
from sixmax.search.advice import position, replay
from sixmax.search.config import search_config
from sixmax.search.public_hand import PublicHand
from sixmax.search.result import SolvedSubgame
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.problem import Begin
from sixmax.serve.library import Library
from sixmax.serve.spot import option_of
from sixmax.serve.strategy import Strategy, by_class, grid, range_grid

SETTINGS = ("full", "fast")
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
        self._run, self._threads = library.run, threads
        folder = self._run.folder
        self.configs = {name: search_config(config, name, folder=folder) for name in SETTINGS}
        self._solved: OrderedDict[tuple[str, str, str], PublicHand] = OrderedDict()

    def why_not(self) -> str:
        """The reason why this run cannot be searched; "" where it can."""
        try:
            load_names(self._run)
        except UserError:
            return "a search wants continuations, the run has none; run `snakemake continuation`"
        return ""

    def __call__(self, question: SearchQuestion, begin: Begin) -> dict[str, Any]:
        """The search of a spot. Raises UserError for an impossible one."""
        set_threads(self._threads)  # of this thread
        hand = self._hand(question, begin)
        play, belief, betting, run = hand.play(), hand.now(), hand.betting, self._run
        mine, free = belief[betting.actor], ~holds(hand.board, run.ranks)
        bucket = np.where(free, 0, -1)  # every hand has its own strategy
        strategy = Strategy(play.offered, play.played, mine / max(mine.max(), 1e-300), bucket)
        exact = has_values(hand)
        ready = exact and (question.values or len(hand.board) >= _QUICK)
        base = base_of(hand)
        return {
            "label": f"search, {question.setting}",
            "options": [option_of(betting, action, base) for action in play.offered],
            "waits": False,
            "buckets": 0,
            **grid(strategy, run.ranks),
            "average": grid(strategy._replace(rows=play.believed), run.ranks),
            "beliefs": [
                {"seat": name, "grid": range_grid(row, hand.board, run.ranks)}
                for seat, (name, row) in enumerate(zip(betting.names, belief, strict=True))
                if betting.contenders >> seat & 1
            ],
            "values": "ready" if ready else "on request" if exact else "none",
            "ev": _by_class(chips_from_here(hand), strategy, run) if ready else None,
        }

    def _hand(self, question: SearchQuestion, begin: Begin) -> PublicHand:
        """The public hand at the spot, searched; one that was solved before is kept."""
        key = question[:3]
        if key not in self._solved:
            hand = self._replayed(question, begin)
            # Here a search is asked for, whether or not an agent would make one.
            hand.rounds[-1].searching = True
            hand.play()
            self._solved[key] = hand
            while len(self._solved) > _SOLVED:
                self._solved.popitem(last=False)
        return self._solved[key]

    def _replayed(self, question: SearchQuestion, begin: Begin) -> PublicHand:
        played, dealt = position(question.actions, question.board)
        config = self.configs[question.setting]
        policy = self._run.policy(config.blueprint)
        searcher, own = Searcher(self._run, policy, config, begin), int(child(SEED, "advise"))

        def hand(seat: int | None = None) -> PublicHand:
            begun = PublicHand(self._run, policy, config, searcher, own, self._run.game, seat)
            return replay(begun, played, dealt)

        return hand(hand().betting.actor)


def base_of(hand: PublicHand) -> int:
    """Chips that each player in the hand had put in before this round."""
    return int(hand.rounds[-1].root[HIGH]) if hand.betting.round else max(hand.game.antes)


def has_values(hand: PublicHand) -> bool:
    """Whether the search of this round has the exact value of each hand at each decision.

    The solver of all hands at once has, as it alone keeps strategies of later rounds. The sampled
    one estimates values by 200 hands of poker each, which is too coarse to show.
    """
    result = hand.search()
    return isinstance(result, SolvedSubgame) and result.solution.next_round is not None


def chips_from_here(hand: PublicHand) -> np.ndarray:
    """The value of each hole of the player to act: float64[holes], chips from this decision on.

    All play the average strategy of the search from here on, so a fold is worth 0. NaN for hands
    that cannot be held.
    """
    result, done = hand.search(), tuple(hand.rounds[-1].done)
    net = result.solution.values_at(find(result.tree, done))
    return net[hand.betting.actor] + hand.betting.contributed[hand.betting.actor]


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
