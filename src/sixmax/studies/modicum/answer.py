"""The answer to a bet before the flop that the equilibrium lacks, by depth-limited solving.

The subgame begins after the bet and ends with the round. It is solved safely: the opponent may take
the best of its other actions instead. The values of a leaf are its own, where they are known; else
the mean of those after the same actions behind the sizes beside the bet.

Then every flop is solved safely, by the values that were promised: the opponent's alternative is
the value, with each hole, of the continuation that its class likes best at the leaf, and the gifts
of its mistakes on the way. By them it is worse off than by its best action, so they may be given
back (reach solving; Brown and Sandholm 2017; Brown, Sandholm and Amos 2018, section 6.1).
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.progress import Done, quiet
from sixmax.betting.tree_cut import cut
from sixmax.cfr.methods import DCFR
from sixmax.search.result import Alternative
from sixmax.search.solvers.limited.solver import LimitedSolver
from sixmax.studies.flop_games.learn import FlopEffort, learner
from sixmax.studies.flop_games.off_tree import Bet, OffTree, twin_children, without_bets
from sixmax.studies.flop_games.subgames import on_boards, solve_board
from sixmax.studies.flop_games.trunk import Trunk, best, first_node, place, reach_at, solve, trunk
from sixmax.studies.modicum.makers import Continuations


class BetAnswer(NamedTuple):
    """A solved subgame after a bet."""

    trunk: Trunk  # the betting after the bet
    solver: LimitedSolver  # of it
    sides: dict[int, np.ndarray]  # by leaf, a node of the game: whose mean it takes, int64[n]
    without: np.ndarray  # float64[C]: the best that the opponent can do without the bet, net chips


def answered(case: OffTree, known: Continuations, iterations: int) -> BetAnswer:
    """Solve the betting after the one bet of ``case``, with the values of ``known`` at leaves."""
    (bet,), game = case.bets, case.game
    without, sides = _without(case), leaves_known(case, bet, known)
    values = np.stack([known.values[:, pair].mean(axis=1) for pair in sides.values()], axis=1)
    top = trunk(game, bet.child, bet.seat, list(sides), values)
    outside = Alternative(bet.seat, without[game.cards.of_hole])
    return BetAnswer(top, solve(game, top, iterations, DCFR, outside), sides, without)


def _without(case: OffTree) -> np.ndarray:
    """Net chips of the opponent's classes by the best of its actions but the bet: float64[C].

    # ASSUME the bet opens the hand: we come with every class.
    """
    (bet,) = case.bets
    return without_bets(case, bet, np.ones(len(case.game.cards.share)))


def leaves_known(case: OffTree, bet: Bet, known: Continuations) -> dict[int, np.ndarray]:
    """The leaves after ``bet``, each with its number in ``known``: int64[1].

    One that ``known`` lacks has the numbers of the two beside it, int64[2]: the same actions behind
    the other sizes. Raises UserError where a size beside the bet has no such leaf.
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


def played(
    case: OffTree, known: Continuations, answer: BetAnswer, iterations: int, progress: Done = quiet
) -> np.ndarray:
    """The strategy of ``case`` with ``answer``, every flop solved safely: float64[layout.size].

    Calls ``progress`` with the flops done.
    """
    game, strategy, opponent = case.game, case.strategy.copy(), answer.trunk.opponent
    average = answer.solver.strategy()
    place(game, answer.trunk, average, strategy)
    for leaf in answer.sides:
        part = cut(game.tree, leaf, lambda node: False, 1)
        reach = reach_at(answer.trunk, average, leaf)
        values = alternatives(known, answer, leaf, reach[1 - opponent])
        reach[opponent] = 1.0
        ranges = reach[:, game.cards.of_hole]
        for f in range(len(game.board)):
            alternative = Alternative(opponent, values[f], "resolve")
            for node, rows, at in solve_board(game, part, f, ranges, iterations, alternative):
                if game.tree.seat(node) != opponent:
                    strategy[at] = rows
            progress(1)
    return strategy


def alternatives(
    known: Continuations, answer: BetAnswer, leaf: int, reach: np.ndarray
) -> np.ndarray:
    """The least to give each hole of the opponent on each flop, net chips: float64[F, H].

    We come to ``leaf`` with ``reach`` float64[C].
    """
    of_hole, (chosen, gift) = known.game.cards.of_hole, promised(answer, leaf)
    held = on_boards(known.game, reach)
    result = np.zeros(held.shape)
    for n in np.unique(chosen):
        beside = [known.on_flops(n, i, answer.trunk.opponent, held) for i in answer.sides[leaf]]
        result = np.where(chosen[of_hole] == n, np.mean(beside, axis=0), result)
    return result + gift[of_hole]


def promised(answer: BetAnswer, leaf: int) -> tuple[np.ndarray, np.ndarray]:
    """The best continuation of each class at ``leaf``, and its gifts: int64[C], float64[C].

    By best responses to our rows in the depth-limited subgame. A gift is the value of a decision
    less that of the action taken, net chips; the first is the bet itself.
    """
    top, opponent = answer.trunk, answer.trunk.opponent
    value = best(answer.solver, opponent)
    gift = np.maximum(answer.without - value[0], 0)
    tree, node = top.part.tree, first_node(top, leaf)
    for before, after in tree.steps(node):
        if tree.seat(before) == opponent:
            gift = gift + np.maximum(value[before] - value[after], 0)
    choices = list(tree.children(node))
    return value[choices].argmax(axis=0), gift


def to_the_end(case: OffTree, iterations: int, progress: Done = quiet) -> np.ndarray:
    """The strategy of ``case`` where the subgame after its bet goes to the end: float64[size].

    No leaf has values: every flop is solved together with the betting before it.
    """
    strategy, (bet,), of_hole = case.strategy.copy(), case.bets, case.game.cards.of_hole
    outside = Alternative(bet.seat, _without(case)[of_hole])
    below = learner(case.game, DCFR, bet.child, alternative=outside)
    below.run(FlopEffort(iterations), progress).write(strategy)
    return strategy
