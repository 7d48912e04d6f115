"""How a hand ends: who wins each pot, and what a file's payoffs say beside that."""

import math
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.betting.rules import return_uncalled
from sixmax.betting.state import Betting
from sixmax.cards.deck import pack
from sixmax.cards.evaluate import evaluate_packed
from sixmax.hands.table_rules import betting_of, dead_antes, is_dead

if TYPE_CHECKING:
    from sixmax.hands.record import Record

TOLERANCE = 0.006  # chips: payoffs may be rounded to hundredths
MOST_RAKE = 0.1  # of what a winner collects

# What payoffs of a file are, beside those of the rules:
MATCH, ODD_CHIP, RAKE, MISMATCH = range(4)


class Pot(NamedTuple):
    """The main pot or a side pot: its chips, and the contenders who have paid into it in full."""

    chips: int
    seats: list[int]


def pots(contributed: list[int], contenders: int, dead: int = 0) -> list[Pot]:
    """The pots as :func:`sixmax.betting.rules.payoffs` has them, the main pot first.

    ``contributed`` is chips by seat, ``contenders`` a bit mask, ``dead`` chips of the main pot that
    are part of no bet. A bet that nobody called is a pot of one contender.
    """
    seats = [seat for seat in range(len(contributed)) if contenders >> seat & 1]
    out, below = [Pot(dead, seats)], 0
    for level in sorted({contributed[seat] for seat in seats} - {0}):
        chips = sum(min(put, level) - min(put, below) for put in contributed)
        paid = [seat for seat in seats if contributed[seat] >= level]
        if paid == out[-1].seats:
            chips += out.pop().chips
        out.append(Pot(chips, paid))
        below = level
    above = sum(max(0, put - below) for put in contributed)  # of folders
    out[-1] = out[-1]._replace(chips=out[-1].chips + above)
    return [pot for pot in out if pot.chips]


def settled(
    betting: Betting, hand: "Record", place: str, stated: np.ndarray | None, shown: bool = False
) -> np.ndarray:
    """Net chips of ``hand`` by the rules, where ``betting`` ended: float64[seats].

    A contender whose cards are unseen has mucked, if anybody has ``shown`` or the ``stated``
    payoffs float64[seats] of the file do not deny it. Raises UserError where the hand is not over,
    or unseen cards decide who wins.
    """
    if not betting.over:
        raise UserError(f"{place}: the hand stops with {betting.names[betting.actor]} to act")
    plain = not (hand.mucked or is_dead(hand.rules))
    if plain and not betting.showdown:
        return betting.payoffs()
    rank, left = _ranks(hand), betting.left
    seen = rank[left].all()
    if plain and seen:
        return betting.payoffs(rank)
    net = 0.0 - betting.contributed - dead_antes(hand.rules)
    for pot, winners in _won(betting, hand, place):
        net[winners] += pot.chips / len(winners)
    if betting.showdown and not seen:
        hidden = [seat for seat in left if not rank[seat]]
        undecided = stated is None and not (shown or hand.mucked)
        if undecided or (stated is not None and (stated - net > TOLERANCE)[hidden].any()):
            raise _missing(place)
    return net


def judge(hand: "Record", net: np.ndarray) -> int:
    """What the payoffs of ``hand`` are, beside ``net`` float64[seats] of the rules.

    MATCH, to TOLERANCE. ODD_CHIP: split pots are paid in whole chips, so that they differ by less
    than a chip a winner; a chip is 1, or what all amounts of the hand are multiples of. RAKE: every
    winner is short, by at most MOST_RAKE of what he collects, and who collect the same by the same.
    Otherwise MISMATCH.
    """
    pairs = zip(hand.payoffs.tolist(), net.tolist(), strict=True)
    if not any(abs(chips - paid) > TOLERANCE for chips, paid in pairs):
        return MATCH
    betting = played(hand)
    won = [(pot.chips, winners) for pot, winners in _won(betting, hand, "hand")]
    if _is_odd_chip(hand, betting, won):
        return ODD_CHIP
    collected = net + called(betting) + dead_antes(hand.rules)
    return RAKE if _is_rake(net - hand.payoffs, collected) else MISMATCH


def played(hand: "Record") -> Betting:
    """The betting of ``hand`` after its last action."""
    betting = betting_of(hand.rules)
    for part in hand.actions:
        for _, action in part:
            betting.act(action)
    return betting


def net_of_collected(won: np.ndarray, hand: "Record", betting: Betting) -> np.ndarray:
    """Net chips float64[seats] of seats that take ``won`` from the pots.

    A bet that nobody called counts as won where ``won`` is more than all that was called.
    """
    net = won - called(betting) - dead_antes(hand.rules)
    return net + called(betting) - betting.contributed if net.sum() > TOLERANCE else net


def called(betting: Betting) -> np.ndarray:
    """int64[seats]: chips put in, without a bet that nobody called."""
    chips = betting.contributed.copy()
    return_uncalled(chips)
    return chips


def _is_odd_chip(hand: "Record", betting: Betting, won: list[tuple[int, list[int]]]) -> bool:
    dead, put = dead_antes(hand.rules), betting.contributed
    amounts = [*hand.rules.stacks, *hand.rules.blinds, *put.tolist(), *dead.tolist()]
    for chip in {1, math.gcd(*amounts)}:
        low = 0.0 - put - dead
        high = low.copy()
        for chips, winners in won:
            share, left = divmod(chips // chip, len(winners))
            low[winners] += share * chip
            high[winners] += (share + left) * chip
        near = (low - TOLERANCE <= hand.payoffs) & (hand.payoffs <= high + TOLERANCE)
        off = hand.payoffs - chip * np.round(hand.payoffs / chip)
        whole = chip == 1 or (abs(off) <= TOLERANCE).all()
        if near.all() and whole and abs(hand.payoffs.sum()) <= TOLERANCE * betting.seats:
            return True
    return False


def _is_rake(taken: np.ndarray, won: np.ndarray) -> bool:
    winners = np.flatnonzero(won > TOLERANCE).tolist()
    return (
        bool((abs(np.delete(taken, winners)) <= TOLERANCE).all())
        and all(0 < taken[w] <= MOST_RAKE * won[w] + TOLERANCE for w in winners)
        and all(
            abs(taken[a] - taken[b]) <= 1 + TOLERANCE
            for a, b in combinations(winners, 2)
            if abs(won[a] - won[b]) <= TOLERANCE
        )
    )


def _won(betting: Betting, hand: "Record", place: str) -> list[tuple[Pot, list[int]]]:
    """Every pot and its winners. Raises UserError where unseen cards decide it."""
    rank, result = _ranks(hand), []
    dead = int(dead_antes(hand.rules).sum())
    for pot in pots(betting.contributed.tolist(), betting.contenders, dead):
        claims = [seat for seat in pot.seats if not hand.mucked >> seat & 1]
        best = max((rank[seat] for seat in claims), default=0)
        winners = [seat for seat in claims if rank[seat] == best]
        if not best:
            winners = claims if len(claims) == 1 else pot.seats
            if len(winners) > 1:
                raise _missing(place)
        result.append((pot, winners))
    return result


def _missing(place: str) -> UserError:
    return UserError(f"{place}: a showdown with cards missing, wanted all of its winners'")


def _ranks(hand: "Record") -> np.ndarray:
    """The values of the hands, int32[seats], 0 where cards are unseen or the board is not whole."""
    if len(hand.board) != hand.rules.board_cards:
        return np.zeros(len(hand.holes), np.int32)
    return values(hand.holes, hand.board)


@njit
def values(holes, board):
    """The value of each hand at the showdown: int32[seats], 0 where cards are unseen.

    ``holes`` int8[seats, 2] and ``board`` int8[cards], as of a record.
    """
    out, on_board = np.zeros(len(holes), np.int32), pack(board)
    for seat in range(len(holes)):
        if holes[seat].min() >= 0:
            out[seat] = evaluate_packed(on_board | pack(holes[seat]))
    return out
