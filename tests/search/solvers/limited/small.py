"""A turn of a deck of twelve cards, with leaves before the river."""

import functools

import numpy as np

from oracles.cards import holes
from search.solvers.ranges.small import BOARDS, RANKS, H, small_tree
from sixmax.base.jit import read_only
from sixmax.betting.tree import n_actions, seat_of
from sixmax.betting.tree_cut import cut
from sixmax.cards.deck import hole_cards
from sixmax.cfr.full.solve import Entry
from sixmax.cfr.full.sweep import Field
from sixmax.cfr.gadget import gadget
from sixmax.cfr.layout import infoset, layout, slabs
from sixmax.search.solvers.limited.ends import Round, betting_round
from sixmax.search.solvers.limited.hands import BoardHands, collected, edges
from sixmax.search.subgame import leaf_nodes

__all__ = ["RANKS", "holes"]
BOARD = np.array(BOARDS[2], np.int8)
BELIEFS = np.maximum(np.random.default_rng(5).uniform(-0.3, 1, (2, H)), 0)


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
    leaf = lambda x: tree.round(x) > 0  # noqa: E731
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


def listed(game, tree, beliefs=BELIEFS):
    """The round where every pair of hands is a deal: layout, field and the pairs."""
    n = len(game.hands.hole)
    prior = collected(game.hands, beliefs)
    prior = prior / prior.sum(axis=1, keepdims=True)
    meet = game.hands.apart if game.hands.apart.size else apart(game.hands)
    chance = np.outer(prior[0], prior[1]) * meet
    pairs = np.argwhere(chance > 0)
    i, j = pairs.T
    payoff = np.zeros((2, len(game.node), len(pairs)))
    for k, x in enumerate(game.folds):
        payoff[0, x] = game.kept[0, k]
    for k, x in enumerate(game.shown):
        payoff[0, x] = game.tie[0, k] + game.win[0, k] * game.lead[i, j]
    for k, x in enumerate(game.leaves):
        payoff[0, x] = game.tables[0, k, game.hands.of[j], game.hands.of[i]]
    payoff[1] = -payoff[0]
    known = layout(tree, [n])
    return known, Field(game.node, slabs(known, pairs.T[:, None]), payoff, chance[i, j]), pairs


def entered(kind, opponent, outside, deals, pairs, n):
    """``deals`` without the opponent's reach, and its choice to enter with one of ``n`` hands."""
    deals, hand = deals._replace(chance=deals.chance * n), pairs[:, opponent]
    left = np.bincount(hand, deals.chance, n)
    return deals, Entry(gadget(kind, opponent, outside, left), hand)


def rows_of(game, known, x, strategy):
    """The rows of a listed strategy at decision ``x``: float64[actions, n]."""
    head, n = int(game.node[x, 0]), n_actions(int(game.node[x, 0]))
    hand = np.arange(len(game.hands.hole))
    at = infoset(known, 0, seat_of(head), hand, int(game.node[x, 2]))
    return strategy[at[:, None] + np.arange(n)].T


def compare(game, known, pairs, actual, expected, seats=(0, 1)):
    for x in np.flatnonzero(game.first >= 0):
        seat = seat_of(int(game.node[x, 0]))
        if seat not in seats:
            continue
        dealt, rows = np.unique(pairs[:, seat]), rows_of(game, known, x, expected)
        first = game.first[x]
        mine = actual[first : first + len(rows)]
        np.testing.assert_allclose(mine[:, dealt], rows[:, dealt], atol=1e-5)
