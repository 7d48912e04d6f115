"""Slow and obvious twins of the kernels of ``sixmax.cards``."""

import functools
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations

from sixmax.cards.deck import as_cards


def best_hand(cards, ranks=13):
    """A tuple that compares like the poker value of 5 or more cards."""
    return max(five_cards(hand, ranks) for hand in combinations(sorted(map(int, cards)), 5))


@functools.lru_cache(maxsize=100_000)  # hands of one deck share most of their fives
def five_cards(cards, ranks=13):
    """(category, ranks that decide, in order) of exactly five cards."""
    held = sorted((card // 4 for card in cards), reverse=True)
    groups = sorted(((n, rank) for rank, n in Counter(held).items()), reverse=True)
    shape = [n for n, _ in groups]
    order = [rank for _, rank in groups]
    flush = len({card % 4 for card in cards}) == 1
    straight = len(groups) == 5 and held[0] - held[4] == 4
    if ranks == 13 and held == [12, 3, 2, 1, 0]:
        straight, order = True, [3]
    if straight:
        order = order[:1]
    if straight and flush:
        return (8, order)
    if shape == [4, 1]:
        return (7, order)
    if shape == [3, 2]:
        return (6, order)
    if flush:
        return (5, order)
    if straight:
        return (4, order)
    return ({(3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0), order)


def hand_value(cards, ranks=13):
    """A whole number that compares like :func:`best_hand`; ``cards`` may be text."""
    category, order = best_hand(as_cards(cards, ranks), ranks)
    digits = [*order, *[0] * (5 - len(order))]
    return functools.reduce(lambda value, rank: 13 * value + rank, digits, category)


def holes(ranks):
    """All (lo, hi), in the order of hole ids."""
    return [(lo, hi) for hi in range(4 * ranks) for lo in range(hi)]


def rename(cards, perm):
    """A set of cards with suits renamed, sorted."""
    return tuple(sorted(4 * (int(c) // 4) + perm[int(c) % 4] for c in cards))


def isomorphism_class(hole, board):
    """The same for two situations exactly if they differ by a renaming of suits."""
    hole, board = tuple(map(int, hole)), tuple(map(int, board))
    return min(zip(_renamed(hole), _renamed(board), strict=True))


@functools.lru_cache(maxsize=10_000)
def _renamed(cards):
    """A set of cards by every renaming of suits, in one order."""
    return [rename(cards, p) for p in permutations(range(4))]


def river_equity(board, ranks):
    """{hole: (2 * wins + ties, opponents)} against every disjoint hole."""
    return {
        hole: (sum(row.values()), len(row)) for hole, row in _river_results(board, ranks).items()
    }


def river_equity_clusters(board, ranks, cluster, clusters):
    """{hole: [(2 * wins + ties, opponents) of each cluster]}, ``cluster`` by hole id."""
    number = {hole: cluster[i] for i, hole in enumerate(holes(ranks))}
    answer = {}
    for hole, row in _river_results(board, ranks).items():
        of = [[result for h, result in row.items() if number[h] == k] for k in range(clusters)]
        answer[hole] = [(sum(results), len(results)) for results in of]
    return answer


def _river_results(board, ranks):
    value = {
        hole: best_hand((*hole, *board), ranks)
        for hole in holes(ranks)
        if not set(hole) & {int(c) for c in board}
    }
    return {
        hole: {
            other: 2 * (mine > theirs) + (mine == theirs)
            for other, theirs in value.items()
            if not set(hole) & set(other)
        }
        for hole, mine in value.items()
    }


def equity(hands, board, ranks):
    """The exact share of the pot of each hand, as fractions."""
    seen = {int(c) for cards in (*hands, board) for c in cards}
    rest = [c for c in range(4 * ranks) if c not in seen]
    share, n = [Fraction(0)] * len(hands), 0
    for more in combinations(rest, 5 - len(board)):
        values = [best_hand((*hand, *board, *more), ranks) for hand in hands]
        winners = [i for i, value in enumerate(values) if value == max(values)]
        for i in winners:
            share[i] += Fraction(1, len(winners))
        n += 1
    return [s / n for s in share]


def ends(board, weight, ranks=13):
    """Twin of ``cards.strength_ladder``, by every pair of hands.

    {hole: (weight left, what is beaten and half of what is level)}; ``weight`` {hole: float}.
    """
    held = [h for h in holes(ranks) if not set(h) & set(board)]
    value = {h: best_hand((*h, *board), ranks) for h in held}
    hit = {}
    for mine in held:
        left = won = 0.0
        for theirs in held:
            if not set(mine) & set(theirs):
                left += weight[theirs]
                level = value[mine] == value[theirs]
                won += weight[theirs] * ((value[mine] > value[theirs]) + level / 2)
        hit[mine] = left, won
    return hit
