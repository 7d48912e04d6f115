"""One hand as the whole table sees it: betting, board, and what everybody's play says of the cards.

Nothing here knows a private hand, so neither does the search that starts from it. Only what a
player froze (:class:`FrozenAction`) is that player's own.
"""

import copy
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cards.deck import as_cards, format_cards, holds, n_holes
from sixmax.errors import UserError
from sixmax.game.betting import Betting
from sixmax.game.config import SEEN, GameConfig
from sixmax.game.rules import CALL
from sixmax.play.lookup import blueprint_buckets, blueprint_rows
from sixmax.play.translate import TranslatedHand
from sixmax.rng import child, generator
from sixmax.search.beliefs import after_action, after_cards, before_the_deal
from sixmax.search.config import SearchConfig
from sixmax.search.subgame import PublicState


class Play(NamedTuple):
    """What every private hand does at one decision.

    offered: the actions, FOLD, CALL and raises-to; played: float64[holes, actions], what is drawn
    from; believed: the same, what beliefs are updated with.
    """

    offered: list[int]
    played: np.ndarray
    believed: np.ndarray


class FrozenAction(NamedTuple):
    """An own decision in the current round that stays as it was: after ``before``, actions of the
    round, ``hole`` played ``row`` float64[actions] of the actions ``offered``."""

    before: tuple[int, ...]
    offered: tuple[int, ...]
    hole: int
    row: np.ndarray


class Position(NamedTuple):
    """What is searched: ``beliefs`` float64[seats, holes] at the root of ``state``; a row sums to
    1, also that of who has folded."""

    state: PublicState
    beliefs: np.ndarray


class SearchResult:
    """What a search found. ``covers`` and ``play`` are asked with the actions of the round."""

    def covers(self, done: tuple[int, ...]) -> bool:
        """Whether a decision after ``done`` is in the subgame."""
        raise NotImplementedError

    def play(self, done: tuple[int, ...]) -> Play:
        """What every hand does after ``done``."""
        raise NotImplementedError


SearchFunction = Callable[[Position, tuple[FrozenAction, ...], int], SearchResult]


@dataclass
class _Round:
    """A betting round: its root, and the decisions since, each with what the blueprint says."""

    root: np.ndarray
    board: np.ndarray
    translated: TranslatedHand
    searching: bool
    actors: list[int] = field(default_factory=list)
    done: list[int] = field(default_factory=list)
    known: list[tuple[int, int] | None] = field(default_factory=list)  # node, number of the action
    frozen: list[FrozenAction] = field(default_factory=list)
    found: SearchResult | None = None
    beliefs: np.ndarray | None = None

    def copy(self) -> "_Round":
        lists = {n: list(getattr(self, n)) for n in ("actors", "done", "known", "frozen")}
        return replace(self, translated=self.translated.copy(), **lists)


class PublicHand:
    """A hand in progress. Searches are made when their outcome is wanted, and then kept.

    The same seed gives the same play. Raises UserError for what the rules or the cards forbid.
    """

    def __init__(
        self,
        run: Run,
        policy: np.ndarray,
        config: SearchConfig,
        searcher: SearchFunction,
        seed: int,
        game: GameConfig | None = None,
    ):
        self.run, self.config, self.game = run, config, game or run.game
        self._policy, self._searcher, self._seed = policy, searcher, seed
        self.betting = Betting(self.game)
        self.translated = TranslatedHand(run.game, run.tree)
        self._draws = generator(seed, "translation")
        self.rounds: list[_Round] = []
        self.searches = 0
        self._open(np.empty(0, np.int8))

    def copy(self) -> "PublicHand":
        """The same hand, to go on with in another way. What searches found is shared."""
        other = copy.copy(self)
        other.betting, other.translated = self.betting.copy(), self.translated.copy()
        other._draws = copy.deepcopy(self._draws)
        other.rounds = [r.copy() for r in self.rounds]
        return other

    @property
    def board(self) -> np.ndarray:
        """int8[cards] seen so far."""
        return self.rounds[-1].board

    @property
    def needs_cards(self) -> int:
        """How many board cards are to be dealt before the next action."""
        if self.betting.over:
            return 0
        return SEEN[self.betting.round] - SEEN[len(self.rounds) - 1]

    def deal(self, cards: str | np.ndarray) -> None:
        """Deal the board cards of the next round."""
        found = as_cards(cards, self.run.ranks)
        if len(found) != self.needs_cards or not len(found):
            raise UserError(
                f"board cards {format_cards(found, self.run.ranks)!r}: found {len(found)}, "
                f"wanted {self.needs_cards} at this point of the hand"
            )
        board = as_cards([*self.board, *found], self.run.ranks)
        self._open(board)

    def _open(self, board: np.ndarray) -> None:
        searching = self.betting.round >= self.config.first
        hand = self.betting.hand.copy()
        self.rounds.append(_Round(hand, board, self.translated.copy(), searching))

    def act(self, action: int) -> None:
        """Let the actor do ``action``: FOLD, CALL or any legal raise-to."""
        if self.needs_cards:
            raise UserError(f"the board of round {self.betting.round} is to be dealt first")
        before, now = self.betting.hand.copy(), self.rounds[-1]
        seat = self.betting.actor
        self.betting.act(action)
        now.searching |= self._far_off(before, action)
        now.known.append(self.translated.act(before, action, float(self._draws.random())))
        now.actors.append(seat)
        now.done.append(action)

    def _far_off(self, before: np.ndarray, action: int) -> bool:
        """Whether this raise makes Algorithm 2 search before the round from which it always does.

        Supplement: in the first round, an opponent's raise more than $100 off every size, four
        players at most left.
        """
        left, translated = bin(self.betting.contenders).count("1"), self.translated.copy()
        if len(self.rounds) > 1 or action <= CALL or left > self.config.off_tree_players:
            return False
        if translated.meet(before) and action in translated.real(before):
            return False  # a size of the tree, at the scale of the real pot: so we play them
        return translated.distance(before, action) > self.config.off_tree

    def play(self) -> Play:
        """What every hand does at the decision that is to be made now."""
        if self.betting.over:
            raise UserError("the hand is over: nobody is to act")
        if self.needs_cards:
            raise UserError(f"the board of round {self.betting.round} is to be dealt first")
        now = self.rounds[-1]
        if now.searching:
            return self._search(len(self.rounds) - 1).play(tuple(now.done))
        if not self.translated.meet(self.betting.hand):
            return self._stand_aside()
        bucket = blueprint_buckets(self.run, now.board)
        rows = blueprint_rows(self.run, self._policy, self.translated.node, bucket)
        return Play(self.translated.real(self.betting.hand), rows, rows)

    def _stand_aside(self) -> Play:
        """Where the blueprint's round is over and the real one is not. # ASSUME check or call."""
        rows = np.zeros((n_holes(self.run.ranks), 1))
        rows[~holds(self.board, self.run.ranks)] = 1.0
        return Play([CALL], rows, rows)

    def freeze(self, hole: int, play: Play) -> None:
        """Keep what ``hole`` is about to do at this decision, should the round be searched anew."""
        now = self.rounds[-1]
        row = play.played[hole]
        now.frozen.append(FrozenAction(tuple(now.done), tuple(play.offered), hole, row.copy()))

    def beliefs(self) -> np.ndarray:
        """Of each seat, the probability of each private hand at the root of the current round.

        float64[seats, holes], each row sums to 1; who has folded keeps the hands they folded.
        """
        return self._beliefs(len(self.rounds) - 1)

    def now(self) -> np.ndarray:
        """The same after what has been done in the current round: float64[seats, holes]."""
        return self._after(len(self.rounds) - 1)

    def search(self) -> SearchResult:
        """The search of the current round, whether or not the agent would make one."""
        return self._search(len(self.rounds) - 1)

    def _search(self, number: int) -> SearchResult:
        """The search of a round, made anew where it does not hold what has been done since."""
        at = self.rounds[number]
        closed = number < len(self.rounds) - 1 or self.betting.over or self.needs_cards
        taken = tuple(at.done[:-1] if closed else at.done)  # what ends a round is in every tree
        if at.found is None or not at.found.covers(taken):
            before = tuple(a for r in self.rounds[:number] for a in r.done)
            state = PublicState(self.game, at.root, at.board, before, taken)
            seed = child(self._seed, "search", number, len(taken))
            position = Position(state, self._beliefs(number))
            at.found = self._searcher(position, tuple(at.frozen), int(seed))
            self.searches += 1
        return at.found

    def _beliefs(self, number: int) -> np.ndarray:
        at = self.rounds[number]
        if at.beliefs is None:
            at.beliefs = after_cards(self._updated(number), at.board, self.run.ranks)
        return at.beliefs

    def _updated(self, number: int) -> np.ndarray:
        """Beliefs after all rounds before ``number``, by Bayes."""
        if number == 0:
            return before_the_deal(self.game.seats, self.run.ranks)
        return self._after(number - 1)

    def _after(self, number: int) -> np.ndarray:
        """Beliefs after what has been done in the round ``number``."""
        found = self._beliefs(number)
        before = self.rounds[number]
        if before.searching and before.done:
            searched = self._search(number)
            for i, (seat, action) in enumerate(zip(before.actors, before.done, strict=True)):
                play = searched.play(tuple(before.done[:i]))
                at = play.offered.index(action)
                found = after_action(found, seat, play.believed[:, at])
            return found
        bucket = blueprint_buckets(self.run, before.board)
        for seat, known in zip(before.actors, before.known, strict=True):
            if known is not None:
                rows = blueprint_rows(self.run, self._policy, known[0], bucket)
                found = after_action(found, seat, rows[:, known[1]])
        return found
