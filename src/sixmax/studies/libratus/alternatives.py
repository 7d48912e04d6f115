"""The opponent's alternatives of safe subgame solving: for each hand, the least to give it.

By a best response to the blueprint (a bound) or by the mean of its values over the iterations (an
estimate); *reach* adds the gifts of its mistakes before (Libratus, supplement).
"""

import numpy as np

from sixmax.betting.tree import round_of, seat_of
from sixmax.evaluation.exploitability.boards import summed
from sixmax.evaluation.exploitability.exact_holdem import RangeWalk
from sixmax.studies.flop_games.game import FlopGame
from sixmax.studies.flop_games.reach import on_boards, steps, taken
from sixmax.studies.libratus.blueprint import Blueprint


def alternatives(
    game: FlopGame,
    blueprint: Blueprint,
    root: int,
    reach: np.ndarray,
    seat: int,
    estimate: bool,
    more: bool,
) -> np.ndarray:
    """Net chips of each hand of ``seat`` on each board: float64[B, H]; 0 where none is left.

    reach: float64[2, B, H] of both seats at ``root``, as of ``flop_games.reach.reach_to``.
    ``estimate`` takes the mean of the values for the bound, ``more`` adds the gifts.
    """
    cards = game.cards
    if estimate:
        values = blueprint.by_hole[seat, game.roots.index(root)].copy()
    else:
        walk = RangeWalk(game.tree, game.layout, cards, blueprint.strategy, seat)
        last = cards.boards[-1:]
        value = walk.board(root, reach[1 - seat], last)[1]
        left = summed(reach[1 - seat], last[0], False)
        values = np.divide(value, left, out=np.zeros(value.shape), where=left > 0)
    if more:
        values += gifts(game, blueprint, root, seat, estimate)
    return values


def gifts(game: FlopGame, blueprint: Blueprint, root: int, seat: int, estimate: bool) -> np.ndarray:
    """Chips that ``seat`` gave away on the way to ``root``, with each hand: float64[B, H].

    At each of its decisions: the value of the decision less that of the action taken.
    # ASSUME the sum of a hand is never negative: means over iterations may say so.
    """
    reach = np.ones(len(game.cards.share))  # the other's; its actions come first
    gift = np.zeros((len(game.board), len(game.cards.of_hole)))
    for before, child in steps(game.tree, root):
        head = int(game.tree.node[before, 0])
        if round_of(head) and reach.ndim == 1:
            reach = np.tile(reach[game.cards.of_hole], (len(game.flops), 1))
        if seat_of(head) != seat:
            reach = reach * taken(game, blueprint.strategy, before, child)
            continue
        value = (_value(game, blueprint, x, seat, reach, estimate) for x in (before, child))
        gift += on_boards(game, np.subtract(*value), head)
    return np.maximum(gift, 0)


def _value(
    game: FlopGame, blueprint: Blueprint, x: int, seat: int, reach: np.ndarray, estimate: bool
) -> np.ndarray:
    """The value of node ``x`` to ``seat``, by class or by flop and hole; 0 where nobody is left."""
    cards = game.cards
    if estimate:
        return (blueprint.by_class if reach.ndim == 1 else blueprint.by_flop)[seat, x]
    walk = RangeWalk(game.tree, game.layout, cards, blueprint.strategy, seat)
    if reach.ndim == 1:
        value, left = walk.preflop(x, reach)[1], cards.share @ reach
    else:
        value, left = walk.board(x, reach, cards.boards)[1], summed(reach, cards.boards[0], False)
    return np.divide(value, left, out=np.zeros(value.shape), where=left > 0)
