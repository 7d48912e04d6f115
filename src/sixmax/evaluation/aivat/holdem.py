"""AIVAT of hold'em: a particle is a hole that no card of the others blocks.

An expectation over one card to come is exact, as is that of an all-in pot over two. Over more it is
a mean over boards drawn from the observer's beliefs: a little noise, but no bias.
"""

from typing import Any, NamedTuple

import numpy as np

from sixmax.abstraction.board_lookup import buckets_on_board
from sixmax.abstraction.features_kernels import Deck
from sixmax.base.jit import njit
from sixmax.base.rng import below, step, stream, unit
from sixmax.betting.config import SEEN
from sixmax.betting.tree import FOLDED, is_decision, kind_of
from sixmax.cards.deck import hole_id, touches
from sixmax.cards.evaluate import rank_holes
from sixmax.evaluation.aivat import corrections
from sixmax.evaluation.aivat.corrections import CHANCE
from sixmax.evaluation.aivat.observer import Observed, keep, mean_net, net_of, observer, trace
from sixmax.evaluation.aivat.playout import play_out

RUN_OUTS = 10  # an all-in pot before the flop draws this many times as many boards


class HandCards(NamedTuple):
    """The cards of a hand, and work space for H holes, K of them particles."""

    dealt: np.ndarray  # int8[2 seats + board]: of the hand
    hole: np.ndarray  # int64[K]: the hole of each particle
    pair: np.ndarray  # int8[H, 2]: the cards of each hole
    value: np.ndarray  # int32[H]: the rank of each hole on a board
    bucket: np.ndarray  # int32[H]: and its bucket
    blocked: np.ndarray  # bool[cards]: held by another player than the hero
    count: np.ndarray  # int64[1]: K
    tables: Any  # of the dealer: the buckets
    ranks: int  # of the deck
    draws: int  # boards drawn for an expectation over more than one card


class HoldemHands(NamedTuple):
    """The cards of hands of hold'em."""

    cards: np.ndarray  # int8[n, cards]
    first: np.uint64  # number of the first deal
    tables: Any  # of the dealer
    deck: Deck
    draws: int
    seed: np.uint64  # of the drawn boards


@njit
def work_space(m, steps, board_cards, tables, deck, draws):
    """Empty Cards and Observer for hands of at most so many ``steps``; ``deck`` is a Deck."""
    (ranks, pair), seats = deck, len(m.known)
    cards = HandCards(
        np.empty(2 * seats + board_cards, np.int8), np.empty(len(pair), np.int64), pair,
        np.empty(len(pair), np.int32), np.empty(len(pair), np.int32),
        np.empty(4 * ranks, np.bool_), np.zeros(1, np.int64), tables, ranks, draws,
    )  # fmt: skip
    return cards, observer(m, steps, len(pair), 4 * ranks)


@njit
def score_holdem(m, played, hands, start, stop):
    """Score hands ``start`` to ``stop`` of ``played``; ``hands`` are HoldemHands."""
    (steps, copies, ends, out), (cards, first, tables, deck, draws, seed) = played, hands
    seats, row = out.shape[1], np.empty(out.shape[2])
    c, s = work_space(m, steps, cards.shape[1] - 2 * seats, tables, deck, draws)
    for i in range(start, stop):
        c.dealt[:] = cards[i]
        for hero in range(seats):
            size = trace(m.game.tree, ends[i, hero], s.path)
            hand = (first + np.uint64(i)) * np.uint64(seats) + np.uint64(hero)
            seen = corrections.around(m, hero) if copies else m
            for p in range(seats):
                if (p == hero) != copies:
                    holdem_hand(Observed(seen, p, s), c, stream(seed, hand), size, row)
                    out[i, hero] += -row if copies else row


@njit
def set_holdem(c, hero, s):
    """Fill the observer ``s`` for the hand ``c.dealt``."""
    seats, rounds = s.other.shape
    board, n = c.dealt[2 * seats :], 0
    c.blocked[:] = False
    for p in range(seats):
        if p != hero:
            c.blocked[c.dealt[2 * p]] = c.blocked[c.dealt[2 * p + 1]] = True
    for h in range(len(c.pair)):
        if not c.blocked[c.pair[h, 0]] and not c.blocked[c.pair[h, 1]]:
            c.hole[n] = h
            n += 1
    c.count[0] = n
    for r in range(rounds):
        see(c, r, board[: SEEN[r]], s)
    s.weight[:n] = 1.0 / n
    s.weight[n:] = 0.0
    s.own[:, n:] = -1
    s.ahead[0] = 0


@njit
def see(c, r, board, s):
    """The buckets of all players on the ``board`` of round ``r``; their ranks on the last."""
    buckets_on_board(c.tables, board, c.pair, c.bucket)
    for k in range(c.count[0]):
        s.own[r, k] = c.bucket[c.hole[k]]
    for p in range(s.rank.size):
        s.other[p, r] = c.bucket[hole_id(c.dealt[2 * p], c.dealt[2 * p + 1])]
    if r == s.own.shape[0] - 1:
        strengths(c, board, s.mine, s.rank)


@njit
def strengths(c, board, mine, rank):
    """Write the ranks on the whole ``board``: ``mine`` by particle, ``rank`` by seat."""
    rank_holes(board, c.ranks, c.value)
    for k in range(c.count[0]):
        mine[k] = c.value[c.hole[k]]
    for p in range(rank.size):
        rank[p] = c.value[hole_id(c.dealt[2 * p], c.dealt[2 * p + 1])]


@njit
def holdem_hand(v, c, state, steps, out):
    """Fill the columns ``out`` float64[5] of the hand ``c.dealt`` along ``v.s.path[:steps]``.

    ``state`` seeds the drawn boards.
    """
    tree, s = v.m.game.tree, v.s
    set_holdem(c, v.hero, s)
    corrections.begin(v, out)
    at = r = np.int64(0)  # a literal would compile all that follows twice
    while True:
        at = corrections.actions(v, at, steps, r, out)
        if at < 0:
            return
        x = s.path[at]
        if not is_decision(tree.node[x, 0]):
            ended(v, c, x, r, state, out)
            return
        r += 1
        out[CHANCE] += dealt(v, c, x, r, state)
        out[CHANCE] -= corrections.value_of_cards(v, x, r)
        look_ahead(c, r, s)


@njit
def look_ahead(c, r, s):
    """The ranks of all players with each possible last card, once all others are seen.

    They serve the values of actions; those of cards come from buckets alone.
    """
    board = c.dealt[2 * s.rank.size :].copy()
    if r != s.own.shape[0] - 2 or board.size - SEEN[r] != 1:
        return
    for card in range(c.blocked.size):
        if not _may_come(c, card, board[:-1]):
            continue
        board[-1] = card
        strengths(c, board, s.mine_then[s.ahead[0]], s.rank_then[s.ahead[0]])
        s.ahead[0] += 1


@njit
def ended(v, c, x, r, state, out):
    """Finish a hand that ended in round ``r`` at the terminal ``x``, with its run-out if any."""
    tree, hero, s = v.m.game.tree, v.hero, v.s
    last, board = s.own.shape[0] - 1, c.dealt[2 * s.rank.size :]
    if r < last and kind_of(tree.node[x, 0]) != FOLDED:
        out[CHANCE] += _run_out(v, c, x, SEEN[r], state)
        strengths(c, board, s.mine, s.rank)
        r = last
        keep(s, r)
        out[CHANCE] -= mean_net(v, x, r, s.every)
    own = c.value[hole_id(c.dealt[2 * hero], c.dealt[2 * hero + 1])]
    result = net_of(tree, x, hero, s.rank, own, s.net)
    corrections.finish(result, mean_net(v, x, r, s.every), out)


@njit
def _chance_of(c, seen, s, out):
    """Write the probability of each next card to ``out`` float64[cards]; known cards have 0."""
    board = c.dealt[2 * s.rank.size :]
    out[:] = 1.0
    for k in range(c.count[0]):
        out[c.pair[c.hole[k], 0]] -= s.weight[k]
        out[c.pair[c.hole[k], 1]] -= s.weight[k]
    for card in range(out.size):
        if c.blocked[card]:
            out[card] = 0.0
    for card in board[:seen]:
        out[card] = 0.0
    out /= out.sum()


@njit
def _draw(c, seen, board, state, s):
    """Draw the cards ``board[seen:]`` from the observer's beliefs; returns the next state."""
    state, n = step(state), c.count[0]
    u, k = unit(state), 0
    while k < n - 1 and (u >= s.weight[k] or s.weight[k] == 0.0):
        u -= s.weight[k]
        k += 1
    while s.weight[k] == 0.0:  # the last ones, by rounding
        k -= 1
    lo, hi = c.pair[c.hole[k], 0], c.pair[c.hole[k], 1]
    for i in range(seen, board.size):
        while True:
            state = step(state)
            card = below(state, c.blocked.size)
            if card not in (lo, hi) and _may_come(c, card, board[:i]):
                break
        board[i] = card
    return state


@njit
def dealt(v, c, x, r, state):
    """The expectation of the values over the cards of round ``r``.

    On each board the hero has the holes that it does not block.
    """
    s = v.s
    s.ahead[0] = 0
    seen, actual = SEEN[r - 1], c.dealt[2 * s.rank.size :][: SEEN[r]]
    board, total = actual.copy(), 0.0
    if board.size - seen > 1:
        for _ in range(c.draws):
            state = _draw(c, seen, board, state, s)
            see(c, r, board, s)
            total += play_out(v, x, r, s.every)
        total /= c.draws
    else:
        chance = np.empty(c.blocked.size)
        _chance_of(c, seen, s, chance)
        for card in range(chance.size):
            if chance[card] > 0.0:
                board[seen] = card
                see(c, r, board, s)
                total += chance[card] * play_out(v, x, r, s.every)
    see(c, r, actual, s)
    return total


@njit
def _run_out(v, c, x, seen, state):
    """The hero's mean chips at the showdown ``x`` over the cards to come."""
    s = v.s
    board, won, held = c.dealt[2 * s.rank.size :].copy(), 0.0, 0.0
    if board.size - seen > 2:
        for _ in range(RUN_OUTS * c.draws):
            state = _draw(c, seen, board, state, s)
            chips, weight = _showdown(v, c, x, board, seen)
            won += chips / weight if weight > 0.0 else 0.0
        return won / (RUN_OUTS * c.draws)
    for card in range(c.blocked.size):  # all holes leave equally many boards
        if not _may_come(c, card, board[:seen]):
            continue
        board[seen] = card
        for second in range(card if board.size - seen == 2 else 1):
            if board.size - seen == 2:
                if not _may_come(c, second, board[:seen]):
                    continue
                board[seen + 1] = second
            chips, weight = _showdown(v, c, x, board, seen)
            won += chips
            held += weight
    return won / held


@njit
def _may_come(c, card, board):
    """Whether ``card`` is neither on the board nor held by another player."""
    return not c.blocked[card] and not (board == card).any()


@njit
def _showdown(v, c, x, board, seen):
    """The hero's chips on this board times weight, summed over the holes that it does not block;
    and the sum of their weights."""
    tree, hero, s = v.m.game.tree, v.hero, v.s
    strengths(c, board, s.mine, s.rank)
    total, won = 0.0, 0.0
    for k in range(c.count[0]):
        if s.weight[k] > 0.0 and not touches(c.pair[c.hole[k]], board[seen:]):
            total += s.weight[k]
            won += s.weight[k] * net_of(tree, x, hero, s.rank, s.mine[k], s.net)
    return won, total
