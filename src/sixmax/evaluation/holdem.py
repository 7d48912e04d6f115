"""The hold'em games of :mod:`sixmax.game.holdem`, ready to be trained and to be judged exactly."""

from math import comb
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.lossless import lossless, made_hands
from sixmax.blueprint.deal import HoldemDealer
from sixmax.cards.deck import n_cards, n_holes
from sixmax.cfr.layout import Layout, layout
from sixmax.cfr.response import NashConv
from sixmax.evaluation import exact
from sixmax.game import holdem
from sixmax.game.config import GameConfig
from sixmax.game.tree import Tree, build

BOARDS = 8  # dealt at once: pots that are all-in before the flop get the mean over them
# Regret units a chip: 10 million iterations bring the largest regrets to a tenth of what an int32
# holds, and a unit is a hundredth of a big blind.
SCALE = 10.0


class Holdem(NamedTuple):
    """What :func:`sixmax.cfr.train.train` wants of a game, and what judges the result."""

    game: GameConfig
    tree: Tree
    layout: Layout
    dealer: HoldemDealer
    cards: exact.Cards
    deals: int  # two hands and a board

    def score(self, strategy: np.ndarray) -> NashConv:
        """NashConv of ``strategy`` float64[layout.size] in the game itself, in chips a hand."""
        return exact.nash_conv(self.tree, self.layout, self.cards, strategy)


def open_holdem(name: str, ranks: int = 13, stack: int | None = None) -> Holdem:
    """The game ``name`` (pushfold, preflop, flop): seconds with the full deck.

    Classes before the flop; on it hands that are made alike share a bucket, because 1.3 million
    situations want a hundred times the training. Raises UserError for a game unknown.
    """
    game = holdem.game(name, stack)
    rounds, tree = len(game.rounds), build(game)
    buckets = lossless(ranks, 1) if rounds == 1 else made_hands(ranks)
    boards = min(BOARDS, (4 * ranks - 4) // game.board_cards)
    dealer = HoldemDealer(buckets, ranks, 2, rounds, boards, game.board_cards)
    where = layout(tree, dealer.buckets)
    left = n_cards(ranks) - 4
    deals = n_holes(ranks) * comb(left + 2, 2) * comb(left, game.board_cards)
    return Holdem(game, tree, where, dealer, exact.cards(game, buckets, ranks), deals)
