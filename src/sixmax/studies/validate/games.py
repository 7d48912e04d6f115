"""A game as validation needs it: the arrays that the kernels train on, and an exact score."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.tree import Tree
from sixmax.betting.tree_build import build
from sixmax.cfr.deals import Dealer, Deals, TableDealer
from sixmax.cfr.full.sweep import NashConv, nash_conv
from sixmax.cfr.layout import Layout, layout
from sixmax.evaluation.exploitability.exact_holdem import SCALE, open_holdem
from sixmax.games import GAMES, two_round_holdem

# Regret units a chip of the small games: 1,000 round an update so coarsely that Kuhn
# poker stays .004 away from its equilibrium after 100,000 iterations, where .003 is due.
_TOY_SCALE = 10_000


class OpenGame(NamedTuple):
    """A game, and the distance of its strategies (float64[layout.size]) from an equilibrium."""

    tree: Tree
    layout: Layout
    dealer: Dealer
    deals: Deals | None  # all of them, equally likely; None where they are too many to list
    size: int  # deals
    score: Callable[[np.ndarray], NashConv]  # chips a game
    scale: float  # regret units a chip


def open_game(name: str, seats: int) -> OpenGame:
    """A game of :mod:`sixmax.games` whose deals are listed, or of its two_round_holdem.

    The hold'em games have two players, 10 chips a big blind, and take seconds to open. Raises
    UserError for another.
    """
    if name in two_round_holdem.NAMES:
        known = open_holdem(name)
        return OpenGame(
            known.tree, known.layout, known.dealer, None, known.deals, known.score, SCALE
        )
    known = GAMES.get(name)
    if known is None or known.config is None or known.deals is None:
        listed = ", ".join(game.name for game in GAMES.values() if game.config)
        raise UserError(f"game: found {name!r}, wanted one of {listed}")
    tree, deals = build(known.config(seats)), known.deals(seats)
    dealer = TableDealer(deals)
    infosets = layout(tree, dealer.buckets)

    def score(strategy: np.ndarray) -> NashConv:
        return nash_conv(tree, infosets, deals, strategy)

    return OpenGame(tree, infosets, dealer, deals, len(deals.rank), score, _TOY_SCALE)
