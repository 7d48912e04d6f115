"""UPDATE-STRATEGY of Algorithm 1: the action counters whose shares are the average strategy."""

from sixmax.cfr.regret import sample
from sixmax.game.tree import DECISION, FOLDABLE
from sixmax.jit import njit
from sixmax.rng import step, unit


@njit
def update_strategy(tree, regret, offset, me, state, counted, out, c, stack):
    """UPDATE-STRATEGY for ``me``: sample own actions, follow all of the others', count own.

    Only in the first ``counted`` rounds. Returns false where the log was too small.
    """
    node = tree.node
    stack[0] = 0
    size, used = 1, out.used[c, 1]
    while size > 0:
        size -= 1
        x = stack[size]
        head = node[x, 0]
        if head & 15 != DECISION or head >> 8 & 15 >= counted:
            continue
        seat, n = head >> 4 & 15, head >> 12 & 255
        if seat == me:
            at = offset[seat, head >> 8 & 15] + node[x, 2]
            state = step(state)
            a = sample(regret, at, n, unit(state))
            if used == out.visit.shape[1]:
                return False
            out.visit[c, used] = at + a
            used += 1
            if not (a == 0 and head & FOLDABLE):
                stack[size] = node[x, 1] + a
                size += 1
        else:
            for a in range(n):
                stack[size] = node[x, 1] + a
                size += 1
    out.used[c, 1] = used
    return True
