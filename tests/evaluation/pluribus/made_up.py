"""Pluribus's game with a small tree and invented buckets."""

import functools
from pathlib import Path

import numpy as np

from sixmax.abstraction.buckets import Buckets
from sixmax.betting.config import RoundSizes
from sixmax.betting.tree_build import build
from sixmax.blueprint.run import Run
from sixmax.cards.deck import classes, n_holes
from sixmax.cards.isomorphism import boards
from sixmax.cfr.layout import layout
from sixmax.evaluation.pluribus.decisions import GAME
from sixmax.games.holdem import HoldemDealer


@functools.cache
def made_up(size, buckets):
    """A run whose bets after the flop are of ``size``. Buckets change with board and both cards."""
    sizes = RoundSizes(sizes=[[size]], max_raises=1, max_players=2)
    first = RoundSizes(sizes=[[0.5, 1]], max_raises=2, max_players=6)
    game = GAME.model_copy(update={"rounds": [first, sizes, sizes, sizes]})
    hole = (np.arange(n_holes(13)) % buckets).astype(np.uint8)
    turned = np.stack([np.roll(hole, k) for k in range(7)])
    tables = [turned[np.arange(len(boards(13, k).cards)) % 7] for k in (3, 4, 5)]
    counts = np.array([169, buckets, buckets, buckets], np.int32)
    of_all = Buckets(classes(13)[None], *tables, counts, np.zeros((4, 169), np.float32))
    tree, dealer = build(game), HoldemDealer(of_all, 13, 6)
    place = layout(tree, dealer.buckets)
    identity = {"digest": "0f", "settings": {"ranks": 13, "game": {}, "abstraction": {}}}
    return Run(Path("made-up"), identity, 1, 13, game, None, tree, place, dealer, of_all)
