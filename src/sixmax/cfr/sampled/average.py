"""UPDATE-STRATEGY of Algorithm 1: the action counters whose shares are the average strategy.

It samples the actions of one player and follows all those of the others. It touches the player's
own decisions alone, so these are threaded beforehand: from each own action to the own decisions
that may come next. They are a small part of the tree.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, uncounted
from sixmax.base.rng import step, stream, unit
from sixmax.betting.tree import Tree, is_decision, n_actions, round_of, seat_of
from sixmax.cfr.regret import sample
from sixmax.cfr.sampled.log import COUNT, pack_visit


class Turns(NamedTuple):
    """The decisions of each player in the counted rounds, threaded by the player's own actions."""

    turn: np.ndarray  # int32[turns, 3]: round, slot and number of actions of a decision
    # int32[actions + 1]: the turns after own action k are ``start[k] … start[k + 1] - 1``
    start: np.ndarray
    # int64[counted, seats]: action a of the decision with slot s has k = base[r, p] + s + a
    base: np.ndarray
    root: np.ndarray  # int64[seats]: the k of having done nothing yet


def turns(tree: Tree, counted: int) -> Turns:
    """Thread the decisions of the first ``counted`` rounds of ``tree``."""
    columns = tree.columns[:counted]
    base = (columns.cumsum() - columns.ravel()).reshape(columns.shape).astype(np.int64)
    root = int(columns.sum()) + np.arange(tree.columns.shape[1], dtype=np.int64)
    head = tree.node[:, 0]
    x = np.flatnonzero(is_decision(head) & (round_of(head) < counted))
    # Of the nodes of a round and seat that share a slot, the first.
    place = (head[x] >> 4 & 255).astype(np.int64) << 32 | tree.node[x, 2]
    x = x[np.sort(np.unique(place, return_index=True)[1])]
    after = _after_kernel(tree.node, tree.parent, x, base, root)
    order = np.argsort(after, kind="stable")
    start = np.searchsorted(after[order], np.arange(columns.sum() + len(root) + 1))
    x = x[order]
    turn = np.stack([round_of(head[x]), tree.node[x, 2], n_actions(head[x])], axis=1)
    return Turns(turn.astype(np.int32), start.astype(np.int32), base, root)


@njit
def _after_kernel(node, parent, decisions, base, root):
    """The own action that each of ``decisions`` comes after."""
    after = np.empty(decisions.size, np.int64)
    for i in range(decisions.size):
        me = seat_of(node[decisions[i], 0])
        after[i] = root[me]
        child = decisions[i]
        x = parent[child]
        while x >= 0:
            head = node[x, 0]
            if seat_of(head) == me:
                after[i] = base[round_of(head), me] + node[x, 2] + child - node[x, 1]
                break
            child, x = x, parent[x]
    return after


@uncounted
def update_strategy(turns, regret, traversal, out, pending):
    """UPDATE-STRATEGY for the player of a Traversal; false where the chunk is too small.

    A draw depends on the stream and the place of the regrets, not on earlier visits. ``pending``
    int64[own decisions in a hand + 1, 2] is scratch.
    """
    me, offset, state = traversal.me, traversal.offset, ~traversal.state
    used, depth = out.used[1], 0
    pending[0, 0], pending[0, 1] = turns.start[turns.root[me]], turns.start[turns.root[me] + 1]
    while depth >= 0:
        i = pending[depth, 0]
        if i == pending[depth, 1]:
            depth -= 1
            continue
        pending[depth, 0] = i + 1
        if used == out.visit.size:
            return False
        r, slot, n = turns.turn[i, 0], turns.turn[i, 1], turns.turn[i, 2]
        at = offset[me, r] + slot
        a = sample(regret, at, n, unit(step(stream(state, np.uint64(at)))))
        out.visit[used] = pack_visit(at + a, COUNT)
        used += 1
        k = turns.base[r, me] + slot + a
        depth += 1
        pending[depth, 0], pending[depth, 1] = turns.start[k], turns.start[k + 1]
    out.used[1] = used
    return True
