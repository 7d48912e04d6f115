"""AIVAT of hands that were recorded, their players' policies given for whole ranges.

An agent that searches has no table: what it does with every hole it says decision by decision
(``played`` of :class:`sixmax.search.hand.Play`). The terms are those of
:mod:`sixmax.evaluation.aivat.holdem`, with a probability for each particle instead of each bucket.

Actions need not be on the tree that the values are for. Payoffs are those of the real hand; a point
before its end is worth what the node is that stands for it (:class:`sixmax.play.shadow.Shadow`,
without chance), by the pot; where none does, the equity alone. One value a child and the true
policy: that is all that the expectation of a correction needs to be 0.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.cards.deck import hole_cards, hole_id
from sixmax.evaluation.agents.policies import Agent, Ground
from sixmax.evaluation.aivat.corrections import ACTION, CHANCE, begin, came, finish
from sixmax.evaluation.aivat.holdem import SHOWN, Cards, dealt, ended, look_ahead, see, set_holdem
from sixmax.evaluation.aivat.observer import (
    Match,
    keep,
    mean_net,
    scene,
    spread_out,
)
from sixmax.evaluation.aivat.place import Place
from sixmax.evaluation.aivat.playout import play_out
from sixmax.evaluation.aivat.scored_match import COLUMNS, DRAWS, dealt_first, longest
from sixmax.evaluation.aivat.values import Values, equity_over, root_means, worth
from sixmax.game.config import GameConfig
from sixmax.game.rules import FOLD
from sixmax.game.tree import DECISION
from sixmax.games.holdem import HoldemDealer


class Taken(NamedTuple):
    """A decision of a hand.

    offered: FOLD, CALL and raises-to; one that is there twice counts once
    action:  which of them was taken
    rows:    float64[holes, offered], what each hole plays; None where it is not known
    seen:    whether the rows would be others if the player held another hole, as those of a search
             are for which his own decisions were frozen
    """

    offered: Sequence[int]
    action: int
    rows: np.ndarray | None
    seen: bool = False

    def policy(self) -> tuple[list[int], np.ndarray]:
        """The different actions, and what each hole plays: float64[holes, actions]."""
        once = sorted(set(self.offered))
        each = (np.asarray(self.offered)[:, None] == once).astype(np.float64)
        found = self.rows @ each
        total = found.sum(axis=1, keepdims=True)
        return once, found / np.where(total > 0, total, 1.0)


class Recorded:
    """Hands of one ``game``, scored one by one by ``values``.

    Where the last round is played on, all play like ``believed``, a policy of the tree; the
    decisions themselves are judged by the rows that come with them alone.
    """

    def __init__(
        self,
        game: GameConfig,
        where: Ground,
        dealer: HoldemDealer,
        values: Values,
        believed: tuple[Agent, Agent],
        draws: int = DRAWS,
    ):
        rounds, seats = where.tree.columns.shape
        mean = root_means(values, dealt_first(dealer, seats))
        self.match = Match(where, values, *believed, np.full(seats, True), mean)
        self._game, self._tables, pair = game, dealer.tables, hole_cards(dealer.ranks)
        buckets = int(where.layout.buckets.max())
        self._scene = scene(
            longest(where.tree.parent), seats, rounds, len(pair), buckets, 4 * dealer.ranks
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

        ``cards`` int8[2 seats + board] were dealt; ``taken`` are all decisions, to the end or to
        the hero's fold, of which the hero's have rows; ``state`` seeds the drawn boards. Raises
        UserError for what the rules forbid, ValueError where somebody is to act still.
        """
        m, s, c, out, r = self.match, self._scene, self._cards, np.zeros(len(COLUMNS)), 0
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
        """What the cards of round ``r`` brought, to take off; the hands that they leave."""
        m, s, c, x = self.match, self._scene, self._cards, at.node
        if x < 0:
            s.ahead[0] = 0
            see(c, self._tables, r, c.dealt[2 * at.seats :][: SHOWN[r]], n, s)
            keep(s, r)
            spread_out(s, r)
            return 0.0
        brought = dealt(m, x, r, hero, c, self._tables, n, state, s) - came(m, x, r, hero, s)
        look_ahead(c, r, n, s)
        return brought * at.scale(m.values)

    def _shown(self, at: Place, r: int, hero: int, own: int, n: int) -> float:
        """The observer is shown the hero's hole: what that brought, to take off."""
        s, held = self._scene, np.zeros(len(self._scene.weight))
        held[np.flatnonzero(self._cards.hole[:n] == own)] = 1.0
        found = self._value(at, r, hero, s.weight) - self._value(at, r, hero, held)
        s.weight[:] = held
        spread_out(s, r)
        return found

    def _others_action(
        self, at: Place, r: int, hero: int, decision: Taken, cards: np.ndarray
    ) -> float:
        """What another's action brought the hero beyond expectation, to take off."""
        offered, rows = decision.policy()
        row = rows[hole_id(*cards[2 * at.actor : 2 * at.actor + 2])]
        expected, came_to = 0.0, 0.0
        for action, chance in zip(offered, row, strict=True):
            if chance > 0.0 or action == decision.action:
                v = self._value(at.after(action), r, hero, self._scene.weight)
                expected += chance * v
                if action == decision.action:
                    came_to = v
        return expected - came_to

    def _own_action(self, at: Place, r: int, hero: int, decision: Taken, n: int) -> float:
        """The same for the hero's own action, over the range; narrows it."""
        s, (offered, rows) = self._scene, decision.policy()
        weight = np.zeros((len(offered), len(s.weight)))
        weight[:, :n] = (rows[self._cards.hole[:n]] * s.weight[:n, None]).T
        expected, came_to, then = 0.0, 0.0, None
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
                came_to, then = v, after
        if then is None:
            raise ValueError(f"action {decision.action} is one that no hand of the player takes")
        s.weight[:] = then
        return expected - came_to

    def _value(self, at: Place, r: int, hero: int, weight: np.ndarray) -> float:
        """What the hero wins from ``at`` on, his range being ``weight``, by the cards of ``r``."""
        m, s = self.match, self._scene
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
            acts = head & 15 == DECISION and head >> 8 & 15 == r and head >> 4 & 15 == hero
            v = worth(m.values, z, acts, r, hero, mine, s.other)
        put_in = float(m.values.chips[z, hero])
        return (v + put_in) * at.scale(m.values) - (put_in if at.same else at.chips(hero))
