"""A node of a flop game: its reach and values, and its subgame solved anew on one board."""

from collections.abc import Iterator

import numpy as np

from sixmax.betting.tree_cut import Cut, later_rounds
from sixmax.cfr.layout import entries, strategy_at
from sixmax.cfr.methods import DCFR
from sixmax.evaluation.exploitability.boards import summed
from sixmax.search.constraints import Alternative
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.studies.flop_games.game import FlopGame, ratio


def taken(game: FlopGame, strategy: np.ndarray, before: int, child: int) -> np.ndarray:
    """The probability of the action from ``before`` to ``child``, by ``strategy`` float64[size].

    By class before the flop, float64[C], else by hole on the boards of the round, float64[B, H].
    """
    tree, in_round = game.tree, game.tree.round(before)
    own = game.cards.boards[in_round - 1].bucket if in_round else np.arange(len(game.cards.share))
    return strategy[entries(tree, game.layout, before, own)[..., child - int(tree.node[before, 1])]]


def reach_by_class(game: FlopGame, strategy: np.ndarray, node: int, seat: int) -> np.ndarray:
    """The probability that ``seat`` plays to ``node``, which ends the first round: float64[C]."""
    reach = np.ones(len(game.cards.share))
    for before, child in game.tree.steps(node):
        if game.tree.seat(before) == seat:
            reach *= taken(game, strategy, before, child)
    return reach


def reach_to(game: FlopGame, strategy: np.ndarray, node: int) -> np.ndarray:
    """The probability that each seat plays to ``node`` of the last round: float64[2, B, H].

    Boards that block a hole are not looked at.
    """
    reach = np.ones((2, len(game.board), len(game.cards.of_hole)))
    for before, child in game.tree.steps(node):
        reach[game.tree.seat(before)] *= on_boards(game, taken(game, strategy, before, child))
    return reach


def on_boards(game: FlopGame, values: np.ndarray) -> np.ndarray:
    """``values`` by class, or by board of a round and hole, on the last boards: float64[B, H]."""
    if values.ndim == 1:
        values = values[game.cards.of_hole][None]
    return np.repeat(values, len(game.board) // len(values), axis=0)


def values_at(
    game: FlopGame, strategy: np.ndarray, node: int, seat: int, reach: np.ndarray
) -> np.ndarray:
    """Net chips of ``seat`` at ``node`` by ``strategy``, and by a best response to it.

    The other comes with ``reach`` by class or by hole on the boards of a round, as the result:
    float64[2, C] or float64[2, B, H]. 0 where nobody is left.
    """
    walk, cards = game.walk(strategy, seat), game.cards
    if reach.ndim == 1:
        values, left = walk.preflop(node, reach), cards.share @ reach
    else:
        dealt = cards.boards if len(reach) == len(game.flops) else cards.boards[-1:]
        values, left = walk.board(node, reach, dealt), summed(reach, dealt[0], False)
    return ratio(values, left)


def solve_board(
    game: FlopGame, part: Cut, f: int, ranges: np.ndarray, iterations: int,
    alternative: Alternative | None = None,
) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:  # fmt: skip
    """Solve ``part``, cut out of the last round of ``game``, on board ``f`` by discounted CFR.

    ``ranges`` are float64[2, H] at its root. Yields each of its decisions as a node of the game,
    with its rows float64[H, actions] and their places in a strategy of the game.

    # ASSUME: where the blueprint never comes, unsafe solving believes in any hand; the article
    does not say.
    """
    # It is as far after 600 iterations as CFR+ after 1,500.
    tree, holes = later_rounds(part.tree, game.last), np.arange(ranges.shape[1])
    board, ranges = game.board[f], np.where(ranges.any(axis=1, keepdims=True), ranges, 1.0)
    subgame = endgame(tree, board, ranges, (), game.ranks, every=True, final=len(board))
    result = RangeSolver(subgame, DCFR, alternative=alternative).run(iterations).strategy()
    for x in tree.decision_nodes():
        node, rows = int(part.origin[x]), strategy_at(tree, subgame.layout, result, int(x))
        yield node, rows, entries(game.tree, game.layout, node, len(holes) * f + holes)
