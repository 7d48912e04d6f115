"""The way to a node of a flop game: its decisions, and the probability that a seat plays it."""

import numpy as np

from sixmax.betting.tree import Tree, round_of, seat_of
from sixmax.cfr.layout import infoset
from sixmax.studies.flop_games.game import FlopGame


def reach_to(game: FlopGame, strategy: np.ndarray, node: int) -> np.ndarray:
    """The probability that each seat plays to ``node`` of the last round, by board and hole.

    float64[2, B, H]; boards that block a hole are not looked at. ``strategy`` is
    float64[layout.size].
    """
    reach = np.ones((2, len(game.board), len(game.cards.of_hole)))
    for before, child in steps(game.tree, node):
        head = int(game.tree.node[before, 0])
        reach[seat_of(head)] *= on_boards(game, taken(game, strategy, before, child), head)
    return reach


def steps(tree: Tree, node: int) -> list[tuple[int, int]]:
    """The decisions on the way to ``node``, each with the child that follows."""
    way = []
    while node > 0:
        way.append((int(tree.parent[node]), node))
        node = way[-1][0]
    return way[::-1]


def taken(game: FlopGame, strategy: np.ndarray, before: int, child: int) -> np.ndarray:
    """The probability of the action that leads to ``child``: by class, or by board and hole.

    ``strategy`` is float64[layout.size]. Returns float64[C] before the flop, else float64[B, H] on
    the boards of the round.
    """
    head, first, slot, _ = (int(n) for n in game.tree.node[before])
    in_round = round_of(head)
    own = game.cards.boards[in_round - 1].bucket if in_round else np.arange(len(game.cards.share))
    return strategy[infoset(game.layout, in_round, seat_of(head), own, slot) + child - first]


def on_boards(game: FlopGame, values: np.ndarray, head: int) -> np.ndarray:
    """``values`` of the round of ``head``, by class or by board and hole, on the last boards.

    They are float64[C] or float64[B, H] on the boards of the round. Returns float64[B, H].
    """
    in_round = round_of(head)
    if not in_round:
        values = np.broadcast_to(values[game.cards.of_hole], (1, len(game.cards.of_hole)))
    return np.repeat(values, len(game.board) // len(values), axis=0)
