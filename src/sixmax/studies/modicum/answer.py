"""The answer to a bet before the flop that the equilibrium lacks, by depth-limited solving.

The subgame begins after the bet and ends with the round. It is solved safely: the opponent may take
the best of its other actions instead. The values of a leaf are its own, where they are known; else
a mean of those after the same actions behind the sizes beside the bet, each brought to the pot of
the leaf.

Then the flops are solved safely, by the values that were promised: the opponent's alternative is
the value of the continuation that its class likes best at the leaf, and the gifts of its mistakes
on the way, which may be given back (reach solving; Brown and Sandholm 2017; Brown, Sandholm and
Amos 2018, section 6.1).
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.progress import Done, quiet
from sixmax.betting.rules import CALL
from sixmax.betting.tree_cut import cut
from sixmax.cfr.methods import DCFR
from sixmax.evaluation.exploitability.boards import summed
from sixmax.search.constraints import Alternative
from sixmax.search.solvers.limited.solver import LimitedSolver
from sixmax.studies.flop_games.game import FlopGame, ratio
from sixmax.studies.flop_games.learn import learner
from sixmax.studies.flop_games.off_tree import Bet, OffTree, twin_children, without_bets
from sixmax.studies.flop_games.subgames import on_boards, reach_by_class, solve_board
from sixmax.studies.flop_games.trunk import Trunk, best, first_node, place, reach_at, solve, trunk
from sixmax.studies.modicum.makers import Continuations


class Beside(NamedTuple):
    """The leaves whose values one after the bet takes: two, or itself alone."""

    number: np.ndarray  # int64[k]: of the leaves, among those known
    part: np.ndarray  # float64[k, C]: of each of our classes, the share that each leaf counts for
    pot: np.ndarray  # float64[k]: the pot of the leaf itself in pots of each


class BetAnswer(NamedTuple):
    """A solved subgame after a bet."""

    trunk: Trunk  # the betting after the bet
    solver: LimitedSolver  # of it
    sides: dict[int, Beside]  # by leaf, a node of the game
    without: np.ndarray  # float64[C]: the best that the opponent can do without the bet, net chips
    response: np.ndarray  # float64[nodes, C]: its net chips by a best response after the bet


def answered(case: OffTree, known: Continuations, iterations: int) -> BetAnswer:
    """Solve the betting after the one bet of ``case``, with the values of ``known`` at leaves."""
    (bet,), game = case.bets, case.game
    numbers = leaves_known(case, bet, known)
    sides = {leaf: _beside(case, known, leaf, each) for leaf, each in numbers.items()}
    values = np.stack([_value(known, side, bet.seat) for side in sides.values()], axis=1)
    top = trunk(game, bet.child, bet.seat, list(sides), values)
    without = without_bets(case, bet)
    outside = Alternative(bet.seat, without[game.cards.of_hole])
    solver = solve(game, top, iterations, DCFR, outside)
    return BetAnswer(top, solver, sides, without, best(solver, bet.seat))


def _beside(case: OffTree, known: Continuations, leaf: int, number: np.ndarray) -> Beside:
    """A class of ours counts at each leaf as often as it comes there, by the equilibrium.

    Behind two sizes a class that calls the small raise and folds to the large one comes to one of
    the leaves alone; at the other its strategy was hardly trained.
    # ASSUME reach is no part of the paper, which takes "the average" of the values of both sizes.
    """
    (bet,), small = case.bets, known.game
    roots = [small.roots[i] for i in number]
    equilibrium = known.equilibrium.astype(np.float64)
    reach = np.array([reach_by_class(small, equilibrium, x, 1 - bet.seat) for x in roots])
    every = reach.sum(axis=0)
    part = np.divide(reach, every, out=np.full(reach.shape, 1 / len(number)), where=every > 0)
    pots = [_pot(case.game, leaf) / _pot(small, x) for x in roots]
    return Beside(number, part, np.array(pots))


def _pot(game: FlopGame, leaf: int) -> int:
    """The chips of each player in the pot at ``leaf``, before the betting of the flop."""
    node = leaf
    while game.tree.is_decision(node):
        node = next(x for x in game.tree.children(node) if game.tree.action[x] == CALL)
    return game.walk(np.zeros(0), 0).stake(node)[0]


def _value(known: Continuations, side: Beside, opponent: int) -> np.ndarray:
    """The values of a leaf, in its own pot: float64[n, C, C], as those of ``known``."""
    of_pair = side.part[:, None, :] if opponent == 0 else side.part[:, :, None]
    return np.einsum("k,kab,nkab->nab", side.pot, of_pair, known.values[:, side.number])


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
    case: OffTree, known: Continuations, answer: BetAnswer, iterations: int,
    whole: bool = True, progress: Done = quiet,
) -> np.ndarray:  # fmt: skip
    """The strategy of ``case`` with ``answer``, all flops solved safely: float64[layout.size].

    With ``whole`` the opponent chooses at a leaf, before the flop is dealt, which of its classes
    come; else each flop is solved alone, as a player solves the one that it sees. Calls
    ``progress`` with the leaves done.
    """
    game, strategy = case.game, case.strategy.copy()
    average, opponent = answer.solver.strategy(), answer.trunk.opponent
    place(game, answer.trunk, average, strategy)
    for leaf in answer.sides:
        reach = reach_at(answer.trunk, average, leaf)[1 - opponent]
        if not reach.any():  # ASSUME we come with any class
            reach = np.ones(reach.shape)
        ranges = np.ones((2, len(game.cards.of_hole)))
        ranges[1 - opponent] = reach[game.cards.of_hole]
        if whole:
            _, value, gift = promised(answer, leaf)
            outside = Alternative(opponent, (value + gift)[game.cards.of_hole])
            below = learner(game, DCFR, leaf, alternative=outside, ranges=ranges)
            below.run(iterations).write(strategy)
        else:
            part = cut(game.tree, leaf, lambda node: False, 1)
            for f, value in enumerate(alternatives(known, answer, leaf, reach)):
                outside = Alternative(opponent, value, "resolve")
                for node, rows, at in solve_board(game, part, f, ranges, iterations, outside):
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
    game, side, opponent = known.game, answer.sides[leaf], answer.trunk.opponent
    chosen, _, gift = promised(answer, leaf)
    held = [on_boards(game, reach * part) for part in side.part]
    left = [summed(each, game.cards.boards[0], False) for each in held]
    result = np.zeros(left[0].shape)
    for n in np.unique(chosen):
        chips = sum(
            pot * met * known.on_flops(n, i, opponent, each)
            for i, pot, met, each in zip(side.number, side.pot, left, held, strict=True)
        )
        own = chosen[game.cards.of_hole] == n
        result[:, own] = ratio(chips, sum(left))[:, own]
    return result + gift[game.cards.of_hole]


def promised(answer: BetAnswer, leaf: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The best continuation of each class at ``leaf``, its value there, and its gifts.

    int64[C], float64[C], float64[C], net chips, by best responses to our rows in the depth-limited
    subgame. A gift is the value of a decision less that of the action taken. The first is the bet
    itself.
    # ASSUME it is below 0 where a class wins by the bet, and then counts against that class: the
    # papers' gifts are 0 or more. No bound holds then class by class; the sum over classes, which
    # the figure measures, is lower.
    """
    top, opponent = answer.trunk, answer.trunk.opponent
    value = answer.response
    gift = answer.without - value[0]
    tree, node = top.part.tree, first_node(top, leaf)
    for before, after in tree.steps(node):
        if tree.seat(before) == opponent:
            gift = gift + value[before] - value[after]
    return value[list(tree.children(node))].argmax(axis=0), value[node], gift


def to_the_end(case: OffTree, iterations: int, progress: Done = quiet) -> np.ndarray:
    """The strategy of ``case`` where the subgame after its bet goes to the end: float64[size].

    No leaf has values: every flop is solved together with the betting before it.
    """
    strategy, (bet,), of_hole = case.strategy.copy(), case.bets, case.game.cards.of_hole
    outside = Alternative(bet.seat, without_bets(case, bet)[of_hole])
    below = learner(case.game, DCFR, bet.child, alternative=outside)
    below.run(iterations, progress=progress).write(strategy)
    return strategy
