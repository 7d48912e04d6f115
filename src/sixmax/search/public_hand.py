"""The public hand: betting, board, and the beliefs that follow from the strategies played.

Nothing here depends on a private hand, so the searches do not either. The one exception are the
actions that a searching player froze for its own hand (``FrozenAction``).
"""

import copy
import functools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import tee

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.rng import child, generator
from sixmax.betting.config import GameConfig
from sixmax.betting.rules import CALL, after, is_legal
from sixmax.blueprint.run import Run
from sixmax.cards.deck import n_holes
from sixmax.ongoing import bayes
from sixmax.ongoing.hand import Hand, Play, blueprint_buckets, blueprint_rows
from sixmax.ongoing.policies import mixed
from sixmax.search.config import OFF_TREE_PLAYERS, SearchConfig
from sixmax.search.constraints import Alternative
from sixmax.search.nested import Link, Nested, size_factor
from sixmax.search.result import FrozenAction, Position, SearchFunction, SearchResult, draw
from sixmax.search.subgame import PublicState


@dataclass
class PlayedRound:
    """A betting round: its root, and the decisions since, each with the blueprint's reading."""

    root: np.ndarray
    board: np.ndarray
    searching: bool
    actors: list[int] = field(default_factory=list)
    done: list[int] = field(default_factory=list)
    translations: list[tuple[int, int] | None] = field(default_factory=list)  # node, its action
    frozen: list[FrozenAction] = field(default_factory=list)
    result: SearchResult | None = None
    beliefs: np.ndarray | None = None

    def copy(self, same_seat: bool, choosers: str) -> "PlayedRound":
        kept = {n: list(getattr(self, n)) for n in ("actors", "done", "translations", "frozen")}
        shared = choosers == "all" and not (self.result and self.result.of_one_seat)
        kept["result"] = self.result if same_seat or shared else None
        kept["beliefs"] = self.beliefs if same_seat else None
        return replace(self, **kept)


class PublicHand(Hand):
    """A hand under search. A round is searched when its result is first needed, and then kept.

    The same seed gives the same play. Raises UserError for illegal actions and cards.
    """

    def __init__(
        self, run: Run, policy: np.ndarray, config: SearchConfig, searcher: SearchFunction,
        seed: int, game: GameConfig | None = None, seat: int | None = None,
    ):  # fmt: skip
        """``policy`` is uint8[layout.size]; ``seat`` is the player who searches: nested solving
        is from its point of view."""
        super().__init__(run, game)
        self.config, self.game, self.seat = config, game or run.game, seat
        self._policy, self._searcher, self._seed = mixed(run, policy), searcher, seed
        (self._draws,) = tee(iter(generator(seed, "translation").random, None), 1)
        self._factor = size_factor(config.player.shift, seed)
        self.rounds: list[PlayedRound] = []
        self.searches = 0
        self.knows = False  # whether a search knew own earlier actions of the hole that is held
        self._open()

    def copy(self, seat: int | None = None) -> "PublicHand":
        """An independent hand in this state; results from one ``seat``'s view are its own."""
        twin = super().copy()
        twin.seat = self.seat if seat is None else seat
        twin._draws = copy.copy(self._draws)  # of a tee: each reads all numbers
        own, choosers = twin.seat == self.seat, self.config.player.choosers
        twin.rounds = [r.copy(own, choosers) for r in self.rounds]
        return twin

    @property
    def _nests(self) -> bool:
        """Whether solving is nested, from the point of view of a seat."""
        return self.seat is not None and self.config.player.nested != "none"

    def deal(self, cards: str | np.ndarray) -> None:
        super().deal(cards)
        self._open()

    def _open(self) -> None:
        searching = self.betting.round >= self.config.first
        self.rounds.append(PlayedRound(self.real.copy(), self.board, searching))

    def act(self, action: int, u: float | None = None) -> None:
        """Let the actor do ``action``: FOLD, CALL or any legal raise-to.

        ``u`` in [0, 1) draws its translation; None takes the next of the hand's own draws.
        """
        self._want_cards()
        current, seat = self.rounds[-1], self.betting.actor
        if not is_legal(self.real, action):
            raise UserError(self.betting.why_illegal(action))
        current.searching |= self._far_off(action)
        u = next(self._draws) if u is None else u
        current.translations.append(super().act(action, u))
        current.actors.append(seat)
        current.done.append(action)

    def _want_cards(self) -> None:
        if self.needs_cards:
            raise UserError(f"the board of round {self.betting.round} is to be dealt first")

    def _far_off(self, action: int) -> bool:
        """Supplement: search a raise more than $100 off every size, with four players at most."""
        many = len(self.betting.left) > OFF_TREE_PLAYERS
        if many or len(self.rounds) > 1 or action <= CALL:
            return False
        if self.meet() and action in self.offered():
            return False  # a size of the tree, scaled to the real pot, as agents play it
        far = self.config.off_tree  # None: no search
        return far is not None and self.distance(action) > far

    def play(self) -> Play:
        """The strategy of every hand at this decision. Raises UserError where there is none."""
        if self.betting.over:
            raise UserError("the hand is over: nobody is to act")
        self._want_cards()
        current = self.rounds[-1]
        return self.search().play(tuple(current.done)) if current.searching else self.blueprint()

    def blueprint(self) -> Play:
        """The blueprint's strategy of every hand at the current decision, searched or not."""
        return self.rows(self._policy)

    def give_up(self) -> None:
        """Play the blueprint for the rest of the round, and believe it of the round."""
        for each in self.rounds:
            each.searching &= each is not self.rounds[-1] and each.result is not None

    def freeze(self, hole: int, play: Play) -> None:
        """Keep the row of ``hole`` at this decision in all later searches of the round."""
        current, row = self.rounds[-1], play.rows[hole].copy()
        current.frozen.append(FrozenAction(tuple(current.done), tuple(play.offered), hole, row))

    def decide(self, hole: int, u: float) -> int:
        """OURTURN of Algorithm 2: the action of ``hole``, drawn by ``u`` in [0, 1), and frozen.

        Raises UserError where another seat is to act, or a card held lies on the board.
        """
        actor = self.betting.actor
        if self.seat not in (None, actor):
            raise UserError(f"seat {self.seat + 1} is asked, but seat {actor + 1} is to act")
        play = self.play()
        if play.rows[hole].sum() <= 0:
            raise UserError("the hand held shares a card with the board; wanted cards unseen")
        self.freeze(hole, play)
        return draw(play, hole, u)

    def beliefs(self) -> np.ndarray:
        """The probability of each hand at the root of the current round: float64[seats, holes]."""
        return self._beliefs(len(self.rounds) - 1).sum(axis=0)

    def now(self) -> np.ndarray:
        """The beliefs after the actions of the current round: float64[seats, holes]."""
        return self._after(len(self.rounds) - 1).sum(axis=0)

    def position(self) -> Position:
        """The start of the current round, to search from."""
        return self._position(len(self.rounds) - 1)

    def search(self) -> SearchResult:
        """The search of the current round, whether or not the agent would make one."""
        return self._search(len(self.rounds) - 1)

    def _search(self, number: int) -> SearchResult:
        """The search of a round, repeated if its subgame lacks an action taken since."""
        searched = self.rounds[number]
        closed = number < len(self.rounds) - 1 or self.betting.over or self.needs_cards
        # The action that ends a round is in every tree.
        taken = tuple(searched.done[:-1] if closed else searched.done)
        if searched.result is None or not searched.result.covers(taken):
            searched.result = self._nested(number, taken) or self._solve(number, None, 0, taken)
        return searched.result

    def _solve(
        self, number: int, by: SearchResult | None, k: int, taken: tuple[int, ...],
        alternative: Alternative | None = None,
    ) -> SearchResult:  # fmt: skip
        """Solve a round after its first ``k`` actions, played ``by``; from 0 with frozen rows."""
        at = self._position(number, by, k, taken, alternative)
        seed = child(self._seed, "search", number, k + len(taken))
        self.searches += 1
        frozen = () if k else tuple(self.rounds[number].frozen)
        self.knows |= bool(frozen)
        return self._searcher(at, frozen, int(seed))

    def _position(
        self, number: int, by: SearchResult | None = None, k: int = 0,
        taken: tuple[int, ...] = (), alternative: Alternative | None = None,
    ) -> Position:  # fmt: skip
        current = self.rounds[number]
        done = tuple(current.done[:k])
        before = tuple(a for r in self.rounds[:number] for a in r.done) + done
        state = PublicState(self.game, after(current.root, done), current.board, before, taken)
        beliefs = self._bayes(number, by, k).sum(axis=0)
        share, begins = self.config.player.any_hand, self._nests and number >= self.config.first
        if share and begins and alternative is None:
            one, other = bayes.before_the_deal(1, self.run.ranks), 1 - self.seat
            (every,) = bayes.after_cards(one, current.board, self.run.ranks)
            beliefs[other] = (1 - share) * beliefs[other] + share * every
        seat = self.seat if self.config.player.choosers == "opponents" else None
        return Position(state, beliefs, alternative, self._factor, seat)

    def _nested(self, number: int, taken: tuple[int, ...]) -> SearchResult | None:
        """A solution after each bet of the opponent in ``taken``; None: not by nested solving."""
        if not self._nests or number < self.config.first:
            return None
        answer = functools.partial(self._solve, number)
        begun = filter(None, self._begun(number, taken))
        results = (b.answered(taken, answer, self.config.player.nested) for b in begun)
        return next(filter(None, results), None)

    def _begun(self, number: int, taken: tuple[int, ...]) -> Iterator[Nested | None]:
        """The strategies that a round may go on with, the best first."""
        searched, last = self.rounds[number], self.rounds[number - 1]
        if isinstance(searched.result, Nested):
            yield searched.result
        safe = self.config.player.begin == "safe" and number and last.searching
        if safe and isinstance(before := self._search(number - 1), Nested):
            done, card = tuple(last.done), int(searched.board[-1])
            yield before.next_round(done, card)
        every = self.config.player.nested_bets == "all"
        for done in ((), taken) if taken else ((),):
            solved = self._solve(number, None, 0, done)
            yield Nested(self.seat, (Link(0, solved),), np.zeros(n_holes(self.run.ranks)), every)

    def _beliefs(self, number: int) -> np.ndarray:
        """Beliefs at the root of a round: float64[hypotheses, seats, holes].

        # ASSUME a player plays as the search, or with probability ``believe_blueprint`` the
        blueprint. The paper believes the first of all.
        """
        current, seats, ranks = self.rounds[number], self.game.seats, self.run.ranks
        if current.beliefs is None:
            if number:
                before = self._after(number - 1)
            else:
                share = np.full(seats, self.config.believe_blueprint)
                if self._nests:
                    share[self.seat] = 0.0
                uniform = bayes.before_the_deal(seats, ranks)
                before = bayes.under_hypotheses(uniform, np.stack([1 - share, share]))
            current.beliefs = bayes.after_cards(before, current.board, ranks)
        return current.beliefs

    def _after(self, number: int) -> np.ndarray:
        """Beliefs after the actions of the round ``number``, by Bayes."""
        searched = self.rounds[number].searching and self.rounds[number].done
        result = self._search(number) if searched else None
        return self._bayes(number, result, len(self.rounds[number].done))

    def _bayes(self, number: int, result: SearchResult | None, actions: int) -> np.ndarray:
        """Beliefs after so many actions of the round ``number``, searched with ``result``."""
        beliefs, played = self._beliefs(number), self.rounds[number]
        bucket = blueprint_buckets(self.run, played.board)
        for i, seat in enumerate(played.actors[:actions]):
            likelihood = self._likelihood(played, i, result, bucket)
            beliefs = bayes.after_action(beliefs, seat, likelihood)
        return beliefs

    def _likelihood(
        self, played: PlayedRound, i: int, result: SearchResult | None, bucket: np.ndarray
    ) -> np.ndarray:
        """The likelihood of the i-th action of a round by hand: float64[hypotheses, holes].

        Where one of the two strategies has no row for it, the other's is taken for both; where
        neither has, it says nothing. In nested solving we play as the search has it.
        # ASSUME a bet that it lacks tells no hand from another, and the blueprint hardly makes it.
        """
        rows: list[np.ndarray | None] = [None, None]
        own = self._nests and played.actors[i] == self.seat
        tremble = functools.partial(bayes.trembling, mistake=0.0 if own else self.config.tremble)
        if result is not None:
            play = result.play(tuple(played.done[:i]))
            if played.done[i] in play.offered:  # else a bet that nested solving answers
                rows[0] = tremble(play.rows, play.offered.index(played.done[i]))
            elif self._nests and not own:
                return np.array([[1.0], [self.config.tremble]])
        if (translation := played.translations[i]) is not None:
            node, action = translation
            row = blueprint_rows(self.run, self._policy, node, bucket)
            rows[1] = tremble(row, action)
        known = [row for row in rows if row is not None]
        return np.stack([known[0], known[-1]]) if known else np.ones((2, 1))
