"""Two-player hold'em that ends on flop or turn, where chance deals one of some flops.

With all 1,755 it is flop hold'em. With fewer it is a game of its own, and exact values take that
share of the time. Chance turns the suits of the flop at random, so that before the flop the 169
classes lose nothing. Every turn card may follow a flop.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from sixmax.abstraction.flop.store import chosen
from sixmax.betting.config import GameConfig
from sixmax.betting.rules import begin
from sixmax.betting.sizing import sizes
from sixmax.betting.tree import Tree, is_decision, round_of
from sixmax.betting.tree_build import WHOLE, build_from
from sixmax.cards.deck import classes, n_cards, n_holes
from sixmax.cards.isomorphism import boards
from sixmax.cfr.layout import Layout, layout
from sixmax.evaluation.exploitability.boards import boards_of, met
from sixmax.evaluation.exploitability.exact_holdem import GameCards

MOST_NODES = 100_000


class FlopGame(NamedTuple):
    """A game, with all that exact values need.

    layout: of strategies that tell all situations apart: after the first round bucket
        ``H * b + hole`` on board b
    cards: its boards are those of ``flops``, and in three rounds the turns after each
    flops: int64[F] canonical flops; chance: float64[F] their probabilities
    board: int8[B, cards] the boards of the last round
    roots: nodes at which the betting of the last round begins, where subgames are solved anew
    """

    config: GameConfig
    ranks: int
    tree: Tree
    layout: Layout
    cards: GameCards
    flops: np.ndarray
    chance: np.ndarray
    board: np.ndarray
    roots: tuple[int, ...]

    @property
    def last(self) -> int:
        """The last round, 1 or 2."""
        return len(self.cards.boards)

    @property
    def weight(self) -> np.ndarray:
        """The probability of each board of the last round: float64[B]."""
        return np.repeat(self.chance, len(self.board) // len(self.chance)) * (
            len(self.chance) / len(self.board)
        )


def open_game(
    config: GameConfig, flops: int, seed: int, ranks: int = 13, taken: tuple[int, ...] = ()
) -> FlopGame:
    """The game of ``config`` with so many ``flops``, drawn by ``seed``.

    The actions ``taken``, from the start, are offered where the config has none like them.

    Raises UserError for a tree of more than MOST_NODES nodes.
    """
    which = np.array(chosen(flops, ranks, seed), np.int64)
    scope = WHOLE._replace(taken=np.array(taken, np.int64))
    tree = build_from(begin(config), sizes(config), scope, MOST_NODES)
    holes, flops = n_holes(ranks), boards(ranks, 3).cards[which]
    count = boards(ranks, 3).count[which].astype(np.float64)
    chance, rounds = count / count.sum(), len(config.rounds)
    cards = _cards(flops, chance, ranks, rounds)
    infosets = layout(tree, [ranks * ranks, *(len(b.weight) * holes for b in cards.boards)])
    head, last = tree.node[:, 0], rounds - 1
    starts = is_decision(head) & (round_of(head) == last)
    starts[1:] &= round_of(head[tree.parent[1:]]) < last
    roots = tuple(int(x) for x in np.flatnonzero(starts))
    board = flops if rounds == 2 else _turns(flops, ranks)
    return FlopGame(config, ranks, tree, infosets, cards, which, chance, board, roots)


def _turns(flops: np.ndarray, ranks: int) -> np.ndarray:
    """The boards of four cards after each of ``flops``: int8[F * turns, 4]."""
    dealt = [[*flop, card] for flop in flops for card in range(n_cards(ranks)) if card not in flop]
    return np.array(dealt, np.int8)


def _cards(flops: np.ndarray, chance: np.ndarray, ranks: int, rounds: int) -> GameCards:
    """As :func:`exact_holdem.cards`, of some flops; an all-in before it is decided on the last."""
    holes, n = n_holes(ranks), n_cards(ranks)
    weight = chance / (comb(n - 3, 2) * comb(n - 5, 2))
    dealt = [boards_of(flops, weight, _own(len(flops), holes), ranks)]
    if rounds == 3:
        turns = _turns(flops, ranks)
        even = np.full(len(turns), 1 / (n - 7))  # cards that neither flop nor hands have
        dealt.append(boards_of(turns, even, _own(len(turns), holes), ranks))
    of_hole, cells = classes(ranks), ranks * ranks
    share, lead = np.empty((2, cells, cells))
    for c in range(cells):
        reach = np.repeat((of_hole == c).astype(np.float64)[None], len(flops), axis=0)
        for shown, table in ((False, share), (True, lead)):
            value = dealt[0].weight @ met(reach, dealt, shown)
            table[:, c] = np.bincount(of_hole, value, cells)
    return GameCards(of_hole, share, lead, tuple(dealt))


def _own(boards: int, holes: int) -> np.ndarray:
    return holes * np.arange(boards)[:, None] + np.arange(holes)
