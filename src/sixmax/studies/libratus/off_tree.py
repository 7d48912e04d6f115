"""An opponent who bets a size on the flop that the blueprint lacks: answers to it.

*Translation* answers as to the sizes beside it, by the randomised pseudo-harmonic mapping. *Nested*
solving makes a subgame that begins where the opponent bet: unsafe with its range of the blueprint,
and all of its actions; safe after the bet, where its alternative is the best of the other actions.
"""

from collections.abc import Callable

import numpy as np

from sixmax.betting.tree_cut import cut
from sixmax.evaluation.exploitability.boards import summed
from sixmax.evaluation.exploitability.exact_holdem import RangeWalk
from sixmax.search.result import Alternative
from sixmax.studies.flop_games.game import FlopGame
from sixmax.studies.flop_games.off_tree import Bet, OffTree, translate
from sixmax.studies.flop_games.reach import reach_to
from sixmax.studies.flop_games.subgames import place, solve_board

ANSWERS = ("translation", "unsafe", "resolve", "maxmargin")


def answered(
    case: OffTree, answer: str, iterations: int, progress: Callable[[int], None] = lambda n: None
) -> np.ndarray:
    """The strategy of ``case`` with an answer of ANSWERS after each bet: float64[layout.size].

    Calls ``progress`` with the bets done.
    """
    strategy = case.strategy.copy()
    for bet in case.bets:
        if answer == "translation":
            translate(case, bet, strategy)
        else:
            _nest(case, bet, answer, iterations, strategy)
        progress(1)
    return strategy


def _nest(case: OffTree, bet: Bet, answer: str, iterations: int, strategy: np.ndarray) -> None:
    """Solve a subgame for each flop, and take over our rows after the bet."""
    game, opponent = case.game, case.game.tree.seat(bet.node)
    safe, alternative = answer != "unsafe", None
    part = cut(game.tree, bet.child if safe else bet.node, lambda node: False, 1)
    reach = reach_to(game, case.strategy, bet.node)
    values = _without_bet(case, bet, reach[1 - opponent]) if safe else None
    for f in range(len(game.board)):
        ranges = reach[:, f].copy()
        if safe:
            ranges[opponent] = 1.0
            alternative = Alternative(opponent, values[f], answer)
        for node, seat, rows in solve_board(game, part, f, ranges, iterations, alternative):
            if seat != opponent and _follows(game, node, bet.child):
                place(game, strategy, f, node, seat, rows)


def _without_bet(case: OffTree, bet: Bet, reach: np.ndarray) -> np.ndarray:
    """The best that each hand of the opponent can do without the bet, net chips: float64[F, H]."""
    game = case.game
    seat = game.tree.seat(bet.node)
    walk = RangeWalk(game.tree, game.layout, game.cards, case.strategy, seat)
    dealt = game.cards.boards
    others = {b.child for b in case.bets}
    values = [
        walk.board(x, reach, dealt)[1] for x in game.tree.children(bet.node) if x not in others
    ]
    left = summed(reach, dealt[0], False)
    return np.divide(np.max(values, axis=0), left, out=np.zeros(left.shape), where=left > 0)


def _follows(game: FlopGame, node: int, before: int) -> bool:
    while node > before:
        node = int(game.tree.parent[node])
    return node == before
