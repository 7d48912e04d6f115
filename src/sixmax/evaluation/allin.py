"""All-in pots counted by the mean over the boards that could have come.

Once nobody can act any more, the rest of the board is luck alone: the mean over it has the same
expectation as what came, and less noise. All hole cards, folded ones too, are known and on no
board, so that the boards are those which the dealer could have dealt.
"""

import numpy as np

from sixmax.cards.deck import card_bit, next_combination, pack
from sixmax.cards.evaluate import evaluate_packed
from sixmax.errors import UserError
from sixmax.evaluation.record import UNSEEN, Record
from sixmax.game.betting import Betting
from sixmax.game.config import SEEN
from sixmax.game.pots import payoffs
from sixmax.jit import njit
from sixmax.rng import below, step, stream


def payoff(boards: int) -> str:
    """What a protocol says of :func:`expected` with ``boards``."""
    over = f"{boards:,} boards drawn at random" if boards else "all boards"
    return f"net chips, all-in pots by their mean over {over}"


def expected(record: Record, boards: int = 0, seed: int = 0) -> np.ndarray:
    """Net chips of every seat, float64[seats], all-in pots averaged over the boards to come.

    ``boards`` 0 takes all of them (658,008 for six players before the flop, 0.1 s), else as many
    drawn by ``seed``. A hand without a pot that is all-in early has its own payoffs. Raises
    UserError where hole cards are not known.
    """
    seen = SEEN[len(record.actions) - 1]
    if seen == len(record.board):
        return record.payoffs
    if (record.holes == UNSEEN).any():
        raise UserError(
            f"hand {record.number}: an all-in pot over all boards wants every hole card, and some "
            "were not shown"
        )
    betting = Betting(record.rules)
    for part in record.actions:
        for _, action in part:
            betting.act(action)
    dealt = np.zeros(4 * record.ranks, bool)
    dealt[record.holes.ravel()] = dealt[record.board[:seen]] = True
    deck = np.flatnonzero(~dealt).astype(np.int8)
    out, chips = np.zeros(betting.seats), betting.contributed.astype(np.int32)
    start = np.uint64(stream(np.uint64(seed), np.uint64(record.number)))
    args = chips, betting.contenders, record.holes, int(pack(record.board[:seen])), deck
    _mean_kernel(*args, len(record.board) - seen, boards, start, out)
    return out


@njit
def _mean_kernel(chips, mask, holes, seen, deck, k, boards, state, out):
    """Write into ``out`` float64[seats] the mean net chips over boards that add ``k`` cards of
    ``deck`` int8 to the packed board ``seen``: all if ``boards`` is 0, else so many at random."""
    seats, n = chips.size, 0
    rank, net = np.zeros(seats, np.int32), np.empty(seats)
    chosen, deck = np.arange(k), deck.copy()
    while True:
        if boards:
            for i in range(k):
                state = step(state)
                j = i + below(state, deck.size - i)
                deck[i], deck[j] = deck[j], deck[i]
        board = seen
        for i in range(k):
            board |= card_bit(deck[chosen[i]])
        for p in range(seats):
            if mask >> p & 1:
                both = card_bit(holes[p, 0]) | card_bit(holes[p, 1])
                rank[p] = evaluate_packed(board | both)
        payoffs(chips, mask, rank, net)
        for p in range(seats):
            out[p] += net[p]
        n += 1
        if n == boards if boards else not next_combination(chosen, deck.size):
            break
    for p in range(seats):
        out[p] /= n
