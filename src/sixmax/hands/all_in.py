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
from sixmax.betting.tree import SHOWDOWN, SIDEPOTS, Tree, kind_of, round_of
from sixmax.cards.deck import card_bit, next_combination, pack
from sixmax.cards.evaluate import evaluate_packed
from sixmax.cfr.advance import terminal_value
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
    dealt = np.zeros(4 * record.ranks, bool)
    dealt[record.holes.ravel()] = dealt[record.board[:seen]] = True
    deck = np.flatnonzero(~dealt).astype(np.int8)
    holes = np.ascontiguousarray(record.holes).ravel()
    args = betting.contenders, holes, int(pack(record.board[:seen])), deck
    more = len(record.board) - seen, boards, np.uint64(seed)
    out = np.zeros(betting.seats)
    _mean_kernel(betting.contributed.astype(np.int32), *args, *more, out)
    if dead.any():  # the main pot's, whose mean shares are those of a pot of a chip each
        one = np.array([betting.contenders >> seat & 1 for seat in range(out.size)], np.int32)
        share = np.zeros(out.size)
        _mean_kernel(one, *args, *more, share)
        out += (share + one) / one.sum() * dead.sum() - dead
    return out


def settle_early(
    tree: Tree,
    cards: np.ndarray,
    ranks: int,
    end: np.ndarray,
    boards: int,
    seed: np.uint64,
    first: int,
    net: np.ndarray,
) -> None:
    """Replace the payoffs of all-in pots by the mean over ``boards``, as of :func:`expected`.

    ``cards`` int8[n, 2 seats + board] are of deals ``first`` …; ``end`` int64[n, seats] the nodes
    where their hands ended and ``net`` float64[n, seats] net chips, both by the seat of the hero.
    """
    _early_kernel(
        tree.node, tree.contributed, cards, ranks, end, boards, seed, np.uint64(first), net
    )


@parallel
def _early_kernel(node, contributed, cards, ranks, end, boards, seed, first, net):
    n, seats = end.shape
    for part in prange(_PARTS):
        deck, value = np.empty(4 * ranks, np.int8), np.empty(seats)
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            state = stream(seed, first + np.uint64(i))
            for hero in range(seats):
                x = end[i, hero]
                head = node[x, 0]
                seen = 2 * seats + SEEN[round_of(head)]
                early = kind_of(head) == SHOWDOWN or kind_of(head) == SIDEPOTS
                if not early or seen >= cards.shape[1] or (end[i, :hero] == x).any():
                    continue
                left = _rest(cards[i, :seen], deck)
                here = end[i] == x
                args = node, contributed, x, here, cards[i], seen, deck[:left], boards, state
                _mean_at(*args, value)
                for p in range(hero, seats):
                    if here[p]:
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
def _mean_at(node, contributed, x, wanted, cards, seen, deck, boards, state, out):
    """Write the mean net chips at terminal node ``x`` of the ``wanted`` seats to ``out``.

    ``out`` is float64[seats]; the boards go on from the first ``seen`` of ``cards``.
    """
    seats, k, n = out.size, cards.size - seen, 0
    rank, net = np.zeros((1, seats), np.int32), np.empty(seats)
    chosen, drawn = np.arange(k), draws(deck.size, k, boards)
    board = pack(cards[2 * seats : seen])
    out[:] = 0
    while True:
        if drawn:
            state = _shuffle(deck, k, state)
        _rank(cards[: 2 * seats], board, deck, chosen, node[x, 3], rank[0])
        for p in range(seats):
            if wanted[p]:
                out[p] += terminal_value(node, contributed, rank, node[x, 0], x, p, net)
        n += 1
        if n == boards if drawn else not next_combination(chosen, deck.size):
            break
    for p in range(seats):
        out[p] /= n


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
