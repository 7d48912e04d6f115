"""Safe solving of every flop after a depth-limited solution, by the values it promised.

The opponent's alternative on a flop is the value, with each hole, of the continuation that its
class likes best at the leaf. To it come the gifts of its mistakes on the way: by them it is worse
off than by its best action, so they may be given back (reach solving; Brown and Sandholm 2017).
"""

import itertools
from collections.abc import Callable

import numpy as np

from sixmax.betting.tree_cut import cut
from sixmax.search.result import Alternative
from sixmax.studies.flop_games.off_tree import OffTree
from sixmax.studies.flop_games.subgames import place as place_flop
from sixmax.studies.flop_games.subgames import solve_board
from sixmax.studies.flop_games.trunk import best, place, reach_at, way
from sixmax.studies.modicum.answer import BetAnswer
from sixmax.studies.modicum.makers import Continuations


def played(
    case: OffTree,
    known: Continuations,
    answer: BetAnswer,
    iterations: int,
    progress: Callable[[int], None] = lambda n: None,
) -> np.ndarray:
    """The strategy of ``case`` with ``answer``, every flop solved safely: float64[layout.size].

    Calls ``progress`` with the flops done.
    """
    game, strategy, opponent = case.game, case.strategy.copy(), answer.trunk.opponent
    place(game, answer.trunk, answer.rows, strategy)
    for leaf in answer.sides:
        part = cut(game.tree, leaf, lambda node: False, 1)
        ranges = reach_at(answer.trunk, answer.rows, leaf)[:, game.cards.of_hole]
        values = alternatives(case, known, answer, leaf, ranges[1 - opponent])
        ranges[opponent] = 1.0
        for f in range(len(game.board)):
            alternative = Alternative(opponent, values[f], "resolve")
            for node, seat, rows in solve_board(game, part, f, ranges, iterations, alternative):
                if seat != opponent:
                    place_flop(game, strategy, f, node, seat, rows)
            progress(1)
    return strategy


def alternatives(
    case: OffTree, known: Continuations, answer: BetAnswer, leaf: int, reach: np.ndarray
) -> np.ndarray:
    """The least to give each hole of the opponent on each flop, net chips: float64[F, H].

    We come to ``leaf`` with ``reach`` float64[H].
    """
    of_hole, opponent = case.game.cards.of_hole, answer.trunk.opponent
    chosen, gift = promised(answer, leaf)
    held = np.broadcast_to(reach, known.game.cards.boards[0].bucket.shape).copy()
    result = np.zeros(held.shape)
    for n in np.unique(chosen):
        value = np.mean([known.on_flops(n, i, opponent, held) for i in answer.sides[leaf]], axis=0)
        result = np.where(chosen[of_hole] == n, value, result)
    return result + gift[of_hole]


def promised(answer: BetAnswer, leaf: int) -> tuple[np.ndarray, np.ndarray]:
    """The best continuation of each class at ``leaf``, and its gifts: int64[C], float64[C].

    By best responses to our rows in the depth-limited subgame. A gift is the value of a decision
    less that of the action taken, net chips; the first is the bet itself.
    """
    top, opponent = answer.trunk, answer.trunk.opponent
    value = best(top, answer.rows, opponent)
    gift = np.maximum(answer.without - value[0], 0)
    nodes = way(top, leaf)
    for before, after in itertools.pairwise(nodes):
        if top.part.tree.seat(before) == opponent:
            gift = gift + np.maximum(value[before] - value[after], 0)
    choices = list(top.part.tree.children(nodes[-1]))
    return value[choices].argmax(axis=0), gift
