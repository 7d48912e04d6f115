"""The hold'em dealer: of shuffled cards, each seat's bucket by round and rank at showdown."""

import numpy as np

from sixmax.abstraction.board_lookup import board_tables, find_row, read_row
from sixmax.abstraction.buckets import Buckets
from sixmax.base.jit import njit, parallel, prange
from sixmax.base.rng import below, child, step, stream
from sixmax.betting.config import SEEN
from sixmax.cards.deck import card_bit, pack
from sixmax.cards.evaluate import evaluate_packed
from sixmax.cfr.deals import Deals

_PARTS = 32


class HoldemDealer:
    """Deals two cards to each seat and ``boards`` boards, from four suits of ``ranks`` ranks.

    All ``board_cards`` cards of a board count at the showdown; the rounds see the first 0, 3, 4 and
    5 of the first board. No card is on two boards: so they say more about the hands. Raises
    ValueError where the deck has too few cards.
    """

    def __init__(
        self,
        buckets: Buckets,
        ranks: int,
        seats: int,
        rounds: int = 4,
        boards: int = 1,
        board_cards: int = 5,
    ):
        self.ranks, self.board_cards = ranks, board_cards
        self._dealt = 2 * seats + board_cards * boards
        if self._dealt > 4 * ranks:
            raise ValueError(f"{self._dealt} cards wanted of a deck of {4 * ranks}")
        self.tables = board_tables(buckets, ranks)
        self._cards, self._seats, self._rounds = 4 * ranks, seats, rounds
        self.buckets = [int(b) for b in buckets.counts[:rounds]]

    def deal(self, seed: np.uint64, first: int, n: int) -> Deals:
        """Deals ``first`` … ``first + n - 1`` of the stream ``seed``."""
        return self.look_up(self.cards(seed, first, n))

    def look_up(self, cards: np.ndarray) -> Deals:
        """``cards`` int8[n, cards], the holes of the seats, then one board or more, as deals."""
        n, boards = len(cards), (cards.shape[1] - 2 * self._seats) // self.board_cards
        bucket = np.empty((n, self._seats, self._rounds), np.int32)
        rank = np.empty((n, boards, self._seats), np.int32)
        look_up_cards(np.ascontiguousarray(cards), self.tables, bucket, rank)
        return Deals(bucket, rank)

    def cards(self, seed: np.uint64, first: int, n: int) -> np.ndarray:
        """The cards of these deals: int8[n, cards dealt], the holes of the seats, then boards."""
        cards = np.empty((n, self._dealt), np.int8)
        _shuffle_kernel(np.uint64(seed), first, self._cards, cards)
        return cards


@njit
def draw(seed, item, deck, out):
    """Fill ``out`` int8 with different cards: deal ``item`` of ``seed``.

    ``deck`` int8 is scratch, as long as the deck.
    """
    state = stream(seed, np.uint64(item))
    for card in range(deck.size):
        deck[card] = card
    for i in range(out.size):
        state = step(state)
        j = i + below(state, deck.size - i)
        deck[i], deck[j] = deck[j], deck[i]
        out[i] = deck[i]


def deal_cards(seed: int, number: int, seats: int, ranks: int) -> np.ndarray:
    """Deal ``number`` of ``seed``, played hand by hand: int8[2 seats + 5], holes and a board."""
    cards = np.empty(2 * seats + SEEN[-1], np.int8)
    draw(child(seed, "cards"), number, np.empty(4 * ranks, np.int8), cards)
    return cards


@parallel
def _shuffle_kernel(seed, first, deck, out):
    for part in prange(_PARTS):
        cards = np.empty(deck, np.int8)
        for i in range(len(out) * part // _PARTS, len(out) * (part + 1) // _PARTS):
            draw(seed, first + i, cards, out[i])


@parallel
def look_up_cards(cards, tables, bucket, rank):
    """Write ``bucket`` int32[n, seats, rounds] and ``rank`` int32[n, boards, seats] of ``cards``
    int8[n, cards dealt]: the holes of the seats, then the boards."""
    n = len(cards)
    for part in prange(_PARTS):
        first, last = n * part // _PARTS, n * (part + 1) // _PARTS
        _look_up(cards[first:last], tables, bucket[first:last], rank[first:last])


@njit
def _look_up(cards, tables, bucket, rank):
    preflop, flop, turn, river, flops, turns, rivers, flop_slots, turn_slots, river_slots = tables
    n, seats, rounds = bucket.shape
    perm, unmoved = np.empty(4, np.int8), np.arange(4).astype(np.int8)
    for i in range(n):
        hole, board = cards[i, : 2 * seats], cards[i, 2 * seats :]
        read_row(preflop, 0, hole, unmoved, bucket[i, :, 0])
        if rounds > 1:
            row = find_row(flop_slots, flops, board[:3], perm)
            read_row(flop, row, hole, perm, bucket[i, :, 1])
        if rounds > 2:
            row = find_row(turn_slots, turns, board[:4], perm)
            read_row(turn, row, hole, perm, bucket[i, :, 2])
        if rounds > 3:
            row = find_row(river_slots, rivers, board[:5], perm)
            read_row(river, row, hole, perm, bucket[i, :, 3])
        size = board.size // rank.shape[1]
        for b in range(rank.shape[1]):
            packed = pack(board[size * b : size * (b + 1)])
            for p in range(seats):
                both = card_bit(hole[2 * p]) | card_bit(hole[2 * p + 1])
                rank[i, b, p] = evaluate_packed(packed | both)
