"""The answer to a bet before the flop that the equilibrium lacks, by depth-limited solving.

The subgame begins after the bet and ends with the round. It is solved safely: the opponent may take
the best of its other actions instead. The values of a leaf are its own, where they are known; else
the mean of those after the same actions behind the sizes beside the bet. Then every flop is solved
safely (:mod:`sixmax.studies.modicum.flops`; Brown, Sandholm and Amos 2018, section 6.1).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.cfr.gadget import gadget
from sixmax.cfr.methods import DCFR
from sixmax.evaluation.exploitability.exact_holdem import RangeWalk
from sixmax.studies.flop_games.equilibrium import Below, FlopEffort, learn
from sixmax.studies.flop_games.game import FlopGame
from sixmax.studies.flop_games.off_tree import Bet, OffTree, twin_children
from sixmax.studies.flop_games.reach import steps
from sixmax.studies.flop_games.trunk import Trunk, solve, trunk
from sixmax.studies.modicum.makers import Continuations


class BetAnswer(NamedTuple):
    """A solved subgame after a bet.

    trunk: the betting after the bet
    rows: float64[rows, C]   both seats' average strategies in it
    sides: for each leaf, a node of the game, the numbers of those whose mean it takes: int64[.]
    without: float64[C]      the best that the opponent can do without the bet, net chips
    """

    trunk: Trunk
    rows: np.ndarray
    sides: dict[int, np.ndarray]
    without: np.ndarray


def answered(case: OffTree, known: Continuations, iterations: int) -> BetAnswer:
    """Solve the betting after the one bet of ``case``, with the values of ``known`` at leaves."""
    game, (bet,) = case.game, case.bets
    opponent = game.tree.seat(bet.node)
    sides, without = leaves_known(case, bet, known), without_bet(case, bet)
    values = np.stack([known.values[:, pair].mean(axis=1) for pair in sides.values()], axis=1)
    top = trunk(game, bet.child, opponent, list(sides), values)
    entry = gadget("resolve", opponent, without, game.cards.share.sum(axis=1))
    return BetAnswer(top, solve(top, iterations, DCFR, entry), sides, without)


def leaves_known(case: OffTree, bet: Bet, known: Continuations) -> dict[int, np.ndarray]:
    """The leaves after ``bet``, each with its number in ``known``: int64[1].

    One that ``known`` lacks has the numbers of the two beside it, int64[2]: the same actions behind
    the other sizes.

    Raises UserError where a size beside the bet has no such leaf.
    """
    tree, small = case.game.tree, known.game
    number = {tuple(small.tree.path(root)): i for i, root in enumerate(small.roots)}
    result, todo = {}, [(bet.child, bet.below, bet.above)]
    while todo:
        x, *sides = todo.pop()
        if x in case.game.roots:
            own = number.get(tuple(tree.path(x)))
            pair = [number.get(tuple(tree.path(side))) for side in sides] if own is None else [own]
            if None in pair:
                raise UserError(
                    "a leaf after the bet has none beside it: wanted sizes beside the bet that "
                    "leave room for the same raises"
                )
            result[x] = np.array(pair)
        elif tree.is_decision(x):
            alike = [twin_children(case.game, x, side) for side in sides]
            todo += list(zip(tree.children(x), *alike, strict=True))
    return dict(sorted(result.items()))


def without_bet(case: OffTree, bet: Bet) -> np.ndarray:
    """The best that each class of the opponent can do without the bet, net chips: float64[C].

    # ASSUME the bet opens the hand: we come with every class.
    """
    game = case.game
    opponent = game.tree.seat(bet.node)
    reach = np.ones(len(game.cards.share))
    walk = RangeWalk(game.tree, game.layout, game.cards, case.strategy, opponent)
    others = [x for x in game.tree.children(bet.node) if x != bet.child]
    best = np.max([walk.preflop(x, reach)[1] for x in others], axis=0)
    return best / (game.cards.share @ reach)


def to_the_end(
    case: OffTree, iterations: int, progress: Callable[[int], None] = lambda n: None
) -> np.ndarray:
    """The strategy of ``case`` where the subgame after its bet goes to the end: float64[size].

    No leaf has values: every flop is solved together with the betting before it.
    """
    game, (bet,) = case.game, case.bets
    opponent, strategy = game.tree.seat(bet.node), case.strategy.copy()
    entry = gadget("resolve", opponent, without_bet(case, bet), game.cards.share.sum(axis=1))
    leaves = [x for x in game.roots if bet.child in _above(game, x)]
    below = Below(bet.child, leaves, entry)
    learn(game, strategy, below, FlopEffort(iterations, DCFR), progress)
    return strategy


def _above(game: FlopGame, node: int) -> list[int]:
    return [before for before, _ in steps(game.tree, node)]
