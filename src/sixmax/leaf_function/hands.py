"""A hand as a leaf function sees it: its strength on the river, and the spread of that."""

from typing import NamedTuple

import numpy as np

from sixmax.abstraction.buckets import open_round
from sixmax.abstraction.features_kernels import Deck
from sixmax.base.jit import in_parts, njit
from sixmax.base.progress import Progress
from sixmax.blueprint.run import Run
from sixmax.cards.deck import classes, hole_cards, n_holes
from sixmax.cards.equity import sweep
from sixmax.cards.evaluate import BLOCKED
from sixmax.cards.isomorphism import boards
from sixmax.cards.strength_ladder import climb, new_ladder

FLOP_CARDS = 3
_AT_ONCE = 64  # flops between reports of progress


class HandStrengths(NamedTuple):
    """Strength and spread of every hand on one board.

    ``feature`` is float32[holes, 2], zeros where the board blocks a hand; ``texture`` the mean
    spread, 0 before the flop.
    """

    feature: np.ndarray
    texture: float


def before_the_flop(run: Run) -> np.ndarray:
    """Strength and spread of every class of hands: float32[classes, 2], by the run's histograms."""
    share = open_round(run.folder, "preflop", run.ranks)["centroid"].astype(np.float64)
    middle = (np.arange(share.shape[1]) + 0.5) / share.shape[1]
    mean = share @ middle
    variance = np.maximum(share @ middle**2 - mean**2, 0)
    return np.stack([mean, 2 * np.sqrt(variance)], axis=1).astype(np.float32)


def on_board(board: np.ndarray, ranks: int, preflop: np.ndarray) -> HandStrengths:
    """The hands on ``board`` int8[0 or 3].

    ``preflop`` float32[classes, 2] is as :func:`before_the_flop` gives it.
    """
    if not len(board):
        return HandStrengths(preflop[classes(ranks)], 0.0)
    out, texture = np.zeros((1, n_holes(ranks), 2), np.float32), np.zeros(1)
    flops = np.array(board, np.int8)[None]
    _flops_kernel(flops, Deck(ranks, hole_cards(ranks)), out, texture, 0, 1)
    return HandStrengths(out[0], float(texture[0]))


def on_flops(ranks: int) -> tuple[np.ndarray, np.ndarray]:
    """The hands on every canonical flop: float32[flops, holes, 2], and textures float64[flops]."""
    flops = boards(ranks, FLOP_CARDS).cards
    out = np.zeros((len(flops), n_holes(ranks), 2), np.float32)
    texture = np.zeros(len(flops))
    with Progress(len(flops), "leaf function: hands", "flops") as progress:
        for first in range(0, len(flops), _AT_ONCE):
            part = slice(first, min(first + _AT_ONCE, len(flops)))
            given = flops[part], Deck(ranks, hole_cards(ranks)), out[part], texture[part]
            in_parts(part.stop - first, _flops_kernel, *given)
            progress.add(part.stop - first)
    return out, texture


@njit
def _flops_kernel(flops, deck_of, out, texture, first, last):
    """Write strength and spread of every hand on ``flops[first:last]``, and the textures."""
    ranks, holes = deck_of
    s, wins = new_ladder(holes), np.empty(len(holes), np.int32)
    total, squares = np.empty(len(holes)), np.empty(len(holes))
    board, deck = np.empty(5, np.int8), 4 * ranks
    most = (deck - 7) * (deck - 8)  # twice the hands of an opponent: a certain win
    runouts = (deck - 5) * (deck - 6) // 2  # that a hand and a flop leave
    for i in range(first, last):
        total[:] = squares[:] = 0.0
        board[:3] = flops[i]
        for turn in range(deck):
            for river in range(turn):
                if (board[:3] == turn).any() or (board[:3] == river).any():
                    continue
                board[3], board[4] = turn, river
                sweep(climb(board, ranks, s), s, wins)
                for hole in range(len(holes)):
                    if wins[hole] != BLOCKED:
                        share = wins[hole] / most
                        total[hole] += share
                        squares[hole] += share * share
        hands, spreads = 0, 0.0
        for hole in range(len(holes)):
            if not ((flops[i] == holes[hole, 0]).any() or (flops[i] == holes[hole, 1]).any()):
                mean = total[hole] / runouts
                spread = np.sqrt(max(squares[hole] / runouts - mean * mean, 0.0))
                out[i, hole, 0], out[i, hole, 1] = mean, 2 * spread
                spreads += spread
                hands += 1
        texture[i] = spreads / hands
