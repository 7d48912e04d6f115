"""A game as validation needs it: the arrays that the kernels train on, and an exact score."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.cfr.deal import Deals, TableDealer
from sixmax.cfr.layout import Layout, layout
from sixmax.cfr.response import NashConv, nash_conv
from sixmax.game import toy
from sixmax.game.tree import Tree, build


class Game(NamedTuple):
    """A game and how far a strategy (float64[layout.size]) of it is from an equilibrium."""

    tree: Tree
    layout: Layout
    dealer: TableDealer
    deals: Deals  # all of them, equally likely
    score: Callable[[np.ndarray], NashConv]  # chips a game


def open_game(name: str, seats: int) -> Game:
    """Kuhn or Leduc poker for ``seats`` players. Raises UserError for another."""
    tree, deals = build(toy.game(name, seats)), toy.deals(name, seats)
    dealer = TableDealer(deals)
    where = layout(tree, dealer.buckets)
    return Game(tree, where, dealer, deals, lambda s: nash_conv(tree, where, deals, s))
