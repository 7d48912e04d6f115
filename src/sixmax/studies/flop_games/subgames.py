"""A subgame of the last round, solved anew on one board, and its rows in the strategy."""

from collections.abc import Iterator

import numpy as np

from sixmax.betting.tree_cut import Cut, later_rounds
from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CFR_PLUS
from sixmax.search.result import Alternative, strategy_at
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver
from sixmax.studies.flop_games.game import FlopGame


def solve_board(
    game: FlopGame,
    part: Cut,
    f: int,
    ranges: np.ndarray,
    iterations: int,
    alternative: Alternative | None = None,
) -> Iterator[tuple[int, int, np.ndarray]]:
    """Solve ``part``, cut out of the last round of ``game``, on board ``f`` by CFR+.

    ``ranges`` are float64[2, H] at its root. Yields each of its decisions as a node of the game,
    its seat, and its rows float64[H, actions].
    """
    tree, board = later_rounds(part.tree, game.last), game.board[f]
    subgame = endgame(tree, board, some_range(ranges), (), game.ranks, every=True, final=len(board))
    solver = RangeSolver(subgame, CFR_PLUS, alternative=alternative).run(iterations)
    result = solver.strategy()
    for x in tree.decision_nodes():
        rows = strategy_at(tree, subgame.layout, result, int(x))
        yield int(part.origin[x]), tree.seat(x), rows


def place(
    game: FlopGame, strategy: np.ndarray, f: int, node: int, seat: int, rows: np.ndarray
) -> None:
    """Write ``rows`` float64[H, actions] to the decision ``node`` on board ``f``.

    They go into ``strategy`` float64[layout.size].
    """
    bucket = len(rows) * f + np.arange(len(rows))
    first = infoset(game.layout, game.last, seat, bucket, int(game.tree.node[node, 2]))
    strategy[first[:, None] + np.arange(rows.shape[1])] = rows


def some_range(reach: np.ndarray) -> np.ndarray:
    """``reach`` float64[2, H]; any hand, where the blueprint never comes with one.

    # ASSUME: the article does not say what unsafe solving believes there.
    """
    return np.where(reach.any(axis=1, keepdims=True), reach, 1.0)
