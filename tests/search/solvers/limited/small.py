"""A turn of a deck of twelve cards, with leaves before the river."""

import functools

import numpy as np

from oracles.cards import holes
from search.solvers.ranges.small import BOARDS, RANKS, small_tree
from sixmax.cards.deck import hole_cards
from sixmax.game.tree import round_of
from sixmax.game.tree_cut import cut
from sixmax.jit import read_only
from sixmax.search.solvers.limited.game import Round, betting_round
from sixmax.search.solvers.limited.hands import BoardHands, edges
from sixmax.search.subgame import leaf_nodes

__all__ = ["RANKS", "holes"]
BOARD = np.array(BOARDS[2], np.int8)


def every_hand(classes=None):
    """The hands that the board leaves, each a class, or in so many ``classes``."""
    cards = hole_cards(RANKS)
    hole = np.flatnonzero(~np.isin(cards, BOARD).any(axis=1))
    low, high = cards[hole].astype(np.int64).T.copy()
    classes, of_hole = classes or len(hole), np.full(len(cards), -1)
    of_hole[hole] = np.arange(len(hole))
    of = np.arange(len(hole)) % classes
    return BoardHands(hole, of_hole, low, high, of, classes, np.zeros((0, 0)))


@functools.cache
def small_cut(choices=1, choosers=3):
    """The tree of the turn, cut where the river begins."""
    tree = small_tree(2)
    leaf = lambda x: round_of(int(tree.node[x, 0])) > 0  # noqa: E731
    return tree, cut(tree, 0, leaf, choices, choosers)


def one_round(part):
    """The tree of ``part`` without the round that it does not reach."""
    return part.tree._replace(columns=part.tree.columns[:1], decisions=part.tree.decisions[:1])


def small_round(choices=2, choosers=2, classes=5, tables=None, hands=None) -> Round:
    """The round with ``tables`` at leaves; or with random ones, and random all-ins.

    Nothing is then worth exactly as much as another action, where rounding would decide.
    """
    tree, hands = one_round(small_cut(choices, choosers)[1]), hands or every_hand(classes)
    lead = edges(hands, BOARD, RANKS)
    if tables is None:
        shape = len(leaf_nodes(tree)), hands.classes, hands.classes
        rng = np.random.default_rng(8)
        own = rng.normal(0, 10, shape)
        random = np.stack([own.transpose(0, 2, 1), -own]).copy()
        drawn = rng.uniform(-1, 1, lead.shape).astype(np.float32)
        lead = np.where(apart(hands), drawn - drawn.T, np.float32(0)) / 2
        return betting_round(tree, hands, read_only(lead), random)
    return betting_round(tree, hands, lead, tables)


def apart(hands):
    """Whether two hands share no card: bool[n, n]."""
    cards = np.stack([hands.low, hands.high], axis=1)
    return ~(cards[:, None, :, None] == cards[None, :, None, :]).any(axis=(2, 3))
