"""AIVAT of recorded hands, with the players' policies given for whole ranges.

An agent that searches has no table: it gives its policy for every hole at each of its decisions
(``played`` of :class:`sixmax.search.result.Play`). The terms are those of
:mod:`sixmax.evaluation.aivat.holdem`, with a probability for each particle instead of each bucket.

Actions need not be in the tree of the values. Payoffs are those of the real hand. A public state
before its end has the value of its node by translation (:class:`sixmax.ongoing.hand.Hand`, to the
likelier size), scaled by the pot; without a node, that of its equity. A correction has expectation
0 as long as each child has one value and the policy is the true one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.features_kernels import Deck
from sixmax.betting.config import SEEN
from sixmax.betting.rules import FOLD
from sixmax.betting.tree import is_decision, round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cards.deck import hole_cards, hole_id
from sixmax.evaluation.aivat.corrections import ACTION, CHANCE, begin, finish, value_of_cards
from sixmax.evaluation.aivat.holdem import dealt, ended, look_ahead, see, set_holdem, work_space
from sixmax.evaluation.aivat.observer import (
    MatchConstants,
    Observed,
    Others,
    keep,
    mean_net,
    spread_out,
)
from sixmax.evaluation.aivat.playout import play_out
from sixmax.evaluation.aivat.public_state import PublicBetting
from sixmax.evaluation.aivat.scored_match import COLUMNS, DRAWS, first_buckets, longest
from sixmax.evaluation.aivat.values import Asked, Values, equity_over, root_means, worth
from sixmax.ongoing.hand import Hand
from sixmax.ongoing.policies import MatchGame, Policy


class Taken(NamedTuple):
    """A decision of a hand.

    offered: FOLD, CALL and raises-to, ascending, each once
    action:  the action taken
    rows:    float64[holes, offered], policy of each hole; None if unknown
    seen:    whether the rows depend on the hole held, as after a search with frozen own actions
    """

    offered: Sequence[int]
    action: int
    rows: np.ndarray | None
    seen: bool = False

    @property
    def policy(self) -> np.ndarray:
        """The policy of each hole, which sums to 1: float64[holes, offered]."""
        total = self.rows.sum(axis=1, keepdims=True)
        return self.rows / np.where(total > 0, total, 1.0)


class Recorded:
    """Scores hands of ``run`` one by one with ``values``.

    Play-outs of a round use the policies ``believed``, of the hero and of the others, in the tree
    of ``match_game``; the corrections for decisions use their own rows alone.
    """

    def __init__(
        self,
        run: Run,
        match_game: MatchGame,
        values: Values,
        believed: tuple[Policy, Policy],
        draws: int = DRAWS,
    ):
        seats, dealer = run.game.seats, run.dealer
        mean = root_means(values, first_buckets(dealer, seats))
        self.match = MatchConstants(match_game, values, *believed, np.full(seats, True), mean)
        self._run = run
        self._cards, self._observer = work_space(
            self.match, longest(match_game.tree.parent), dealer.board_cards, dealer.tables,
            Deck(dealer.ranks, hole_cards(dealer.ranks)), draws,
        )  # fmt: skip

    def columns(
        self, cards: np.ndarray, hero: int, taken: Sequence[Taken], state: np.uint64
    ) -> np.ndarray:
        """Chips of seat ``hero`` by COLUMNS: float64[5].

        ``cards`` int8[2 seats + board] were dealt; ``taken`` are all decisions, up to the end or to
        the hero's fold, and the hero's have rows; ``state`` seeds the drawn boards. Raises
        UserError for an illegal action, ValueError for a hand that is not over.
        """
        m, s, c, out, r = self.match, self._observer, self._cards, np.zeros(len(COLUMNS)), 0
        c.dealt[:] = cards
        set_holdem(c, hero, s)
        v, n = Observed(m, hero, s), int(c.count[0])
        begin(v, out)
        at = PublicBetting(Hand(self._run))
        own, seen = hole_id(*cards[2 * hero : 2 * hero + 2]), False
        for decision in taken:
            if at.round > r:
                r += 1
                out[CHANCE] += self._dealt(v, at, r, state)
            if at.actor == hero:
                if decision.seen and not seen:
                    out[CHANCE] += self._shown(at, r, hero, own, n)
                    seen = True
                out[ACTION] += self._own_action(at, r, hero, decision, n)
                if decision.action == FOLD:
                    value = -at.chips(hero)
                    finish(value, value, out)
                    return out
                spread_out(s, r)
            elif decision.rows is not None:
                out[ACTION] += self._others_action(at, r, hero, decision, cards)
            at = at.after(decision.action)
        if not at.over:
            raise ValueError(f"the hand ends where seat {at.actor} is to act")
        if at.won:
            finish(at.net(hero), at.net(hero), out)
        else:
            ended(v, c, (at.terminal(), 0), r, state, out)
        return out

    def _dealt(self, v: Observed, at: PublicBetting, r: int, state: np.uint64) -> float:
        """The correction for the cards of round ``r``; drops the holes that they block."""
        s, c, x = v.s, self._cards, at.node
        if x < 0:
            s.ahead[0] = 0
            see(c, r, c.dealt[2 * at.seats :][: SEEN[r]], s)
            keep(s, r)
            spread_out(s, r)
            return 0.0
        correction = dealt(v, c, x, r, state) - value_of_cards(v, x, r)
        look_ahead(c, r, s)
        return correction * at.scale(v.m.values)

    def _shown(self, at: PublicBetting, r: int, hero: int, own: int, n: int) -> float:
        """Show the observer the hero's hole; returns the correction for it."""
        s, held = self._observer, np.zeros(len(self._observer.weight))
        held[np.flatnonzero(self._cards.hole[:n] == own)] = 1.0
        correction = self._value(at, r, hero, s.weight) - self._value(at, r, hero, held)
        s.weight[:] = held
        spread_out(s, r)
        return correction

    def _others_action(
        self, at: PublicBetting, r: int, hero: int, decision: Taken, cards: np.ndarray
    ) -> float:
        """The correction for another player's action."""
        row = decision.policy[hole_id(*cards[2 * at.actor : 2 * at.actor + 2])]
        expected, actual = 0.0, 0.0
        for action, chance in zip(decision.offered, row, strict=True):
            if chance > 0.0 or action == decision.action:
                v = self._value(at.after(action), r, hero, self._observer.weight)
                expected += chance * v
                if action == decision.action:
                    actual = v
        return expected - actual

    def _own_action(self, at: PublicBetting, r: int, hero: int, decision: Taken, n: int) -> float:
        """The same for the hero's own action, over the range, which it narrows."""
        s, offered, rows = self._observer, decision.offered, decision.policy
        weight = np.zeros((len(offered), len(s.weight)))
        weight[:, :n] = (rows[self._cards.hole[:n]] * s.weight[:n, None]).T
        expected, actual, range_after = 0.0, 0.0, None
        for action, part in zip(offered, weight, strict=True):
            if (chance := part.sum()) <= 0.0:
                continue
            after = part / chance
            if action == FOLD:
                v = -at.chips(hero)
            else:
                v = self._value(at.after(action), r, hero, after)
            expected += chance * v
            if action == decision.action:
                actual, range_after = v, after
        if range_after is None:
            raise ValueError(
                f"action {decision.action} has probability 0 for every hole of the player"
            )
        s.weight[:] = range_after
        return expected - actual

    def _value(self, at: PublicBetting, r: int, hero: int, weight: np.ndarray) -> float:
        """The hero's value of ``at`` with the range ``weight`` and the cards of round ``r``."""
        m, s = self.match, self._observer
        rounds, z = s.own.shape[0], at.node
        if at.won:
            return at.net(hero)
        if at.over and r == rounds - 1:
            return float(mean_net(at.terminal(), 0, hero, s._replace(weight=weight)))
        held = weight > 0
        mine = np.bincount(s.own[r, held], weight[held], len(s.spread))
        if z < 0:
            share = equity_over(m.values, at.left, r, hero, mine, s.other)
            return float(at.pot * share - at.chips(hero))
        if r > 0:
            seen = Observed(m, hero, s._replace(weight=weight))
            v = play_out(seen, z, r, s.every, s.own[r], Others(s.rank, s.other))
        else:
            head = int(m.game.tree.node[z, 0])
            acts = is_decision(head) and round_of(head) == r and seat_of(head) == hero
            v = worth(m.values, Asked(z, hero, r, acts), mine, s.other)
        put_in = float(m.values.chips[z, hero])
        return (v + put_in) * at.scale(m.values) - (put_in if at.same else at.chips(hero))
