"""The value of each action at a decision of a solved subgame, with every hand of its player."""

import numpy as np

from sixmax.betting.tree import seat_of
from sixmax.search.solvers.ranges.game import compatible
from sixmax.search.solvers.ranges.room import PLAY
from sixmax.search.solvers.ranges.solver import (
    LEAST,
    RangeSolver,
    looking,
    reach_to,
    room_of,
    values_at,
)
from sixmax.search.solvers.ranges.tree_parts import ACTIONS, NODE


def action_values(solver: RangeSolver, node: int) -> tuple[np.ndarray, np.ndarray]:
    """Net chips of the actor at ``node``, a decision of round 0, if it takes each action there.

    float64[actions, holes]; the others play the average strategy, and so does the actor later on.
    NaN for holes of no hand, and for one that blocks the whole range of the opponent. Beside it the
    weight of the opponent's hands that go with each hole: float64[holes]. Each action costs a walk
    of the tree.
    """
    game, head = solver.game, int(solver.game.tree.node[node, 0])
    me = game.seats.index(seat_of(head))
    mine, theirs = game.hands[me], game.hands[1 - me]
    rows = game.public.decisions
    n, actions = len(mine.first), int(rows[rows[:, NODE] == node][0, ACTIONS])
    weight = game.range[1 - me] * reach_to(game, solver.strategy(), 1 - me, node)
    chance = compatible(mine, theirs, weight)
    met = chance > LEAST * weight.sum()
    pairs = np.stack([np.full(n, node), np.arange(n)], axis=1).astype(np.int32)
    out, room = np.full((actions, game.layout.buckets[0]), np.nan), room_of(game)
    for action in range(actions):
        fixed = np.zeros((n, int(rows[:, ACTIONS].max())), np.float32)
        fixed[:, action] = 1.0
        here = values_at(game, room, looking(game, solver.total, (pairs, fixed), me, PLAY, node))
        out[action, mine.first[met]] = (here / np.where(met, chance, 1))[met]
    beside = np.zeros(out.shape[1])
    beside[mine.first] = chance
    return out, beside
