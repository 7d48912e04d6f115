"""Values of hands by the strategies of a RangeSolver, and their means over its iterations."""

import numpy as np

from sixmax.search.solvers.ranges.game import compatible, facing, reach_to
from sixmax.search.solvers.ranges.part_walk import BEST, PLAY
from sixmax.search.solvers.ranges.solver import LEAST, RangeSolver, values_at
from sixmax.search.solvers.ranges.tree_parts import ACTIONS, NODE


def values_by_hole(solver: RangeSolver, seats: int, node: int, best: bool) -> np.ndarray:
    """``values_at`` of a Solution, by a pass for each player over all boards.

    NaN also for holes of no hand, and for a hand that blocks the whole range of the opponent.
    """
    game, mode = solver.game, BEST if best else PLAY
    values = np.full((seats, game.layout.buckets[0]), np.nan)
    for me in (0, 1):
        if solver.safe_from in (None, game.seats[me]):
            chance, met = _facing(solver, me, node)
            here = values_at(game, solver.total, solver.frozen, me, mode, node)
            here = here / np.where(met, chance, 1)
            values[game.seats[me], game.hands[me].first[met]] = here[met]
    return values


def action_values(solver: RangeSolver, node: int) -> tuple[np.ndarray, np.ndarray]:
    """Net chips of the actor at ``node``, a decision of round 0, if it takes each action there.

    float64[actions, holes]; the others play the average strategy, and so does the actor later on.
    NaN as in :func:`values_by_hole`. Beside it the weight of the opponent's hands that go with each
    hole: float64[holes]. Each action costs a walk of the tree.
    """
    game, rows = solver.game, solver.game.public.decisions
    me = game.seats.index(game.tree.seat(node))
    hole, (chance, met) = game.hands[me].first, _facing(solver, me, node)
    actions = int(rows[rows[:, NODE] == node][0, ACTIONS])
    pairs = np.stack([np.full(len(hole), node), np.arange(len(hole))], axis=1).astype(np.int32)
    out = np.full((actions, game.layout.buckets[0]), np.nan)
    for action in range(actions):
        fixed = np.zeros((len(hole), int(rows[:, ACTIONS].max())), np.float32)
        fixed[:, action] = 1.0
        both = (np.concatenate(of) for of in zip(solver.frozen, (pairs, fixed), strict=True))
        here = values_at(game, solver.total, tuple(both), me, PLAY, node)
        out[action, hole[met]] = (here / np.where(met, chance, 1))[met]
    beside = np.zeros(out.shape[1])
    beside[hole] = chance
    return out, beside


def mean_values(
    solver: RangeSolver, player: int, node: int, place: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The values of ``player`` at a decision over the iterations, on the board of ``place``.

    Those of :meth:`RangeSolver.sum_values`: the holes [n], the sums of values, in net chips, and
    of the weights of the other's hands that they are against: float64[n] each. An iteration weighs
    as in the average strategy, and by the other's reach.
    """
    game, (number, rows, values, reaches) = solver.game, solver.summed
    r, parts = game.tree.round(node), []
    for of, table in ((player, values), (1 - player, reaches)):
        begin, end = game.hands[of].begin[place : place + 2]
        first = rows[r, of] + begin * rows[r, 2] + number[node] * (end - begin)
        parts.append(table[first : first + end - begin].astype(np.float64))
    mine, (value, reach) = game.hands[player], parts
    hole = mine.hole[slice(*mine.begin[place : place + 2])]
    if r == 0:
        return hole, value, facing(game, player, reach)
    return hole, value, compatible(mine, game.hands[1 - player], reach, place)


def _facing(solver: RangeSolver, me: int, node: int) -> tuple[np.ndarray, np.ndarray]:
    """The opponent's weight at ``node`` that goes with each hand, and whether there is any."""
    game = solver.game
    weight = game.range[1 - me] * reach_to(game, solver.strategy(), 1 - me, node)
    chance = facing(game, me, weight)
    return chance, chance > LEAST * weight.sum()
