"""The boards that may follow a public state, those alike up to suits walked once.

Suits are alike where a permutation of them changes neither the board nor the ranges. Two cards that
such a permutation exchanges lead to games that differ in names alone: one of the two, the smaller,
is walked, and its values count for the other with suits renamed. Every permutation that keeps a
board and the card after it keeps the board of the next round: so the values of all that follow a
board are those of the walked ones, each divided by its own group, renamed by every permutation that
keeps the board.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.cards.deck import as_cards, hole_cards, n_cards

FINAL = 5  # cards on a board at the showdown of hold'em
Suits = tuple[int, ...]  # the new suit of each suit
EVERY: tuple[Suits, ...] = tuple(itertools.permutations(range(4)))
SAME = EVERY[0]  # the permutation that renames no suit


class FollowingBoards(NamedTuple):
    """Boards by place: numbered over all rounds, those of a round parent by parent.

    first: int64[rounds + 1]  the place of the first board of each round
    after: int64[boards + 1]  the place of the first board that follows each
    fan: int64[rounds]        boards that may follow one, or those drawn; 0 in the last round
    chance: float64[boards]   of each after that before it, if two hands leave it possible
    group: int64[boards]      the number of permutations, of those of the board before, that keep it
    """

    first: np.ndarray
    after: np.ndarray
    fan: np.ndarray
    chance: np.ndarray
    group: np.ndarray


class RoundBoards(NamedTuple):
    """The boards of a round that are walked.

    cards: int8[B, k]
    parent: int64[B]         the board before, of those of its round
    begin: int64[B + 1]      where the permutations of a board lie in
    suits: int8[images, 4]   the permutations that lead from it to the boards that it stands for
    keeps: int64[B + 1]      where those that keep a board, of those that keep its parent, lie in
    group: int8[., 4]        without the identity
    """

    cards: np.ndarray
    parent: np.ndarray
    begin: np.ndarray
    suits: np.ndarray
    keeps: np.ndarray
    group: np.ndarray
    chance: np.ndarray  # float64[B]: of a board after its parent, where two hands leave it possible


class Flops(NamedTuple):
    """Flops that chance deals before any other card, no two of them alike up to suits.

    cards: int8[F, 3]
    chance: float64[F]  of each and all that are alike; it is dealt before the hands
    """

    cards: np.ndarray
    chance: np.ndarray


def alike(
    board: np.ndarray, ranks: int, numbers: Iterable[np.ndarray], among: Iterable[Suits] = EVERY
) -> list[Suits]:
    """The permutations that keep ``board`` int8[k] and each of ``numbers`` float[H] by hole.

    NaN equals NaN.
    """
    cards, holes = set(board.tolist()), hole_cards(ranks)
    return [
        suits
        for suits in among
        if {renamed(card, suits) for card in cards} == cards
        and all(
            np.array_equal(row, row[renamed_holes(holes, suits)], equal_nan=True) for row in numbers
        )
    ]


def renamed(card: int, suits: Suits) -> int:
    """``card`` with its suit renamed."""
    return card & ~3 | suits[card & 3]


def renamed_holes(holes: np.ndarray, suits: Suits) -> np.ndarray:
    """The hole_id of each of ``holes`` int[n, 2] with its suits renamed: int64[n]."""
    cards = np.sort(holes & ~3 | np.array(suits)[holes & 3], axis=1).astype(np.int64)
    return cards[:, 1] * (cards[:, 1] - 1) // 2 + cards[:, 0]


def boards(dealt: list[RoundBoards], ranks: int = 13) -> FollowingBoards:
    """The places of the boards ``dealt``."""
    known = np.array([of.cards.shape[1] for of in dealt])
    chance = np.concatenate([of.chance for of in dealt])
    fan = np.append(n_cards(ranks) - known[:-1], 0).astype(np.int64)
    if known[0] == 0:
        fan[0] = len(dealt[1].cards)
    first = np.cumsum([0, *(len(of.cards) for of in dealt)])
    after = [
        first[r + 1] + np.searchsorted(later.parent, np.arange(len(of.cards)))
        for r, (of, later) in enumerate(itertools.pairwise(dealt))
    ]
    last = np.full(len(dealt[-1].cards) + 1, first[-1])
    group = np.concatenate([1 + np.diff(of.keeps) for of in dealt])
    return FollowingBoards(first, np.concatenate([*after, last]), fan, chance, group)


def that_follow(
    board: str | Sequence[int] | np.ndarray,
    ranks: int = 13,
    final: int = FINAL,
    group: Sequence[Suits] = (SAME,),
    flops: Flops | None = None,
) -> list[RoundBoards]:
    """The boards of each round from ``board`` on; ``group`` are the suits :func:`alike`.

    The last has ``final`` cards: fewer than five in a game that ends before the river. ``flops``
    follow an empty board. Raises UserError for other than three to ``final`` cards, or cards that
    the deck does not have.
    """
    first = as_cards(board, ranks)
    if (len(first) > 0 or flops is None) and not 3 <= len(first) <= final:
        wanted = "3, 4 or 5" if final == FINAL else f"3 to {final}"
        raise UserError(f"board of {len(first)} cards: wanted {wanted}; search later in the hand")
    if len(first) and flops is not None:
        raise UserError(f"flops after a board of {len(first)} cards: wanted an empty board")
    groups = [list(group)]
    alone, whole = np.zeros(1, np.int64), np.ones(1)
    dealt = [RoundBoards(first[None], alone, *_flat([[]]), *_flat(groups), whole)]
    if flops is not None:
        following, groups = _flops(flops, groups[0], n_cards(ranks))
        dealt.append(following)
    while dealt[-1].cards.shape[1] < final:
        following, groups = _next(dealt[-1].cards, groups, n_cards(ranks))
        dealt.append(following)
    return dealt


def _flat(suits: Iterable[Sequence[Suits]]) -> tuple[np.ndarray, np.ndarray]:
    """Lists of permutations one after the other, without the identity, and where each begins."""
    lists = [[some for some in of if some != SAME] for of in suits]
    flat = np.array(list(itertools.chain(*lists)), np.int8).reshape(-1, 4)
    return np.cumsum([0, *map(len, lists)]), flat


def _flops(flops: Flops, group: list[Suits], deck: int) -> tuple[RoundBoards, list[list[Suits]]]:
    """The ``flops``, each with the permutations that lead to those alike; and its group."""
    suits, groups, each = [], [], []
    for cards, chance in zip(flops.cards.tolist(), flops.chance, strict=True):
        orbit: dict[frozenset[int], Suits] = {}
        for some in group:
            orbit.setdefault(frozenset(renamed(card, some) for card in cards), some)
        own = frozenset(cards)
        suits.append([some for image, some in orbit.items() if image != own])
        groups.append([s for s in group if {renamed(card, s) for card in cards} == own])
        each.append(chance / len(orbit))
    # Hands come after the flop: of the cards that it leaves.
    whole = math.comb(deck, 2) * math.comb(deck - 2, 2)
    left = math.comb(deck - 3, 2) * math.comb(deck - 5, 2)
    parent, chance = np.zeros(len(flops.cards), np.int64), np.array(each) * whole / left
    return RoundBoards(flops.cards, parent, *_flat(suits), *_flat(groups), chance), groups


def _next(
    boards: np.ndarray, groups: list[list[Suits]], deck: int
) -> tuple[RoundBoards, list[list[Suits]]]:
    """Each board with every card that it leaves, of those alike the smallest; and their groups."""
    left = np.ones((len(boards), deck), bool)
    left[np.arange(len(boards))[:, None], boards] = False
    images, kept = {}, {}
    for b, group in enumerate(groups):
        if len(group) == 1:
            continue
        for card in np.flatnonzero(left[b]).tolist():
            orbit = {}
            for suits in group:
                orbit.setdefault(renamed(card, suits), suits)
            if min(orbit) < card:
                left[b, card] = False
                continue
            images[b, card] = [suits for image, suits in sorted(orbit.items()) if image != card]
            kept[b, card] = [suits for suits in group if renamed(card, suits) == card]
    parent, card = map(np.ascontiguousarray, np.nonzero(left))
    cards = np.concatenate([boards[parent], card[:, None].astype(np.int8)], axis=1)
    pairs = list(zip(parent.tolist(), card.tolist(), strict=True))
    suits = [images.get(pair, ()) for pair in pairs]
    # Two hands and the board are known.
    chance = np.full(len(pairs), 1.0 / max(1, deck - 4 - boards.shape[1]))
    groups = [kept.get(pair, [SAME]) for pair in pairs]
    return RoundBoards(cards, parent, *_flat(suits), *_flat(groups), chance), groups


def locate(dealt: list[RoundBoards], cards: Sequence[int]) -> tuple[int, Suits]:
    """The board that is walked for one that follows, among those of its round; and the suits.

    ``cards`` are those after the first board. A hand on the real board is the hand with suits
    renamed on the one that is walked.
    """
    board, suits = 0, SAME
    for of, card in zip(dealt[1:], cards, strict=False):
        board, step = walked(of, board, renamed(int(card), suits))
        suits = tuple(step[s] for s in suits)
    return board, suits


def walked(of: RoundBoards, parent: int, card: int) -> tuple[int, Suits]:
    """The board that is walked for ``card`` after a walked one, and the suits of a hand there."""
    for b in range(*np.searchsorted(of.parent, [parent, parent + 1])):
        own = int(of.cards[b, -1])
        if own == card:
            return b, SAME
        for suits in of.suits[of.begin[b] : of.begin[b + 1]].tolist():
            if renamed(own, suits) == card:
                return b, tuple(suits.index(s) for s in range(4))
    raise ValueError(f"card {card}: none of those that follow the board")
