"""The exact gain of search in small games, on top of a blueprint that is poor on purpose.

The blueprint is trained on few buckets. Search tells all hands apart, wherever it is to act.
"""

from collections.abc import Callable

import numpy as np

from sixmax.base.errors import UserError
from sixmax.cfr.deals import Deals, TableDealer
from sixmax.cfr.full.sweep import field
from sixmax.cfr.layout import Layout, infoset, layout
from sixmax.cfr.methods import CFR_PLUS
from sixmax.games import reduced_holdem
from sixmax.games import rock_paper_scissors as rps
from sixmax.search.solvers.exact_small import ExactSearch, Plan, Search
from sixmax.studies.validate.games import OpenGame

CHOICES = {"search1": 1, "search4": 4}  # continuations at a leaf, by method


def maps(name: str) -> tuple[np.ndarray, ...]:
    """By round, the poor blueprint's bucket of each lossless bucket of ``name``: int64[buckets].

    After the flop, Leduc poker tells whether the card held pairs the board, lies above it or below;
    reduced hold'em how many cards of a kind there are. Raises UserError for another game.
    """
    if name == "leduc":
        own, board = np.divmod(np.arange(9), 3)
        return np.arange(3), np.where(own == board, 2, (own > board).astype(int))
    if name != "reduced":
        raise UserError(f"search in {name!r}: wanted leduc, reduced or rps")
    ranks = range(reduced_holdem.RANKS)
    pairs = [(a, b) for a in ranks for b in ranks if a <= b]
    flops = [(*p, f) for p in pairs for f in ranks]
    turns = [(*cards, t) for cards in flops for t in ranks]
    alike = [np.array([max(map(c.count, c)) for c in hands]) - 1 for hands in (flops, turns)]
    return np.arange(len(pairs)), alike[0], np.minimum(alike[1], 2)


def coarse(name: str, game: OpenGame) -> tuple[OpenGame, Callable[[np.ndarray], np.ndarray]]:
    """``game`` with the buckets of :func:`maps`, judged in the lossless game.

    And a function that makes a lossless strategy of a coarse one, both float64[layout.size]. Raises
    UserError where ``name`` has no such buckets.
    """
    merged = maps(name)
    bucket = np.stack([m[game.deals.bucket[:, :, r]] for r, m in enumerate(merged)], axis=2)
    deals = Deals(bucket.astype(np.int32), game.deals.rank)
    dealer = TableDealer(deals)
    merged_layout = layout(game.tree, dealer.buckets)

    def fine(strategy: np.ndarray) -> np.ndarray:
        return lossless(strategy, merged_layout, game.layout, merged)

    merged_game = game._replace(layout=merged_layout, dealer=dealer, deals=deals)
    return merged_game._replace(score=lambda strategy: game.score(fine(strategy))), fine


def lossless(
    strategy: np.ndarray, small: Layout, fine: Layout, merged: tuple[np.ndarray, ...]
) -> np.ndarray:
    """``strategy`` float64[small.size], by the buckets ``merged``, as float64[fine.size]."""
    refined = np.empty(fine.size)
    for r, seat in np.ndindex(*fine.base.shape):
        n = fine.columns[r, seat]
        for b, old in enumerate(merged[r][: fine.buckets[r]]):
            at, to = infoset(small, r, seat, old, 0), infoset(fine, r, seat, b, 0)
            refined[to : to + n] = strategy[at : at + n]
    return refined


def searched(game: OpenGame, blueprint: np.ndarray, choices: int, iterations: int) -> np.ndarray:
    """Play that searches at every root by Linear CFR, on average: float64[game.layout.size].

    ``blueprint`` is of the same shape; each leaf has so many ``choices`` of continuation.
    """
    whole = field(game.tree, game.layout, game.deals)
    search = Search(game.tree, game.layout, whole, blueprint, Plan(iterations, choices))
    return search.nested().average


def searched_rps(choices: int, iterations: int) -> ExactSearch:
    """Rock-paper-scissors+ searched at the start, one action deep, by CFR+.

    The blueprint is the equilibrium itself: with one of the ``choices`` at a leaf the search learns
    nothing, with four it finds the equilibrium.
    """
    game = rps.rps()
    plan = Plan(iterations, choices=choices, actions=1, method=CFR_PLUS)
    played = np.tile(rps.EQUILIBRIUM, 2)
    return Search(game.tree, game.layout, game.field, played, plan).search(0, np.ones(1))
