"""Two-player hold'em that ends on the flop, where chance deals one of some flops.

With all 1,755 it is flop hold'em. With fewer it is a game of its own, and exact values take that
share of the time. Chance turns the suits of the flop at random, so that before the flop the 169
classes lose nothing.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.flop.store import chosen
from sixmax.cards.deck import classes, n_cards, n_holes
from sixmax.cards.isomorphism import boards
from sixmax.cfr.layout import Layout, layout
from sixmax.evaluation.exploitability.two_round_holdem import Cards, flops_of, summed
from sixmax.game.config import GameConfig
from sixmax.game.rules import begin
from sixmax.game.sizing import sizes
from sixmax.game.tree import DECISION, Tree, kind_of, round_of
from sixmax.game.tree_build import WHOLE, build_from

MOST_NODES = 100_000


class FlopGame(NamedTuple):
    """A game, with all that exact values need.

    layout: of strategies that tell all situations apart: bucket ``H * f + hole`` on flop f
    cards: by flop in the order of ``flops``
    flops: int64[F] canonical flops; chance: float64[F] their probabilities
    roots: nodes at which the betting on the flop begins
    """

    config: GameConfig
    ranks: int
    tree: Tree
    layout: Layout
    cards: Cards
    flops: np.ndarray
    chance: np.ndarray
    roots: tuple[int, ...]

    @property
    def board(self) -> np.ndarray:
        """The cards of each flop: int8[F, 3]."""
        return boards(self.ranks, 3).cards[self.flops]


def open_game(config: GameConfig, flops: int, seed: int, ranks: int = 13) -> FlopGame:
    """The game of ``config`` with so many ``flops``, drawn by ``seed``.

    Raises UserError for a tree of more than MOST_NODES nodes.
    """
    which = np.array(chosen(flops, ranks, seed), np.int64)
    tree = build_from(begin(config), sizes(config), WHOLE, MOST_NODES)
    holes = n_holes(ranks)
    count = boards(ranks, 3).count[which].astype(np.float64)
    cards = _cards(which, count / count.sum(), ranks)
    infosets = layout(tree, [ranks * ranks, len(which) * holes])
    head = tree.node[:, 0]
    starts = (kind_of(head) == DECISION) & (round_of(head) == 1)
    starts[1:] &= round_of(head[tree.parent[1:]]) == 0
    roots = tuple(int(x) for x in np.flatnonzero(starts))
    return FlopGame(config, ranks, tree, infosets, cards, which, count / count.sum(), roots)


def _cards(which: np.ndarray, chance: np.ndarray, ranks: int) -> Cards:
    """As :func:`two_round_holdem.cards`, of some flops."""
    holes, n = n_holes(ranks), n_cards(ranks)
    own = holes * np.arange(len(which))[:, None] + np.arange(holes)
    weight = chance / (comb(n - 3, 2) * comb(n - 5, 2))
    flops = flops_of(which, weight, own, ranks)
    of_hole, cells = classes(ranks), ranks * ranks
    share, lead = np.empty((2, cells, cells))
    for c in range(cells):
        reach = np.repeat((of_hole == c).astype(np.float64)[None], len(which), axis=0)
        for shown, table in ((False, share), (True, lead)):
            value = flops.weight @ summed(reach, flops, shown)
            table[:, c] = np.bincount(of_hole, value, cells)
    return Cards(of_hole, share, lead, flops)
