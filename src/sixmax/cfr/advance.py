"""A hand played on: in a tree, and by the rules beside any tree.

A *turn* is a kernel that makes the decision that comes next. Its policies, its draws and what it
notes are its own: ``players`` is a tuple of all that it reads, ``state`` what changes from decision
to decision. So one loop serves all that play hands, and is compiled into each of them.
"""

import numpy as np

from sixmax.base.jit import formula
from sixmax.betting.rules import ACTOR, BETTING, FOLD, PHASE, apply
from sixmax.betting.tree import DECISION, kind_of, offers_fold, seat_of

STOP = -2  # in the place of an action: go no further


@formula
def advance(node, x, me, turn, players, state):
    """Play on in the tree with ``node`` from node ``x``; returns the last node, and the state.

    ``turn(players, x, state)`` returns the number of the action at decision ``x``, or STOP, and the
    state after it. The last node is a terminal, the decision that stopped, or that at which seat
    ``me`` folds, -1 for nobody.
    """
    while kind_of(node[x, 0]) == DECISION:
        action, state = turn(players, x, state)
        head = node[x, 0]
        if action == STOP or (action == 0 and offers_fold(head) and seat_of(head) == me):
            break
        x = np.int64(node[x, 1] + action)
    return x, state


@formula
def advance_real(real, me, turn, players, state):
    """Play the hand ``real`` int64[LENGTH] on, to its end; returns the state.

    ``turn(players, real, state)`` returns FOLD, CALL, a raise-to or STOP, and the state after it.
    The hand stands where a turn stopped, or where seat ``me`` is about to fold, -1 for nobody.
    """
    while real[PHASE] == BETTING:
        action, state = turn(players, real, state)
        if action == STOP or (action == FOLD and real[ACTOR] == me):
            break
        apply(real, action)
    return state
