"""AIVAT of hands that were recorded, their players' policies given for whole ranges.

An agent that searches has no table: what it does with every hole it says decision by decision
(``played`` of :class:`sixmax.search.hand.Play`). The terms are those of
:mod:`sixmax.evaluation.aivat_holdem`, with a probability for each particle instead of each bucket.
Every action has to be on the tree that the values are for.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.blueprint.deal import HoldemDealer
from sixmax.cards.deck import hole_cards, hole_id
from sixmax.evaluation.aivat import COLUMNS, DRAWS, longest
from sixmax.evaluation.aivat_holdem import Cards, dealt, ended, set_holdem
from sixmax.evaluation.aivat_kernels import (
    ACTION,
    CHANCE,
    begin,
    came,
    finish,
    others_action,
    settled,
)
from sixmax.evaluation.aivat_scene import Match, net_of, play_out, played_out, scene, spread_out
from sixmax.evaluation.values import worth
from sixmax.game.tree import DECISION, FOLDABLE


class Taken(NamedTuple):
    """A decision of a hand: the node where it was made, the number of the action, and the policy of
    who made it, float64[holes, actions], None where it is not known."""

    node: int
    action: int
    rows: np.ndarray | None


class Recorded:
    """Hands of one match, scored one by one.

    ``match`` says by whom a last round is played on, and whose table is believed there; the
    decisions themselves are judged by the rows that come with them alone.
    """

    def __init__(self, match: Match, dealer: HoldemDealer, draws: int = DRAWS):
        tree = match.ground.tree
        rounds, seats = tree.columns.shape
        self.match, self._tables = match, dealer.tables
        pair = hole_cards(dealer.ranks)
        buckets = int(match.ground.layout.buckets.max())
        self._scene = scene(longest(tree.parent), seats, rounds, len(pair), buckets)
        self._cards = Cards(
            np.empty(2 * seats + dealer.board_cards, np.int8), np.empty(len(pair), np.int64), pair,
            np.empty(len(pair), np.int32), np.empty(4 * dealer.ranks, np.bool_), dealer.ranks,
            draws,
        )  # fmt: skip

    def columns(
        self, cards: np.ndarray, hero: int, taken: Sequence[Taken], state: np.uint64
    ) -> np.ndarray:
        """Chips of seat ``hero`` by COLUMNS: float64[5].

        ``cards`` int8[2 seats + board] were dealt; ``taken`` are all decisions, to a terminal or to
        the hero's fold, of which the hero's have rows; ``state`` seeds the drawn boards. Raises
        ValueError for decisions that do not follow from each other on the tree.
        """
        m, s, c, out, r = self.match, self._scene, self._cards, np.zeros(len(COLUMNS)), 0
        tree = m.ground.tree
        c.dealt[:] = cards
        n = set_holdem(c, self._tables, hero, s)
        begin(m, s, hero, out)
        x = 0
        for decision in taken:
            head = int(tree.node[x, 0])
            if decision.node != x or head & 15 != DECISION:
                raise ValueError(f"a decision at node {decision.node}, the hand is at node {x}")
            if head >> 8 & 15 > r:
                r += 1
                out[CHANCE] += dealt(m, x, r, hero, c, self._tables, n, state, s)
                out[CHANCE] -= came(m, x, r, hero, s)
            seat, y = head >> 4 & 15, int(tree.node[x, 1]) + decision.action
            if seat == hero:
                out[ACTION] += self._own_action(x, y, r, hero, decision.rows, n)
                if decision.action == 0 and head & FOLDABLE:
                    value = -float(tree.node[x, 3])
                    finish(value, value, out)
                    return out
                spread_out(s, r)
            elif decision.rows is not None:
                row = decision.rows[hole_id(cards[2 * seat], cards[2 * seat + 1])]
                out[ACTION] += others_action(m, x, y, r, hero, np.ascontiguousarray(row), s)
            x = y
        if tree.node[x, 0] & 15 == DECISION:
            raise ValueError(f"the hand ends at node {x}, where somebody is to act")
        ended(m, x, r, hero, c, n, state, s, out)
        return out

    def _own_action(self, x: int, y: int, r: int, hero: int, rows: np.ndarray, n: int) -> float:
        """What the hero's action brought beyond expectation, to take off; narrows the range."""
        s, node = self._scene, self.match.ground.tree.node
        first, share = int(node[x, 1]), rows[self._cards.hole[:n]]
        folds, expected, came_to = node[x, 0] & FOLDABLE != 0, 0.0, 0.0
        weight = np.zeros((share.shape[1], len(s.weight)))
        weight[:, :n] = (s.weight[:n, None] * np.where(s.weight[:n, None] > 0, share, 0.0)).T
        for a, part in enumerate(weight):
            if (chance := part.sum()) <= 0.0:
                continue
            if a == 0 and folds:
                v = -float(node[x, 3])
            else:
                v = self._judge(first + a, r, hero, part / chance)
            expected += chance * v
            if first + a == y:
                came_to = v
        s.weight[:] = weight[y - first] / weight[y - first].sum()
        return expected - came_to

    def _judge(self, z: int, r: int, hero: int, weight: np.ndarray) -> float:
        """What the hero wins from the node ``z`` on, the range being ``weight``."""
        m, s = self.match, self._scene
        tree, rounds = m.ground.tree, s.own.shape[0]
        head = int(tree.node[z, 0])
        if settled(tree, z, rounds - 1):
            held = np.flatnonzero(weight)
            won = [net_of(tree, z, hero, s.rank, s.mine[k], s.net) for k in held]
            return float(weight[held] @ won)
        if played_out(r, rounds):
            return play_out(m, z, r, hero, s.every, s.own[r], weight, s.rank, s.other, s)
        held = weight > 0
        mine = np.bincount(s.own[r, held], weight[held], len(s.spread))
        acts = head & 15 == DECISION and head >> 8 & 15 == r and head >> 4 & 15 == hero
        return worth(m.values, z, 0, acts, r, hero, mine, s.other)
