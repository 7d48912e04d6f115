"""Endgames of a deck of twelve cards, and the same games with all deals listed."""

import itertools

import numpy as np

from oracles.cards import best_hand, holes
from sixmax.betting.config import GameConfig
from sixmax.betting.tree_build import build
from sixmax.cards.deck import hole_id
from sixmax.cfr.deals import Deals
from sixmax.cfr.layout import layout

RANKS = 3  # twelve cards
H = 66
BOARDS = {1: [0, 3, 5, 6, 11], 2: [0, 3, 5, 10], 3: [0, 5, 10]}


def small_tree(rounds, stacks=(40, 40)):
    """A pot of 20, one bet or an all-in a round, and one all-in over it."""
    sizes = {"sizes": [[0.5, "A"], ["A"]], "max_raises": 2, "max_players": 2}
    later = {"sizes": [[1]], "max_raises": 1, "max_players": 2}
    config = GameConfig(
        stacks=list(stacks), blinds=[0, 0], antes=[10, 10], first=[0] * rounds,
        rounds=[sizes, later, later][:rounds],
    )  # fmt: skip
    return build(config)


def small_ranges():
    """Weights 0 to 2, so that a listed game has each deal that often."""
    return np.random.default_rng(5).choice([0, 1, 1, 2], (2, H)).astype(float)


def boards_after(board):
    """By round, the boards in the order of the endgame's."""
    rounds = [[tuple(board)]]
    while len(rounds[-1][0]) < 5:
        left = [[c for c in range(4 * RANKS) if c not in b] for b in rounds[-1]]
        rounds.append([(*b, c) for b, cards in zip(rounds[-1], left, strict=True) for c in cards])
    return rounds


def listed_game(rounds, ranges, tree):
    """The same game with all its deals listed: a bucket is a hole, later a board and a hole."""
    after, hole = boards_after(BOARDS[rounds]), holes(RANKS)
    number = [{b: i for i, b in enumerate(boards)} for boards in after]
    buckets, ranks = [], []
    for final in after[-1]:
        held = [h for h in hole if not set(h) & set(final)]
        value = {h: best_hand((*h, *final), RANKS) for h in held}
        order = sorted(value.values())
        seen = [number[r][final[: len(BOARDS[rounds]) + r]] for r in range(rounds)]
        for a, b in itertools.permutations(held, 2):
            if set(a) & set(b):
                continue
            times = int(ranges[0, hole_id(*a)] * ranges[1, hole_id(*b)])
            bucket = [[s * H + hole_id(*h) for s in seen] for h in (a, b)]
            buckets += [bucket] * times
            ranks += [[[order.index(value[a]), order.index(value[b])]]] * times
    counts = [len(boards) * H for boards in after]
    return layout(tree, counts), Deals(np.array(buckets, np.int32), np.array(ranks, np.int32))
