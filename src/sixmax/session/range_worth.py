"""The worth of actions to every hand of a player at once, if all play one policy afterwards.

As :mod:`sixmax.session.worth`, for a whole chart: each deal of the others' hands and the board is
played with every hand of the player that it leaves. The others' actions are drawn; the player's own
later ones are all followed, each weighed by how often the hand takes it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.board_lookup import BoardTables, buckets_on_board
from sixmax.base.jit import in_parts, njit
from sixmax.base.progress import Done, quiet
from sixmax.base.rng import child, stream
from sixmax.betting import rules
from sixmax.betting.config import SEEN
from sixmax.betting.tree import n_actions
from sixmax.cards.deck import hole_cards, hole_id, n_holes, touches
from sixmax.cards.evaluate import rank_holes
from sixmax.cfr.advance import advance_real
from sixmax.ongoing import policies
from sixmax.ongoing.hand import Hand
from sixmax.ongoing.translate import real_action, stand
from sixmax.session.worth import deals_by

PARTS = 64  # groups of deals, whose spread is the error of a mean
DEALS = 256  # of a part
_TURN = 8  # parts between two reports of progress
_DEEP = 8  # own decisions on one way that have room at first


class RangeWorth(NamedTuple):
    """Sums over groups of deals; amounts are chips from the decision on, so a fold is worth 0."""

    actions: tuple[int, ...]
    won: np.ndarray  # float64[parts, actions, holes], of the deals that the hole can be held in
    deals: np.ndarray  # float64[parts, holes], their number

    @property
    def mean(self) -> np.ndarray:
        """The worth of each action with each hole: float64[actions, holes]; NaN where unknown."""
        with np.errstate(invalid="ignore"):
            return self.won.sum(axis=0) / self.deals.sum(axis=0)

    @property
    def off(self) -> np.ndarray:
        """How far each part moves each mean: float64[parts, actions, holes]; 0 where unknown.

        Weighed and summed over actions and holes as the means are, it is the shift of a mean of
        means.
        """
        mean, n = np.nan_to_num(self.mean), np.maximum(self.deals.sum(axis=0), 1.0)
        return (self.won - mean * self.deals[:, None]) / n


class RangeQuestion(NamedTuple):
    """The question: which actions, in which hand, and who plays."""

    side: policies.Side
    node: int
    mine: np.ndarray  # int64[LENGTH], the tree's hand
    real: np.ndarray  # int64[LENGTH]
    actions: np.ndarray  # int64[actions]
    tables: BoardTables
    pair: np.ndarray  # int8[holes, 2]
    ranks: int
    most: int  # buckets of a round
    wide: int  # actions of a decision
    seed: np.uint64  # of the draws


class DealtHands(NamedTuple):
    """A deal with every hand that the asking seat may hold in it."""

    other: np.ndarray  # int32[seats, 4]: buckets of the others
    mine: np.ndarray  # int32[4, hands]: of the own hands
    theirs: np.ndarray  # int32[seats]: strengths of the others
    place: np.ndarray  # int64[hands], as are the next, of _places
    typical: np.ndarray  # int32[places]


def standard_error(off: np.ndarray) -> np.ndarray:
    """The standard error of means, each a ratio of sums over the parts.

    ``off`` float64[parts, …] is the shift of each mean by each part. Returns float64[…].
    """
    parts = len(off)
    return np.sqrt(parts / max(parts - 1, 1) * (off * off).sum(axis=0))


def range_worth(
    hand: Hand, side: policies.Side, beliefs: np.ndarray, actions: Sequence[int], seed: int,
    parts: int = PARTS, deals: int = DEALS, progress: Done = quiet,
) -> RangeWorth | None:  # fmt: skip
    """The worth of ``actions`` to the seat to act in ``hand``, with each of its holes.

    All play ``side``, of the run of ``hand``; ``beliefs`` float64[seats, holes] are about each
    seat. ``parts`` groups of ``deals`` deals are played; ``progress`` counts them. The result
    depends on no thread. None where no deal agrees with the beliefs.
    """
    run, unheld = hand.run, np.empty(0, np.int8)
    wanted = child(seed, "deals"), parts * deals
    cards = deals_by(beliefs, hand.betting.actor, unheld, hand.board, run.ranks, *wanted)
    if len(cards) < parts * deals:
        return None
    cards = cards.reshape(parts, deals, -1)
    offered, holes = np.array(actions, np.int64), n_holes(run.ranks)
    won, count = np.zeros((parts, len(offered), holes)), np.zeros((parts, holes))
    width = int(run.layout.buckets.max()), max(int(n_actions(run.tree.node[:, 0]).max()), 1)
    asked = RangeQuestion(
        side, hand.node, hand.mine, hand.real, offered, run.dealer.tables, hole_cards(run.ranks),
        run.ranks, *width, child(seed, "draws"),
    )  # fmt: skip
    for first in range(0, parts, _TURN):
        some = slice(first, first + _TURN)
        each = cards[some], first, won[some], count[some]
        in_parts(len(cards[some]), _range_part, asked, *each)
        progress(cards[some].shape[0] * deals)
    return RangeWorth(tuple(int(a) for a in offered), won, count)


@njit
def _range_part(asked, cards, first, won, count, start, stop):
    """Play the deals ``cards`` int8[parts, deals, 2 seats + 5] of the parts start … stop - 1."""
    real, pair = asked.real, asked.pair
    seat, deals, holes = real[rules.ACTOR], cards.shape[1], len(pair)
    seats = (cards.shape[2] - SEEN[-1]) // 2
    every, strength = np.empty((4, holes), np.int32), np.empty(holes, np.int32)
    value = np.empty(holes)
    for part in range(start, stop):
        for i in range(deals):
            deal = cards[part, i]
            board = deal[2 * seats :]
            for r in range(real[rules.ROUND], 4):
                buckets_on_board(asked.tables, board[: SEEN[r]], pair, every[r])
            rank_holes(board, asked.ranks, strength)
            held = _held(pair, deal)
            other, theirs = np.zeros((seats, 4), np.int32), np.zeros(seats, np.int32)
            for p in range(seats):
                if p != seat:
                    h = hole_id(deal[2 * p], deal[2 * p + 1])
                    other[p], theirs[p] = every[:, h], strength[h]
            place, typical = _places(theirs, seat, strength[held])
            dealt = DealtHands(other, every[:, held], theirs, place, typical)
            for h in held:
                count[part, h] += 1
            for k in range(asked.actions.size):
                value[: held.size] = 0.0
                state = stream(asked.seed, np.uint64((first + part) * deals + i))
                _all_ways(asked, asked.actions[k], dealt, state, value[: held.size])
                for j in range(held.size):
                    won[part, k, held[j]] += value[j]


@njit
def _held(pair, deal):
    """The holes that share no card with ``deal`` int8[…]: int64[…]."""
    out, n = np.empty(len(pair), np.int64), 0
    for h in range(len(pair)):
        if not touches(pair[h], deal):
            out[n] = h
            n += 1
    return out[:n]


@njit
def _places(theirs, seat, strength):
    """The place of each hand among the others' at a showdown, and a strength in each place.

    A place is twice the number of the others' hands that it beats, and one for each that it
    ties: hands of one place win the same. Returns int64[hands] and int32[places], -1 for a place
    that is empty.
    """
    place = np.zeros(strength.size, np.int64)
    typical = np.full(2 * theirs.size + 1, -1, np.int32)
    for j in range(strength.size):
        for p in range(theirs.size):
            if p != seat:
                place[j] += 2 * (strength[j] > theirs[p]) + (strength[j] == theirs[p])
        typical[place[j]] = strength[j]
    return place, typical


@njit
def _all_ways(asked, action, dealt, state, value):
    """Add to ``value`` float64[hands] the worth of ``action`` in one deal.

    Own decisions are a stack: each has the hand before it, the node, the draws, the rows of its
    buckets, the actions followed so far, and how often each hand comes there.
    """
    (game, policy), mine = asked.side, dealt.mine
    seat, hands, tree = asked.real[rules.ACTOR], value.size, game.tree
    room, depth = _DEEP, -1
    now, own, x = asked.real.copy(), asked.mine.copy(), asked.node
    table = policies.AllSeats(game, policy, dealt.other, own, seat)
    nows, owns = np.empty((room, rules.LENGTH), np.int64), np.empty((room, rules.LENGTH), np.int64)
    xs, nexts = np.empty(room, np.int64), np.empty(room, np.int64)
    states = np.empty(room, np.uint64)
    rows, reach = np.empty((room, asked.most, asked.wide)), np.empty((room + 1, hands))
    reach[0] = 1.0
    while True:
        at = policies.followed(tree, x, own, now, action, state)
        rules.apply(now, action)
        x, state = advance_real(now, -1, policies.beside_tree, table, at)
        if now[rules.PHASE] != rules.BETTING:
            _end(now, asked.real, dealt, reach[depth + 1], value)
        else:
            x, met = stand(tree, x, own, now)
            if not met:
                action = np.int64(rules.CALL)
                continue
            depth += 1
            if depth == room:
                room *= 2
                nows, owns, xs = _more(nows), _more(owns), _more(xs)
                nexts, states, rows = _more(nexts), _more(states), _more(rows)
                reach = _more(reach)
            nows[depth], owns[depth], xs[depth], states[depth] = now, own, x, state
            nexts[depth] = 0
            for b in range(asked.most):
                rows[depth, b, 0] = -1.0  # not read yet
            for b in mine[now[rules.ROUND]]:
                if rows[depth, b, 0] < 0.0:
                    policies.chances(policy, game, x, b, rows[depth, b])
        while depth >= 0:
            a = nexts[depth]
            if a == n_actions(tree.node[xs[depth], 0]):
                depth -= 1
                continue
            nexts[depth] += 1
            bucket = mine[nows[depth, rules.ROUND]]
            if _come(reach[depth], rows[depth], bucket, a, reach[depth + 1]):
                break
        if depth < 0:
            return
        now[:], own[:], x, state = nows[depth], owns[depth], xs[depth], states[depth]
        action = real_action(tree, x, own, now, nexts[depth] - 1)


@njit
def _more(array):
    """``array`` with twice the room."""
    out = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    out[: len(array)] = array
    return out


@njit
def _come(reach, rows, bucket, a, out):
    """Write how often each hand goes on with action ``a``; whether any does."""
    total = 0.0
    for j in range(out.size):
        out[j] = reach[j] * rows[bucket[j], a]
        total += out[j]
    return total > 0.0


@njit
def _end(now, real, dealt, reach, value):
    """Add the chips of a hand that is over, by how often each own hand comes to this end."""
    seat, theirs, place, typical = real[rules.ACTOR], dealt.theirs, dealt.place, dealt.typical
    seats = theirs.size
    net, rank, mask = np.empty(seats), theirs.copy(), rules.contenders(now)
    by_place = np.zeros(typical.size)
    contested = now[rules.PHASE] == rules.SHOWN and mask >> seat & 1
    for k in range(typical.size):
        if typical[k] >= 0 or not contested:
            rank[seat] = typical[k]
            rules.payoffs(now[rules.CHIPS : rules.CHIPS + seats], mask, rank, net)
            by_place[k] = net[seat] + real[rules.CHIPS + seat]
            if not contested:
                by_place[:] = by_place[k]
                break
    for j in range(reach.size):
        value[j] += reach[j] * by_place[place[j]]
