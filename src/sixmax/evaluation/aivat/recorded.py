"""AIVAT of recorded hands, with the players' policies given for whole ranges.

An agent that searches has no table: it gives its policy for every hole decision by decision
(``played`` of :class:`sixmax.search.hand.Play`). The terms are those of
:mod:`sixmax.evaluation.aivat.holdem`, with a probability for each particle instead of each bucket.

Actions need not be in the tree that the values are for. Payoffs are those of the real hand. A state
before its end has the value of the node that stands for it
(:class:`sixmax.play.translate.TranslatedHand`, without chance), scaled by the pot; without such a
node, that of its equity. The expectation of a correction is 0 as soon as each child has one value
and the policy is the true one.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.cards.deck import hole_cards, hole_id
from sixmax.evaluation.agents.policies import MatchGame, Policy
from sixmax.evaluation.aivat.corrections import ACTION, CHANCE, begin, came, finish
from sixmax.evaluation.aivat.holdem import SHOWN, Cards, dealt, ended, look_ahead, see, set_holdem
from sixmax.evaluation.aivat.observer import Match, keep, mean_net, observer, spread_out
from sixmax.evaluation.aivat.place import Place
from sixmax.evaluation.aivat.playout import play_out
from sixmax.evaluation.aivat.scored_match import COLUMNS, DRAWS, dealt_first, longest
from sixmax.evaluation.aivat.values import Values, equity_over, root_means, worth
from sixmax.game.config import GameConfig
from sixmax.game.rules import FOLD
from sixmax.game.tree import DECISION, kind_of, round_of, seat_of
from sixmax.games.holdem import HoldemDealer


class Taken(NamedTuple):
    """A decision of a hand.

    offered: FOLD, CALL and raises-to; duplicates count once
    action:  the one that was taken
    rows:    float64[holes, offered], policy of each hole; None where it is not known
    seen:    whether the rows depend on the hole that is held, as those of a search with frozen
             own decisions do
    """

    offered: Sequence[int]
    action: int
    rows: np.ndarray | None
    seen: bool = False

    def policy(self) -> tuple[list[int], np.ndarray]:
        """The different actions, and the policy of each hole: float64[holes, actions]."""
        actions = sorted(set(self.offered))
        each = (np.asarray(self.offered)[:, None] == actions).astype(np.float64)
        policy = self.rows @ each
        total = policy.sum(axis=1, keepdims=True)
        return actions, policy / np.where(total > 0, total, 1.0)


class Recorded:
    """Scores hands of one ``game`` one by one with ``values``.

    Play-outs of a round use the policies ``believed``, of the tree; the corrections for decisions
    use their own rows alone.
    """

    def __init__(
        self,
        game: GameConfig,
        ground: MatchGame,
        dealer: HoldemDealer,
        values: Values,
        believed: tuple[Policy, Policy],
        draws: int = DRAWS,
    ):
        rounds, seats = ground.tree.columns.shape
        mean = root_means(values, dealt_first(dealer, seats))
        self.match = Match(ground, values, *believed, np.full(seats, True), mean)
        self._game, self._tables, pair = game, dealer.tables, hole_cards(dealer.ranks)
        buckets = int(ground.layout.buckets.max())
        self._observer = observer(
            longest(ground.tree.parent), seats, rounds, len(pair), buckets, 4 * dealer.ranks
        )
        self._cards = Cards(
            np.empty(2 * seats + dealer.board_cards, np.int8), np.empty(len(pair), np.int64), pair,
            np.empty(len(pair), np.int32), np.empty(4 * dealer.ranks, np.bool_), dealer.ranks,
            draws,
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
        n = set_holdem(c, self._tables, hero, s)
        begin(m, s, hero, out)
        at = Place.root(self._game, m.ground.tree)
        own, seen = hole_id(*cards[2 * hero : 2 * hero + 2]), False
        for decision in taken:
            if at.round > r:
                r += 1
                out[CHANCE] += self._dealt(at, r, hero, n, state)
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
            end = m._replace(ground=m.ground._replace(tree=at.terminal()))
            ended(end, 0, r, hero, c, n, state, s, out)
        return out

    def _dealt(self, at: Place, r: int, hero: int, n: int, state: np.uint64) -> float:
        """The correction for the cards of round ``r``; drops the holes that they block."""
        m, s, c, x = self.match, self._observer, self._cards, at.node
        if x < 0:
            s.ahead[0] = 0
            see(c, self._tables, r, c.dealt[2 * at.seats :][: SHOWN[r]], n, s)
            keep(s, r)
            spread_out(s, r)
            return 0.0
        correction = dealt(m, x, r, hero, c, self._tables, n, state, s) - came(m, x, r, hero, s)
        look_ahead(c, r, n, s)
        return correction * at.scale(m.values)

    def _shown(self, at: Place, r: int, hero: int, own: int, n: int) -> float:
        """Show the observer the hero's hole; returns the correction for it."""
        s, held = self._observer, np.zeros(len(self._observer.weight))
        held[np.flatnonzero(self._cards.hole[:n] == own)] = 1.0
        correction = self._value(at, r, hero, s.weight) - self._value(at, r, hero, held)
        s.weight[:] = held
        spread_out(s, r)
        return correction

    def _others_action(
        self, at: Place, r: int, hero: int, decision: Taken, cards: np.ndarray
    ) -> float:
        """The correction for another player's action."""
        offered, rows = decision.policy()
        row = rows[hole_id(*cards[2 * at.actor : 2 * at.actor + 2])]
        expected, actual = 0.0, 0.0
        for action, chance in zip(offered, row, strict=True):
            if chance > 0.0 or action == decision.action:
                v = self._value(at.after(action), r, hero, self._observer.weight)
                expected += chance * v
                if action == decision.action:
                    actual = v
        return expected - actual

    def _own_action(self, at: Place, r: int, hero: int, decision: Taken, n: int) -> float:
        """The same for the hero's own action, over the range, which it narrows."""
        s, (offered, rows) = self._observer, decision.policy()
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
            raise ValueError(f"action {decision.action} is one that no hand of the player takes")
        s.weight[:] = range_after
        return expected - actual

    def _value(self, at: Place, r: int, hero: int, weight: np.ndarray) -> float:
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
            v = play_out(m, z, r, hero, s.every, s.own[r], weight, s.rank, s.other, s)
        else:
            head = int(m.ground.tree.node[z, 0])
            acts = kind_of(head) == DECISION and round_of(head) == r and seat_of(head) == hero
            v = worth(m.values, z, acts, r, hero, mine, s.other)
        put_in = float(m.values.chips[z, hero])
        return (v + put_in) * at.scale(m.values) - (put_in if at.same else at.chips(hero))
