"""All-in pots counted by the mean over the boards that could have come.

Once nobody can act any more, the rest of the board is luck alone: the mean over it has the same
expectation as the board that came, and less noise. All hole cards, folded ones too,
are known and on no board, so that the boards are those which the dealer could have dealt.
"""

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit, parallel, prange
from sixmax.base.rng import below, step, stream
from sixmax.betting.config import SEEN
from sixmax.betting.rules import payoffs
from sixmax.betting.tree import SHOWDOWN, SIDEPOTS, kind_of, round_of
from sixmax.cards.deck import card_bit, next_combination, pack
from sixmax.cards.evaluate import evaluate_packed
from sixmax.hands.record import UNSEEN, Record
from sixmax.hands.showdown import played
from sixmax.hands.table_rules import dead_antes

_PARTS = 64  # work items, whatever the threads


def payoff(boards: int) -> str:
    """The payoff of a protocol that uses :func:`expected` with ``boards``."""
    over = f"{boards:,} boards drawn, or all where there are no more" if boards else "all boards"
    return f"net chips, all-in pots by their mean over {over}"


def expected(record: Record, boards: int = 0, seed: int = 0) -> np.ndarray:
    """Net chips of every seat, float64[seats], all-in pots averaged over the boards to come.

    ``boards`` 0 takes all of them (658,008 for six players before the flop, 0.1 s), else as many
    drawn by ``seed``, but all where there are no more or one card is to come. A hand without a pot
    that is all-in early has its own payoffs. Raises UserError where hole cards are not known.
    """
    seen = SEEN[max(0, len(record.actions) - 1)]
    if seen == len(record.board):
        return record.payoffs
    if (record.holes == UNSEEN).any():
        raise UserError(
            f"hand {record.number}: an all-in pot over all boards wants every hole card, and some "
            "were not shown"
        )
    betting, dead = played(record), dead_antes(record.rules)
    holes, board = record.holes.ravel(), record.board[:seen]
    deck = np.empty(4 * record.ranks, np.int8)
    deck = deck[: _rest(np.concatenate([holes, board]), deck)]
    args = betting.contenders, holes, int(pack(board)), deck
    more = len(record.board) - seen, boards, np.uint64(seed)
    out = np.empty(betting.seats)
    _mean_kernel(betting.contributed.astype(np.int32), *args, *more, out)
    if dead.any():  # the main pot's, whose mean shares are those of a pot of a chip each
        one = np.array([betting.contenders >> seat & 1 for seat in range(out.size)], np.int32)
        share = np.empty(out.size)
        _mean_kernel(one, *args, *more, share)
        out += (share + one) / one.sum() * dead.sum() - dead
    return out


@parallel
def settle_early(tree, cards, ranks, end, boards, seed, first, net):
    """Replace the payoffs of all-in pots by the mean over ``boards``, as of :func:`expected`.

    ``cards`` int8[n, 2 seats + board] are of deals ``first`` …; ``end`` int64[n, seats] the nodes
    where their hands ended and ``net`` float64[n, seats] net chips, both by the seat of the hero.
    """
    node, contributed = tree.node, tree.contributed
    n, seats = end.shape
    for part in prange(_PARTS):
        deck, value = np.empty(4 * ranks, np.int8), np.empty(seats)
        chips = np.empty(seats, np.int32)
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            state = stream(seed, np.uint64(first) + np.uint64(i))
            for hero in range(seats):
                x = end[i, hero]
                head = node[x, 0]
                seen = 2 * seats + SEEN[round_of(head)]
                early = kind_of(head) == SHOWDOWN or kind_of(head) == SIDEPOTS
                if not early or seen >= cards.shape[1] or (end[i, :hero] == x).any():
                    continue
                rest = deck[: _rest(cards[i, :seen], deck)]
                _chips_at(node, contributed, x, chips)
                holes, board = cards[i, : 2 * seats], pack(cards[i, 2 * seats : seen])
                more = cards.shape[1] - seen, boards, state
                _mean_kernel(chips, np.int64(node[x, 3]), holes, board, rest, *more, value)
                for p in range(hero, seats):
                    if end[i, p] == x:
                        net[i, p] = value[p]


@njit
def _rest(dealt, deck):
    """Write the cards not ``dealt`` into ``deck``, a whole one long; returns their number."""
    n = 0
    for card in range(deck.size):
        if not (dealt == card).any():
            deck[n] = card
            n += 1
    return n


@njit
def _chips_at(node, contributed, x, out):
    """Write the chips put in at showdown ``x``. Of folded ones the sum counts: one seat has it."""
    if kind_of(node[x, 0]) == SIDEPOTS:
        out[:] = contributed[node[x, 1]]
        return
    left, mask = node[x, 1], node[x, 3]
    for p in range(out.size):
        out[p] = node[x, 2] if mask >> p & 1 else 0
        left -= out[p]
    for p in range(out.size):
        if not mask >> p & 1:
            out[p], left = left, 0


@njit
def draws(cards, k, boards):
    """Whether boards that take ``k`` of ``cards`` are drawn, or all of them taken."""
    ways = 1
    for i in range(k):
        ways = ways * (cards - i) // (i + 1)
    return boards > 0 and k > 1 and ways > boards


@njit
def _shuffle(deck, k, state):
    """Draw the first ``k`` of ``deck``; the state that goes on."""
    for i in range(k):
        state = step(state)
        j = i + below(state, deck.size - i)
        deck[i], deck[j] = deck[j], deck[i]
    return state


@njit
def _rank(holes, board, deck, chosen, mask, out):
    """Write into ``out`` the values of the hands of ``mask`` on ``board`` and those ``chosen``."""
    for i in chosen:
        board |= card_bit(deck[i])
    for p in range(out.size):
        if mask >> p & 1:
            both = card_bit(holes[2 * p]) | card_bit(holes[2 * p + 1])
            out[p] = evaluate_packed(board | both)


@njit
def _mean_kernel(chips, mask, holes, seen, deck, k, boards, state, out):
    """Write into ``out`` float64[seats] the mean net chips over boards that add ``k`` cards of
    ``deck`` int8 to the packed board ``seen``: all, or as many as :func:`draws` wants."""
    seats, n = chips.size, 0
    rank, net = np.zeros(seats, np.int32), np.empty(seats)
    out[:] = 0
    chosen, drawn, deck = np.arange(k), draws(deck.size, k, boards), deck.copy()
    while True:
        if drawn:
            state = _shuffle(deck, k, state)
        _rank(holes, seen, deck, chosen, mask, rank)
        payoffs(chips, mask, rank, net)
        for p in range(seats):
            out[p] += net[p]
        n += 1
        if n == boards if drawn else not next_combination(chosen, deck.size):
            break
    for p in range(seats):
        out[p] /= n
