"""Solve every subgame of a flop game anew, by one of the article's techniques.

A subgame begins with the betting of the last round, on a flop or a turn. *Unsafe* solving takes the
opponent's range from the blueprint. The safe techniques give the opponent an alternative for each
hand: its value against the blueprint by a best response (a bound), or the mean of its values over
the iterations (an estimate); *reach* adds the gifts of its mistakes before.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CFR_PLUS
from sixmax.evaluation.exploitability.boards import summed
from sixmax.evaluation.exploitability.exact_holdem import Walk
from sixmax.game.tree import DECISION, Tree, kind_of, round_of, seat_of
from sixmax.game.tree_cut import cut, later_rounds
from sixmax.libratus.blueprint import Blueprint
from sixmax.libratus.game import FlopGame
from sixmax.search.solvers.problem import Alternative, strategy_at
from sixmax.search.solvers.ranges.game import endgame
from sixmax.search.solvers.ranges.solver import RangeSolver


class Technique(NamedTuple):
    """gadget: of :mod:`sixmax.cfr.gadget`, or "" for unsafe solving."""

    gadget: str
    reach: bool = False
    estimate: bool = False


TECHNIQUES = {
    "unsafe": Technique(""),
    "resolve": Technique("resolve"),
    "resolve-estimate": Technique("resolve", estimate=True),
    "reach-resolve": Technique("resolve", reach=True),
    "maxmargin": Technique("maxmargin"),
    "maxmargin-estimate": Technique("maxmargin", estimate=True),
    "reach-maxmargin": Technique("maxmargin", reach=True),
    "reach-maxmargin-estimate": Technique("maxmargin", reach=True, estimate=True),
}


def solved(
    game: FlopGame,
    blueprint: Blueprint,
    technique: Technique,
    iterations: int,
    progress: Callable[[int], None] = lambda n: None,
) -> np.ndarray:
    """``blueprint`` with new strategies of both seats in every subgame: float64[layout.size].

    A seat's strategy is that of its own solution, where the other is the opponent. Calls
    ``progress`` with the subgames done.
    """
    strategy = blueprint.strategy.copy()
    for root in game.roots:
        part = cut(game.tree, root, lambda node: False, 1)
        tree = later_rounds(part.tree, game.last)
        reach = reach_to(game, blueprint.strategy, root)
        values = [_alternatives(game, blueprint, root, reach, p, technique) for p in (0, 1)]
        final = game.board.shape[1]
        for f, board in enumerate(game.board):
            ranges = some_range(reach[:, f])
            subgame = endgame(tree, board, ranges, (), game.ranks, every=True, final=final)
            for seats in ([0, 1],) if not technique.gadget else ([0], [1]):
                alternative = None
                if technique.gadget:
                    other = 1 - seats[0]
                    alternative = Alternative(other, values[other][f], technique.gadget)
                solver = RangeSolver(subgame, CFR_PLUS, alternative=alternative).run(iterations)
                result = solver.strategy()
                for x in np.flatnonzero(kind_of(tree.node[:, 0]) == DECISION):
                    seat = seat_of(int(tree.node[x, 0]))
                    if seat in seats:
                        rows = strategy_at(tree, subgame.layout, result, int(x))
                        place(game, strategy, f, int(part.origin[x]), seat, rows)
            progress(1)
    return strategy


def place(
    game: FlopGame, strategy: np.ndarray, f: int, node: int, seat: int, rows: np.ndarray
) -> None:
    """Write ``rows`` float64[H, actions] to the decision ``node`` on board ``f``."""
    bucket = len(rows) * f + np.arange(len(rows))
    first = infoset(game.layout, game.last, seat, bucket, int(game.tree.node[node, 2]))
    strategy[first[:, None] + np.arange(rows.shape[1])] = rows


def some_range(reach: np.ndarray) -> np.ndarray:
    """``reach`` float64[2, H]; any hand, where the blueprint never comes with one.

    # ASSUME: the article does not say what unsafe solving believes there.
    """
    return np.where(reach.any(axis=1, keepdims=True), reach, 1.0)


def reach_to(game: FlopGame, strategy: np.ndarray, node: int) -> np.ndarray:
    """The probability that each seat plays to ``node`` of the last round, by board and hole.

    float64[2, B, H]; boards that block a hole are not looked at.
    """
    reach = np.ones((2, len(game.board), len(game.cards.of_hole)))
    for before, child in _steps(game.tree, node):
        head = int(game.tree.node[before, 0])
        reach[seat_of(head)] *= _on_boards(game, _taken(game, strategy, before, child), head)
    return reach


def _taken(game: FlopGame, strategy: np.ndarray, before: int, child: int) -> np.ndarray:
    """The probability of the action that leads to ``child``: by class, or by board and hole."""
    head, first, slot, _ = (int(n) for n in game.tree.node[before])
    in_round = round_of(head)
    own = game.cards.boards[in_round - 1].bucket if in_round else np.arange(len(game.cards.share))
    return strategy[infoset(game.layout, in_round, seat_of(head), own, slot) + child - first]


def _on_boards(game: FlopGame, values: np.ndarray, head: int) -> np.ndarray:
    """``values`` of the round of ``head``, by class or by board and hole, on the last boards."""
    in_round = round_of(head)
    if not in_round:
        values = np.broadcast_to(values[game.cards.of_hole], (1, len(game.cards.of_hole)))
    return np.repeat(values, len(game.board) // len(values), axis=0)


def gifts(game: FlopGame, blueprint: Blueprint, root: int, seat: int, estimate: bool) -> np.ndarray:
    """Chips that ``seat`` gave away on the way to ``root``, with each hand: float64[B, H].

    At each of its decisions: the value of the decision less that of the action taken.
    """
    reach = np.ones(len(game.cards.share))  # the other's; its actions come first
    gift = np.zeros((len(game.board), len(game.cards.of_hole)))
    for before, child in _steps(game.tree, root):
        head = int(game.tree.node[before, 0])
        if round_of(head) and reach.ndim == 1:
            reach = np.tile(reach[game.cards.of_hole], (len(game.flops), 1))
        if seat_of(head) != seat:
            reach = reach * _taken(game, blueprint.strategy, before, child)
            continue
        value = (_value(game, blueprint, x, seat, reach, estimate) for x in (before, child))
        gift += _on_boards(game, np.subtract(*value), head)
    return np.maximum(gift, 0)


def _value(
    game: FlopGame, blueprint: Blueprint, x: int, seat: int, reach: np.ndarray, estimate: bool
) -> np.ndarray:
    """The value of node ``x`` to ``seat``, by class or by flop and hole; 0 where nobody is left."""
    cards = game.cards
    if estimate:
        return (blueprint.by_class if reach.ndim == 1 else blueprint.by_flop)[seat, x]
    walk = Walk(game.tree, game.layout, cards, blueprint.strategy, seat)
    if reach.ndim == 1:
        value, left = walk.preflop(x, reach)[1], cards.share @ reach
    else:
        value, left = walk.board(x, reach, cards.boards)[1], summed(reach, cards.boards[0], False)
    return np.divide(value, left, out=np.zeros(value.shape), where=left > 0)


def _steps(tree: Tree, node: int) -> list[tuple[int, int]]:
    """The decisions on the way to ``node``, each with the child that follows."""
    steps = []
    while node > 0:
        steps.append((int(tree.parent[node]), node))
        node = steps[-1][0]
    return steps[::-1]


def _alternatives(
    game: FlopGame,
    blueprint: Blueprint,
    root: int,
    reach: np.ndarray,
    seat: int,
    technique: Technique,
) -> np.ndarray:
    """Of each hand of ``seat`` on each board, in net chips: float64[B, H]; 0 where none is left."""
    cards = game.cards
    if technique.estimate:
        values = blueprint.by_hole[seat, game.roots.index(root)].copy()
    else:
        walk = Walk(game.tree, game.layout, cards, blueprint.strategy, seat)
        last = cards.boards[-1:]
        value = walk.board(root, reach[1 - seat], last)[1]
        left = summed(reach[1 - seat], last[0], False)
        values = np.divide(value, left, out=np.zeros(value.shape), where=left > 0)
    if technique.reach:
        values += gifts(game, blueprint, root, seat, technique.estimate)
    return values
