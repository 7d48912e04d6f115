"""Solve every subgame of a flop game anew, by one of the article's techniques.

A subgame begins with the betting on a flop. *Unsafe* solving takes the opponent's range from the
blueprint. The safe techniques give the opponent an alternative for each hand: its value against the
blueprint by a best response (a bound), or the mean of its values over the iterations (an estimate);
*reach* adds the gifts of its mistakes before the flop.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.cfr.layout import infoset
from sixmax.cfr.methods import CFR_PLUS
from sixmax.evaluation.exploitability.two_round_holdem import Walk, summed
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
        tree, reach = later_rounds(part.tree, 1), reach_to(game, blueprint.strategy, root)
        values = [_alternatives(game, blueprint, root, reach, p, technique) for p in (0, 1)]
        for f, board in enumerate(game.board):
            ranges = some_range(reach[:, f])
            subgame = endgame(tree, board, ranges, (), game.ranks, every=True, final=3)
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
    """Write ``rows`` float64[H, actions] to the decision ``node`` on flop ``f``."""
    bucket = len(rows) * f + np.arange(len(rows))
    first = infoset(game.layout, 1, seat, bucket, int(game.tree.node[node, 2]))
    strategy[first[:, None] + np.arange(rows.shape[1])] = rows


def some_range(reach: np.ndarray) -> np.ndarray:
    """``reach`` float64[2, H]; any hand, where the blueprint never comes with one.

    # ASSUME: the article does not say what unsafe solving believes there.
    """
    return np.where(reach.any(axis=1, keepdims=True), reach, 1.0)


def reach_to(game: FlopGame, strategy: np.ndarray, node: int) -> np.ndarray:
    """The probability that each seat plays to ``node``, by flop and hole: float64[2, F, H]."""
    bucket = np.arange(game.layout.buckets[1]).reshape(len(game.flops), -1)
    reach = np.ones((2, *bucket.shape))
    for before, child in _steps(game.tree, node):
        head, first, slot, _ = (int(n) for n in game.tree.node[before])
        seat, in_round = seat_of(head), round_of(head)
        own = bucket if in_round else game.cards.of_hole.astype(np.int64)
        reach[seat] *= strategy[infoset(game.layout, in_round, seat, own, slot) + child - first]
    return reach


def gifts(game: FlopGame, blueprint: Blueprint, root: int, seat: int, estimate: bool) -> np.ndarray:
    """Chips that ``seat`` gave away on the way to ``root`` with each class: float64[classes].

    At each of its decisions: the value of the decision less that of the action taken.
    """
    classes = len(game.cards.share)
    reach, gift = np.ones(classes), np.zeros(classes)  # the other's; its actions come first
    walk = Walk(game.tree, game.layout, game.cards, blueprint.strategy, seat)
    for before, child in _steps(game.tree, root):
        head, first, slot, _ = (int(n) for n in game.tree.node[before])
        if seat_of(head) != seat:
            at = infoset(game.layout, 0, 1 - seat, np.arange(classes), slot) + child - first
            reach = reach * blueprint.strategy[at]
        elif estimate:
            gift += blueprint.by_class[seat, before] - blueprint.by_class[seat, child]
        else:
            value = [walk.preflop(x, reach)[1] for x in (before, child)]
            left = game.cards.share @ reach
            gift += np.divide(value[0] - value[1], left, out=np.zeros(classes), where=left > 0)
    return np.maximum(gift, 0)


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
    """Of each hand of ``seat`` on each flop, in net chips: float64[F, H]; 0 where none is left."""
    cards = game.cards
    if technique.estimate:
        values = blueprint.by_hole[seat, game.roots.index(root)].copy()
    else:
        walk = Walk(game.tree, game.layout, cards, blueprint.strategy, seat)
        value = walk.flop(root, reach[1 - seat], cards.flops)[1]
        left = summed(reach[1 - seat], cards.flops, False)
        values = np.divide(value, left, out=np.zeros(value.shape), where=left > 0)
    if technique.reach:
        values += gifts(game, blueprint, root, seat, technique.estimate)[cards.of_hole]
    return values
