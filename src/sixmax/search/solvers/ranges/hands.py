"""The hands of two players on every board of a subgame, and the buckets of later rounds.

A player's hands are those of his range that a board leaves. They are numbered 0 … n-1 on each
board: by ascending hole, and in the last round by ascending strength, so that a showdown walks
through memory in order.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.board_lookup import board_tables, buckets_on_board
from sixmax.abstraction.buckets import Buckets
from sixmax.abstraction.flop.kernels import river_bucket, turn_bucket
from sixmax.abstraction.flop.store import FlopBuckets
from sixmax.base.jit import njit
from sixmax.cards.deck import card_bit, hole_cards, n_holes, pack, touches
from sixmax.cards.isomorphism import permute_hole
from sixmax.cards.strength_ladder import climb, ladder
from sixmax.search.solvers.ranges.boards import RoundBoards, that_follow

CARDS = 52  # of the largest deck; a smaller one has no hands with the last


class Hands(NamedTuple):
    """One player's hands. Boards are numbered over all rounds, as by :class:`FollowingBoards`."""

    begin: np.ndarray  # int64[boards + 1]: those of a board are ``begin[board]`` to the next one
    hole: np.ndarray  # int16[entries]: their holes
    low: np.ndarray  # uint8[entries]: their cards
    high: np.ndarray
    up: np.ndarray  # int16[entries]: their numbers on the board before; none in round 0
    same: np.ndarray  # int16[entries]: the opponent's of the same hole, or the count of its hands
    # int16[entries, 8]: the rows of sums, piled up by the opponent's ``order``, over its hands that
    # are weaker, in all and with either card, over those that are weaker or level, and over all
    # with either card; before the last round none is weaker and all are level
    sums: np.ndarray
    # int16[3 entries]: by board, the numbers of the hands, then of those with each card in turn
    order: np.ndarray
    lists: np.ndarray  # int16[boards, 54]: where, in ``order``, these lists begin on a board
    bucket: np.ndarray  # int32[entries]: 0 in rounds without buckets
    images: np.ndarray  # int64[boards + 1]: where, in ``image``, the rows of a board begin
    # int16[.]: a row for each permutation of suits, but the identity, that keeps the board: the
    # numbers of its hands with suits renamed
    image: np.ndarray

    @property
    def first(self) -> np.ndarray:
        """The holes on the first board: int16[n]."""
        return self.hole[: self.begin[1]]


def hands(
    dealt: list[RoundBoards],
    held: np.ndarray,
    buckets: Sequence[np.ndarray | None] = (),
    ranks: int = 13,
) -> tuple[Hands, Hands]:
    """The hands ``held`` bool[2, H] of two players on the boards ``dealt`` (``that_follow``)."""
    alike = bool((held[0] == held[1]).all())
    lists = [_list(dealt, mine, ranks) for mine in (held[:1] if alike else held)]
    first = _against(dealt, lists[0], lists[-1], buckets, ranks)
    return first, first if alike else _against(dealt, lists[1], lists[0], buckets, ranks)


class Listed(NamedTuple):
    """Fields of Hands, and the step of each hand on the ladder of its board."""

    begin: np.ndarray
    hole: np.ndarray
    up: np.ndarray
    step: np.ndarray
    images: np.ndarray
    image: np.ndarray


def _list(dealt: list[RoundBoards], held: np.ndarray, ranks: int) -> Listed:
    room = ladder(ranks)
    holes = np.flatnonzero(held).astype(np.int16)
    before, parts = (np.array([0, len(holes)]), holes), []
    begins, images = [np.zeros(1, np.int64)], [np.zeros(1, np.int64)]
    for r, boards in enumerate(dealt):
        n, most = len(boards.cards), np.diff(before[0]).max()
        begin, first = np.zeros((2, n + 1), np.int64)
        hole, up, step = np.empty((3, n * most), np.int16)
        image = np.empty(len(boards.group) * most, np.int16)
        out = Listed(begin, hole, up, step, first, image)
        _list_kernel(boards, r == len(dealt) - 1, ranks, before, room, out)
        before = begin, hole[: begin[-1]]
        begins.append(begin[1:] + begins[-1][-1])
        images.append(first[1:] + images[-1][-1])
        own = slice(begin[-1])
        parts.append([hole[own], up[own], step[own], image[: first[-1]]])
    hole, up, step, image = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Listed(np.concatenate(begins), hole, up, step, np.concatenate(images), image)


@njit
def _list_kernel(boards, last, ranks, listed, room, out):
    """List the hands of a round; ``listed`` are ``begin`` and ``hole`` of the round before."""
    (before, hole_before), (begin, hole, up, step, images, image) = listed, out
    cards, (number, own) = room.cards, np.empty((2, len(room.cards)), np.int16)
    size, written, above = 0, 0, -1
    for b in range(len(boards.cards)):
        board, parent = boards.cards[b], boards.parent[b]
        if parent != above:
            above = parent
            number[:] = -1
            for i in range(before[parent], before[parent + 1]):
                number[hole_before[i]] = i - before[parent]
        for i in range(climb(board, ranks, room) if last else len(cards)):
            h = room.order[i] if last else i
            if number[h] >= 0 and (last or not touches(cards[h], board)):
                hole[size], up[size], step[size] = h, number[h], room.stop[i] if last else 0
                own[h] = size - begin[b]
                size += 1
        begin[b + 1] = size
        for k in range(boards.keeps[b], boards.keeps[b + 1]):
            for i in range(begin[b], size):
                low, high = cards[hole[i], 0], cards[hole[i], 1]
                image[written] = own[permute_hole(low, high, boards.group[k])]
                written += 1
        images[b + 1] = written


def _against(
    dealt: list[RoundBoards],
    mine: Listed,
    theirs: Listed,
    buckets: Sequence[np.ndarray | None],
    ranks: int,
) -> Hands:
    """The hands of the list ``mine`` against those of ``theirs``."""
    begin, hole, up, _, images, image = mine
    low, high = hole_cards(ranks)[hole].astype(np.uint8).T.copy()
    same, sums = np.empty(len(hole), np.int16), np.empty((len(hole), 8), np.int16)
    order = np.empty(3 * len(hole), np.int16)
    lists = np.empty((len(begin) - 1, CARDS + 2), np.int16)
    bucket, number = np.zeros(len(hole), np.int32), np.empty(n_holes(ranks), np.int16)
    _order_kernel(begin, low, high, order, lists)
    _against_kernel(mine, theirs, hole_cards(ranks), number, same, sums)
    first = np.cumsum([0, *(len(of.cards) for of in dealt)])
    for r, given in enumerate(buckets):
        if given is not None:
            _bucket_kernel(begin[first[r] : first[r + 1] + 1], hole, given, bucket)
    return Hands(begin, hole, low, high, up, same, sums, order, lists, bucket, images, image)


@njit
def _order_kernel(begin, low, high, order, lists):
    """List the hands of a board, and those with each card."""
    for b in range(len(begin) - 1):
        first, n = begin[b], begin[b + 1] - begin[b]
        at, count = 3 * first, np.zeros(CARDS, np.int64)
        for i in range(n):
            order[at + i] = i
            count[low[first + i]] += 1
            count[high[first + i]] += 1
        lists[b, 0], lists[b, 1] = 0, n
        for card in range(CARDS):
            lists[b, card + 2] = lists[b, card + 1] + count[card]
            count[card] = at + lists[b, card + 1]
        for i in range(n):
            for card in (low[first + i], high[first + i]):
                order[count[card]] = i
                count[card] += 1


@njit
def _against_kernel(mine, theirs, cards, number, same, sums):
    begin, hole, step = mine.begin, mine.hole, mine.step
    begin2, hole2, step2 = theirs.begin, theirs.hole, theirs.step
    weaker, level, every = np.empty((3, CARDS), np.int64)  # places by card
    for b in range(len(begin) - 1):
        first, end = begin2[b], begin2[b + 1]
        number[:] = end - first
        every[:] = 0
        for j in range(first, end):
            number[hole2[j]] = j - first
            every[cards[hole2[j], 0]] += 1
            every[cards[hole2[j], 1]] += 1
        row = end - first
        for card in range(CARDS):
            row += 1  # of zeros, with which the sums of a list begin
            weaker[card] = level[card] = row
            row += every[card]
            every[card] = row
        below = upto = first
        for i in range(begin[b], begin[b + 1]):
            same[i] = number[hole[i]]
            while below < end and step2[below] < step[i]:
                weaker[cards[hole2[below], 0]] += 1
                weaker[cards[hole2[below], 1]] += 1
                below += 1
            while upto < end and step2[upto] <= step[i]:
                level[cards[hole2[upto], 0]] += 1
                level[cards[hole2[upto], 1]] += 1
                upto += 1
            low, high = cards[hole[i], 0], cards[hole[i], 1]
            sums[i, 0], sums[i, 1], sums[i, 2] = below - first, weaker[low], weaker[high]
            sums[i, 3], sums[i, 4], sums[i, 5] = upto - first, level[low], level[high]
            sums[i, 6], sums[i, 7] = every[low], every[high]


@njit
def _bucket_kernel(begin, hole, given, bucket):
    for b in range(len(given)):
        for i in range(begin[b], begin[b + 1]):
            bucket[i] = given[b, hole[i]]


def later_buckets(
    board: np.ndarray, buckets: Buckets, ranks: int, later: FlopBuckets | None = None
) -> tuple[np.ndarray | None, ...]:
    """The buckets of each round, int32[boards, H]; None for round 0: each hand is its own.

    ``board`` is int8[3 to 5]. ``later`` are the buckets of this flop; None takes the blueprint's
    ``buckets``. A hole that shares a card with a board has bucket 0 there and is never dealt.
    """
    by_round: list[np.ndarray | None] = [None]
    for dealt in (of.cards for of in that_follow(board, ranks)[1:]):
        out = np.zeros((len(dealt), n_holes(ranks)), np.int32)
        if later is None:
            _blueprint_kernel(dealt, board_tables(buckets, ranks), hole_cards(ranks), out)
        else:
            _flop_kernel(dealt, later, hole_cards(ranks), out)
        by_round.append(out)
    return tuple(by_round)


@njit
def _blueprint_kernel(dealt, tables, hole, out):
    for b in range(len(dealt)):
        buckets_on_board(tables, dealt[b], hole, out[b])
        for h in range(len(hole)):
            out[b, h] = max(out[b, h], 0)


@njit
def _flop_kernel(dealt, later, hole, out):
    for b in range(len(dealt)):
        taken = pack(dealt[b])
        for h in range(len(hole)):
            if taken & (card_bit(hole[h, 0]) | card_bit(hole[h, 1])):
                continue
            if dealt.shape[1] == 4:
                out[b, h] = turn_bucket(later, dealt[b, 3], h)
            else:
                out[b, h] = river_bucket(later, dealt[b, 3], dealt[b, 4], h)
