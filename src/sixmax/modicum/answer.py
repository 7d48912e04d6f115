"""The answer to a bet before the flop that the equilibrium lacks, by depth-limited solving.

The subgame begins after the bet and ends with the round. It is solved safely: the opponent may take
the best of its other actions instead. The values of a leaf are the mean of those after the same
actions behind the sizes beside the bet. Then every flop is solved safely (Brown, Sandholm and Amos
2018, section 6.1).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.cfr.gadget import gadget
from sixmax.cfr.methods import CFR_PLUS
from sixmax.errors import UserError
from sixmax.evaluation.exploitability.boards import summed
from sixmax.evaluation.exploitability.exact_holdem import Walk
from sixmax.flop_games.game import FlopGame
from sixmax.flop_games.off_tree import Bet, OffTree, twin_children
from sixmax.flop_games.subgames import place as place_flop
from sixmax.flop_games.subgames import solve_board
from sixmax.flop_games.trunk import Trunk, place, reach_at, solve, trunk
from sixmax.game.tree import DECISION, children, kind_of, path, seat_of
from sixmax.game.tree_cut import cut
from sixmax.search.solvers.problem import Alternative


class Answer(NamedTuple):
    """A solved subgame after ``bet``: its trunk, and both seats' rows float64[rows, C] of it."""

    bet: Bet
    trunk: Trunk
    rows: np.ndarray


def twins(case: OffTree, bet: Bet) -> dict[int, tuple[int, int]]:
    """For each leaf after ``bet`` the nodes after the same actions behind the sizes beside it.

    Raises UserError where a size beside the bet has no such leaf.
    """
    tree, roots = case.game.tree, set(case.game.roots)
    result, todo = {}, [(bet.child, bet.below, bet.above)]
    while todo:
        x, *sides = todo.pop()
        if x in roots:
            if not roots.issuperset(sides):
                raise UserError("a leaf after the bet has none beside it; offer other sizes")
            result[x] = tuple(sides)
        elif kind_of(int(tree.node[x, 0])) == DECISION:
            alike = [twin_children(case.game, x, side) for side in sides]
            todo += list(zip(children(tree, x), *alike, strict=True))
    return dict(sorted(result.items()))


def means(case: OffTree, bet: Bet, small: FlopGame, values: np.ndarray) -> np.ndarray:
    """The values of the leaves after ``bet``: float64[choices, leaves after it, C, C].

    ``values`` float64[choices, leaves, C, C] are those of ``small``, which lacks the bet.
    """
    number = {tuple(path(small.tree, root)): i for i, root in enumerate(small.roots)}
    sides = np.array([
        [number[tuple(path(case.game.tree, x))] for x in pair]
        for pair in twins(case, bet).values()
    ])  # fmt: skip
    return values[:, sides].mean(axis=2)


def answered(case: OffTree, small: FlopGame, values: np.ndarray, iterations: int) -> Answer:
    """Solve the betting after the bet of ``case``.

    The leaves have ``values`` float64[choices, leaves, C, C] of ``small``.
    """
    game, (bet,) = case.game, case.bets
    opponent = seat_of(int(game.tree.node[bet.node, 0]))
    leaves = list(twins(case, bet))
    top = trunk(game, bet.child, opponent, leaves, means(case, bet, small, values))
    share = game.cards.share if opponent == 0 else game.cards.share.T
    entry = gadget("resolve", opponent, without_bet(case, bet), share.sum(axis=1))
    return Answer(bet, top, solve(top, iterations, CFR_PLUS, entry))


def without_bet(case: OffTree, bet: Bet) -> np.ndarray:
    """The best that each class of the opponent can do without the bet, net chips: float64[C]."""
    game = case.game
    opponent = seat_of(int(game.tree.node[bet.node, 0]))
    reach = np.ones(len(game.cards.share))  # the bet opens the hand
    walk = Walk(game.tree, game.layout, game.cards, case.strategy, opponent)
    others = [x for x in children(game.tree, bet.node) if x != bet.child]
    best = np.max([walk.preflop(x, reach)[1] for x in others], axis=0)
    return best / (game.cards.share @ reach)


def played(
    case: OffTree,
    answer: Answer,
    iterations: int,
    technique: str = "resolve",
    progress: Callable[[int], None] = lambda n: None,
) -> np.ndarray:
    """The strategy of ``case`` with ``answer``, every flop solved safely: float64[layout.size].

    Calls ``progress`` with the flops done.
    """
    game, strategy = case.game, case.strategy.copy()
    place(game, answer.trunk, answer.rows, strategy)
    us = 1 - answer.trunk.opponent
    for leaf, sides in twins(case, answer.bet).items():
        part = cut(game.tree, leaf, lambda node: False, 1)
        reach = reach_at(answer.trunk, answer.rows, leaf)[:, game.cards.of_hole]
        values = _alternatives(case, sides, reach[us], 1 - us)
        for f in range(len(game.board)):
            ranges, alternative = reach.copy(), None
            if technique != "unsafe":
                ranges[1 - us] = 1.0
                alternative = Alternative(1 - us, values[f], technique)
            solution = solve_board(game, part, f, ranges, iterations, alternative)
            for node, seat, rows in solution:
                if seat == us:
                    place_flop(game, strategy, f, node, us, rows)
            progress(1)
    return strategy


def _alternatives(
    case: OffTree, sides: tuple[int, int], reach: np.ndarray, opponent: int
) -> np.ndarray:
    """The opponent's best on each flop, net chips: float64[F, H], the mean behind both sizes.

    We come with ``reach`` float64[H] and play on as the equilibrium does behind either size.
    """
    game = case.game
    dealt = game.cards.boards
    held = np.broadcast_to(reach, dealt[0].bucket.shape).copy()
    walk = Walk(game.tree, game.layout, game.cards, case.strategy, opponent)
    value = np.mean([walk.board(x, held, dealt)[1] for x in sides], axis=0)
    left = summed(held, dealt[0], False)
    return np.divide(value, left, out=np.zeros(value.shape), where=left > 0)
