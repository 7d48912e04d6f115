"""A search of a spot, as `sixmax advise` makes it, as plain JSON values."""

from typing import Any

import numpy as np

from sixmax.cards.deck import classes
from sixmax.continuation.stage import load
from sixmax.errors import UserError
from sixmax.game.rules import HIGH
from sixmax.game.tree import find
from sixmax.jit import set_threads
from sixmax.play.lookup import blueprint_buckets
from sixmax.rng import child
from sixmax.search.advice import position, replay
from sixmax.search.config import SearchConfig, search_config
from sixmax.search.public_hand import PublicHand
from sixmax.search.question import Play, SolvedSubgame
from sixmax.search.searcher import Searcher
from sixmax.search.solvers.problem import Begin
from sixmax.serve.library import Library
from sixmax.serve.search_job import Question
from sixmax.serve.spot import option_of
from sixmax.serve.strategy import Strategy, by_class, grid, range_grid, rounded

SETTINGS = ("full", "fast")
SEED = 1  # that of `sixmax advise`


class SpotSearch:
    """Answers questions about the spots of ``library``'s run."""

    def __init__(self, library: Library, config: str | None, threads: int):
        """``config`` is JSON, as the commands that search take it. Raises UserError."""
        self._run, self._threads = library.run, threads
        self.configs = {name: search_config(config, name) for name in SETTINGS}

    def why_not(self) -> str:
        """The reason why this run cannot be searched; "" where it can."""
        try:
            load(self._run)
        except UserError as error:
            return str(error)
        return ""

    def __call__(self, question: Question, begin: Begin) -> dict[str, Any]:
        """The search of a spot. Raises UserError for an impossible one."""
        set_threads(self._threads)  # of this thread
        config = self.configs[question.setting]
        hand = self.replayed(question, config, begin)
        current, betting, run = hand.rounds[-1], hand.betting, self._run
        # Here a search is asked for, whether or not an agent would make one.
        current.searching = True
        play, belief = hand.play(), hand.now()
        strategy = _strategy(run, hand, play, belief[betting.actor])
        value, base = chips_from_here(hand), base_of(hand)
        return {
            "label": f"search, {question.setting}",
            "options": [option_of(betting, action, base) for action in strategy.offered],
            "waits": False,
            "buckets": 0,
            **grid(strategy, run.ranks),
            "average": rounded(belief[betting.actor] @ play.believed),
            "beliefs": [
                {"seat": name, "grid": range_grid(row, hand.board, run.ranks)}
                for seat, (name, row) in enumerate(zip(betting.names, belief, strict=True))
                if betting.contenders >> seat & 1
            ],
            "ev": _by_class(value, strategy, run.ranks, run.big_blind),
        }

    def replayed(self, question: Question, config: SearchConfig, begin: Begin) -> PublicHand:
        """The public hand at the spot, of the player to act. Raises UserError."""
        played, dealt = position(question.actions, question.board)
        policy = self._run.policy(config.blueprint)
        searcher, own = Searcher(self._run, policy, config, begin), int(child(SEED, "advise"))

        def hand(seat: int | None = None) -> PublicHand:
            begun = PublicHand(self._run, policy, config, searcher, own, self._run.game, seat)
            return replay(begun, played, dealt)

        return hand(hand().betting.actor)


def base_of(hand: PublicHand) -> int:
    """Chips that each player in the hand had put in before this round."""
    return int(hand.rounds[-1].root[HIGH]) if hand.betting.round else max(hand.game.antes)


def _strategy(run: Any, hand: PublicHand, play: Play, belief: np.ndarray) -> Strategy:
    bucket = blueprint_buckets(run, hand.board)
    reach = belief / max(belief.max(), 1e-300)
    return Strategy(list(play.offered), play.played, reach, bucket)


def chips_from_here(hand: PublicHand) -> np.ndarray | None:
    """The value of each hole of the player to act, in chips from this decision on: float64[holes].

    All play the average strategy of the search from here on, so a fold is worth 0. NaN where the
    solver has none; None where it knows no values at this decision.
    """
    result, done = hand.search(), tuple(hand.rounds[-1].done)
    if not isinstance(result, SolvedSubgame):
        return None
    try:
        net = result.solution.values_at(find(result.tree, done))
    except ValueError:
        return None
    betting = hand.betting
    return net[betting.actor] + betting.contributed[betting.actor]


def _by_class(
    value: np.ndarray | None, strategy: Strategy, ranks: int, big_blind: int
) -> dict[str, Any] | None:
    """Values in big blinds: of the range, of classes by their weight, of combos in their order."""
    if value is None:
        return None
    known = np.isfinite(value) & (strategy.bucket >= 0)
    weight = strategy.weight * known
    blinds = np.where(known, value, 0) / big_blind
    by = by_class(blinds[:, None], weight, known.astype(float), ranks)[:, 0]
    label, free = classes(ranks), np.flatnonzero(strategy.bucket >= 0)
    holes: dict[int, list[float | None]] = {}
    for hole in free:
        one = round(float(blinds[hole]), 2) if known[hole] else None
        holes.setdefault(int(label[hole]), []).append(one)
    return {
        "range": round(float(weight @ blinds / max(weight.sum(), 1e-300)), 2),
        "classes": [None if np.isnan(v) else round(float(v), 2) for v in by],
        "holes": holes,
    }
