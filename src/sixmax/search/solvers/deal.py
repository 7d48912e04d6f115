"""The dealer of a subgame: hands drawn from the beliefs, and the cards to come.

The joint probability of hands is the product of the players' beliefs over hands that share no card.
All hands are drawn, and all are drawn again if two collide. To draw only the second of two that
collide, or one player after another, would favour some hands.
"""

from typing import NamedTuple

import numpy as np

from sixmax.abstraction.flop.kernels import river_bucket, turn_bucket
from sixmax.base.errors import UserError
from sixmax.base.jit import njit, parallel, prange
from sixmax.base.rng import below, step, stream, unit
from sixmax.betting.config import SEEN
from sixmax.cards.deck import holds, hole_cards, n_holes
from sixmax.games.holdem import HoldemDealer, look_up_cards
from sixmax.search.subgame import SubgameCards

_PARTS = 32
_TRIES = 100_000  # draws of all hands until no two collide
_NONE = np.empty(0, np.int8)


class SearchDeals(NamedTuple):
    """Deals of a subgame; bucket and rank as in :class:`sixmax.cfr.deals.Deals`."""

    bucket: np.ndarray  # int32[deals, seats, rounds of the subgame]
    rank: np.ndarray  # int32[deals, boards, seats]
    # int32[deals, seats, 4]: the blueprint's buckets, all rounds of the game; or holes in the first
    future: np.ndarray


class SubgameDealer:
    """Deals hands by ``beliefs`` float64[seats, H], and boards that begin with ``board``.

    Buckets are the hole_id in round 0, and in later rounds those of ``cards``. Folded seats are
    dealt hands too, because their cards are out of the deck. Beliefs of zeros mean uniform. With
    ``boards`` above 1 every deal has several boards, for pots that are all-in in round 0. With
    ``holes`` a learned function finds them in ``future``. Hands with the same ``like`` int64[H],
    None for none, have one bucket in round 0. Raises UserError for beliefs without a
    possible deal, ValueError for shapes.
    """

    like: np.ndarray | None = None

    def __init__(
        self, beliefs: np.ndarray, board: np.ndarray, rounds: int, cards: SubgameCards,
        boards: int = 1, holes: bool = False,
    ):  # fmt: skip
        ranks, buckets, later = cards
        self._seats, every = len(beliefs), n_holes(ranks)
        if beliefs.shape[1:] != (every,) or len(board) not in SEEN:
            raise ValueError(f"beliefs {beliefs.shape}, board {board}: wanted [seats, {every}]")
        self._board, self._round = np.asarray(board, np.int8), SEEN.index(len(board))
        room = 4 * ranks - 2 * self._seats - len(board)
        self._boards = max(1, min(boards, room // (5 - len(board)))) if len(board) < 5 else 1
        self._urn = urn(beliefs, self._board, ranks, self._boards)
        self._tables = HoldemDealer(buckets, ranks, self._seats).tables
        self._later, self._by_holes, self._rounds = later, holes, rounds
        counts = [int(count) for count in buckets.counts]
        if later is not None:
            counts[2:] = len(later.turn_strength), len(later.river_strength)
        self.buckets = [every, *counts[self._round + 1 : self._round + rounds]]

    def cards(self, seed: np.uint64, first: int, n: int) -> np.ndarray:
        """The cards of deals: int8[n, cards], the holes of the seats, then boards of five cards."""
        cards = draw_cards(np.uint64(seed), first, n, self._urn)
        if len(cards) < n:
            raise UserError(
                "beliefs: found no deal in which no card is held twice; wanted hands that can be "
                "held together"
            )
        return cards

    def deal(self, seed: np.uint64, first: int, n: int) -> SearchDeals:
        """Deals ``first`` … ``first + n - 1`` of the stream ``seed``."""
        cards = self.cards(seed, first, n)
        rank = np.empty((n, self._boards, self._seats), np.int32)
        future = np.empty((n, self._seats, 4), np.int32)
        look_up_cards(cards, self._tables, future, rank)
        bucket = np.empty((n, self._seats, self._rounds), np.int32)
        bucket[:, :, 0] = holes = holes_of(cards, self._seats)
        for r in range(1, self._rounds):
            street = self._round + r
            if self._later is None or street < 2:
                bucket[:, :, r] = future[:, :, street]
            else:
                _later_kernel(self._later, cards[:, 2 * self._seats :], street, bucket, r)
        if self.like is not None:
            bucket[:, :, 0] = self.like[holes]
        if self._by_holes:
            future[:, :, 0] = holes
        return SearchDeals(bucket, rank, future)


def hands_alike(board: np.ndarray, ranks: int) -> np.ndarray:
    """The hand that stands for each, itself or one like it: int64[holes].

    Hands alike have the same ranks, and the same cards of a suit that makes a flush, or does with
    the next card. Two cards of a suit that needs two more are like any two such cards.

    # ASSUME other suits do not matter: those of blockers, and of a flush two cards away that one
    card of the hand would make.
    """
    hole = hole_cards(ranks).astype(np.int64)
    suit, to_come = hole % 4, 5 - len(board)
    suited = suit[:, :1] == suit[:, 1:]
    held = np.bincount(np.asarray(board) % 4, minlength=4)[suit] + 1 + suited
    near, far = held + min(to_come, 1) >= 5, suited & (held + to_come >= 5)
    told = np.where(near, 2 + suit, far)
    low, high = np.sort(8 * (hole // 4) + told, axis=1).T
    kind = low + 8 * ranks * high
    kind[holds(board, ranks)] = -1
    _, first, of = np.unique(kind, return_index=True, return_inverse=True)
    return first[of]


def holes_of(cards: np.ndarray, seats: int) -> np.ndarray:
    """The hole_ids int64[n, seats] of the first 2 * ``seats`` of ``cards`` int8[n, cards]."""
    both = np.sort(cards[:, : 2 * seats].reshape(len(cards), seats, 2).astype(np.int64), axis=2)
    return both[:, :, 1] * (both[:, :, 1] - 1) // 2 + both[:, :, 0]


class Urn(NamedTuple):
    """The hands and boards that deals are drawn from."""

    cumulative: np.ndarray  # float64[seats, H]: weights of the holes without a card of ``known``
    hole: np.ndarray  # int8[H, 2]: the cards of each
    board: np.ndarray  # int8[…]: the beginning of each board
    known: np.ndarray  # int8[…]: cards that are not dealt, those of ``board`` among them
    deck: int  # cards
    boards: int  # of a deal


def urn(
    beliefs: np.ndarray, board: np.ndarray, ranks: int, boards: int = 1, dead: np.ndarray = _NONE
) -> Urn:
    """The Urn of hands by ``beliefs`` float64[seats, H], without the cards ``dead`` int8[…]."""
    known = np.concatenate([board, dead])
    free = ~holds(known, ranks)
    weight = np.where(free, np.maximum(beliefs, 0.0), 0.0)
    weight[weight.sum(axis=1) == 0] = free
    total = np.cumsum(weight, axis=1)
    return Urn(total / total[:, -1:], hole_cards(ranks), board, known, 4 * ranks, boards)


def draw_cards(seed: np.uint64, first: int, n: int, urn: Urn) -> np.ndarray:
    """Cards int8[n, 2 seats + 5 boards] of deals; no rows if hands that share no card are rare."""
    cards = np.empty((n, 2 * len(urn.cumulative) + SEEN[-1] * urn.boards), np.int8)
    return cards if _draw_kernel(seed, first, urn, cards) else cards[:0]


@parallel
def _draw_kernel(seed, first, urn, out):
    """Fill ``out`` int8[n, cards]; false if a deal could not be drawn."""
    n, fine = len(out), np.ones(_PARTS, np.bool_)
    for part in prange(_PARTS):
        begin, end = n * part // _PARTS, n * (part + 1) // _PARTS
        fine[part] = _draw_part(seed, first + begin, urn, out[begin:end])
    return fine.all()


@njit
def _draw_part(seed, first, urn, out):
    cumulative, hole, board, known, deck, _ = urn
    seen = np.uint64(0)
    for card in known:
        seen |= np.uint64(1) << np.uint64(card)
    seats = len(cumulative)
    for i in range(len(out)):
        state = stream(seed, np.uint64(first + i))
        taken, tries, seat = seen, 0, 0
        while seat < seats:
            state = step(state)
            h = np.searchsorted(cumulative[seat], unit(state), side="right")
            both = np.uint64(1) << np.uint64(hole[h, 0]) | np.uint64(1) << np.uint64(hole[h, 1])
            if taken & both:
                taken, seat, tries = seen, 0, tries + 1
                if tries == _TRIES:
                    return False
                continue
            taken |= both
            out[i, 2 * seat], out[i, 2 * seat + 1] = hole[h, 0], hole[h, 1]
            seat += 1
        for at in range(2 * seats, out.shape[1]):
            place = (at - 2 * seats) % 5
            if place < board.size:
                out[i, at] = board[place]
                continue
            card = np.uint64(0)
            while True:
                state = step(state)
                card = np.uint64(below(state, deck))
                if not taken >> card & np.uint64(1):
                    break
            taken |= np.uint64(1) << card
            out[i, at] = np.int8(card)
    return True


@njit
def _later_kernel(later, boards, street, bucket, r):
    for i in range(len(bucket)):
        for p in range(bucket.shape[1]):
            if street == 2:
                bucket[i, p, r] = turn_bucket(later, boards[i, 3], bucket[i, p, 0])
            else:
                bucket[i, p, r] = river_bucket(later, boards[i, 3], boards[i, 4], bucket[i, p, 0])
