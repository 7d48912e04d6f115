"""The hands of each of two players on every board of a subgame.

A player's hands are those of his range that a board leaves. They are numbered 0 … n-1 on each
board: by ascending hole, and in the last round by ascending strength, so that a showdown walks
through memory in order.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.cards.deck import hole_cards, n_holes, touches
from sixmax.cards.strength_ladder import climb, ladder


class Hands(NamedTuple):
    """One player's hands. Boards are numbered over all rounds, as by :class:`FollowingBoards`.

    begin: int64[boards + 1]   those of a board lie at ``begin[board]`` to ``begin[board + 1]`` of
    hole: int16[entries]       their holes
    low, high: uint8[entries]  their cards
    up: int16[entries]         their numbers on the board before; none in round 0
    same: int16[entries]       the opponent's number of the same hole, or the count of its hands
    weaker, level: int16[entries]  in the last round: how many of the opponent's hands are
                               weaker than this one, and how many are weaker or level
    bucket: int32[entries]     0 in rounds without buckets
    """

    begin: np.ndarray
    hole: np.ndarray
    low: np.ndarray
    high: np.ndarray
    up: np.ndarray
    same: np.ndarray
    weaker: np.ndarray
    level: np.ndarray
    bucket: np.ndarray

    @property
    def first(self) -> np.ndarray:
        """The holes on the first board: int16[n]."""
        return self.hole[: self.begin[1]]


def hands(
    dealt: list[np.ndarray],
    held: np.ndarray,
    buckets: Sequence[np.ndarray | None] = (),
    ranks: int = 13,
) -> tuple[Hands, Hands]:
    """The hands ``held`` bool[2, H] of two players on the boards ``dealt`` (``that_follow``).

    ``buckets`` are int[boards of the round, H] by round, or None.
    """
    alike = bool((held[0] == held[1]).all())
    lists = [_list(dealt, mine, ranks) for mine in (held[:1] if alike else held)]
    first = _against(dealt, lists[0], lists[-1], buckets, ranks)
    return first, first if alike else _against(dealt, lists[1], lists[0], buckets, ranks)


class Listed(NamedTuple):
    """``begin``, ``hole`` and ``up`` of Hands, and the step of each on the ladder of its board."""

    begin: np.ndarray
    hole: np.ndarray
    up: np.ndarray
    step: np.ndarray


def _list(dealt: list[np.ndarray], held: np.ndarray, ranks: int) -> Listed:
    room = ladder(ranks)
    holes = np.flatnonzero(held).astype(np.int16)
    before, begins, parts = (np.array([0, len(holes)]), holes), [np.zeros(1, np.int64)], []
    for r, boards in enumerate(dealt):
        begin = np.zeros(len(boards) + 1, np.int64)
        hole, up, step = np.empty((3, len(boards) * np.diff(before[0]).max()), np.int16)
        out = Listed(begin, hole, up, step)
        _list_kernel(boards, r == len(dealt) - 1, ranks, before, room, out)
        before = begin, hole[: begin[-1]]
        begins.append(begin[1:] + begins[-1][-1])
        parts.append([hole[: begin[-1]], up[: begin[-1]], step[: begin[-1]]])
    columns = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Listed(np.concatenate(begins), *columns)


@njit
def _list_kernel(boards, last, ranks, listed, room, out):
    """List the hands of a round; ``listed`` are ``begin`` and ``hole`` of the round before."""
    (before, hole_before), (begin, hole, up, step) = listed, out
    cards, number = room.cards, np.empty(len(room.cards), np.int16)
    size, fan = 0, len(boards) // (len(before) - 1)
    for b in range(len(boards)):
        board, parent = boards[b], b // fan
        if b % fan == 0:
            number[:] = -1
            for i in range(before[parent], before[parent + 1]):
                number[hole_before[i]] = i - before[parent]
        for i in range(climb(board, ranks, room) if last else len(cards)):
            h = room.order[i] if last else i
            if number[h] >= 0 and (last or not touches(cards[h], board)):
                hole[size], up[size], step[size] = h, number[h], room.stop[i] if last else 0
                size += 1
        begin[b + 1] = size


def _against(
    dealt: list[np.ndarray],
    mine: Listed,
    theirs: Listed,
    buckets: Sequence[np.ndarray | None],
    ranks: int,
) -> Hands:
    """The hands of the list ``mine`` against those of ``theirs``."""
    begin, hole, up, _ = mine
    low, high = np.empty((2, len(hole)), np.uint8)
    same, weaker, level = np.empty((3, len(hole)), np.int16)
    bucket, number = np.zeros(len(hole), np.int32), np.empty(n_holes(ranks), np.int16)
    _against_kernel(mine, theirs, number, same, weaker, level)
    _spread_kernel(hole, hole_cards(ranks), low, high)
    first = np.cumsum([0, *map(len, dealt)])
    for r, given in enumerate(buckets):
        if given is not None:
            _bucket_kernel(begin[first[r] : first[r + 1] + 1], hole, given, bucket)
    return Hands(begin, hole, low, high, up, same, weaker, level, bucket)


@njit
def _against_kernel(mine, theirs, number, same, weaker, level):
    (begin, hole, _, step), (begin2, hole2, _, step2) = mine, theirs
    for b in range(len(begin) - 1):
        first, end = begin2[b], begin2[b + 1]
        number[:] = end - first
        for j in range(first, end):
            number[hole2[j]] = j - first
        below = upto = first
        for i in range(begin[b], begin[b + 1]):
            same[i] = number[hole[i]]
            while below < end and step2[below] < step[i]:
                below += 1
            while upto < end and step2[upto] <= step[i]:
                upto += 1
            weaker[i], level[i] = below - first, upto - first


@njit
def _spread_kernel(hole, cards, low, high):
    for i in range(hole.size):
        low[i], high[i] = cards[hole[i], 0], cards[hole[i], 1]


@njit
def _bucket_kernel(begin, hole, given, bucket):
    for b in range(len(given)):
        for i in range(begin[b], begin[b + 1]):
            bucket[i] = given[b, hole[i]]
