"""A hand played on, in a tree or by the rules beside any tree, and what its end pays.

A *turn* is a kernel that makes the next decision: ``players`` is a tuple of all that it reads,
``state`` changes from decision to decision. One loop in a tree and one beside it are
compiled into all that play hands; traversals have their own.
"""

import numpy as np

from sixmax.base.jit import formula, inlined
from sixmax.betting.rules import ACTOR, BETTING, FOLD, PHASE, apply, payoffs
from sixmax.betting.tree import (
    FOLDED,
    SHOWDOWN,
    is_decision,
    kind_of,
    offers_fold,
    round_of,
    seat_of,
)

STOP = -2  # in the place of an action: go no further


@formula
def advance(node, x, me, turn, players, state):
    """Play on in the tree with ``node`` from node ``x``; returns the last node, and the state.

    ``turn(players, x, state)`` returns the number of the action at decision ``x``, or STOP, and the
    state after it. The last node is a terminal, the decision that stopped, or that at which seat
    ``me`` folds, -1 for nobody.
    """
    while is_decision(node[x, 0]):
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


@inlined
def terminal_value(node, contributed, rank, head, x, me, net):
    """Net chips of the seat ``me``, which has not folded, at the terminal node ``x``.

    ``head`` is the node's; ``rank`` is int[boards, seats]; ``net`` float64[seats] is scratch. Where
    the first round was the last, the mean over the boards: # ASSUME nobody has seen one, and the
    luck of all-in pots is most of the noise in the regrets before the flop; the paper has one.
    """
    if kind_of(head) == FOLDED:
        return np.float64(node[x, 1] - node[x, 2])
    boards = len(rank) if round_of(head) == 0 else 1
    total = 0.0
    for board in range(boards):
        if kind_of(head) == SHOWDOWN:
            total += _even_showdown(node, rank, board, x, me)
        else:
            payoffs(contributed[node[x, 1]], node[x, 3], rank[board], net)
            total += net[me]
    return total / boards


@inlined
def outcome(node, contributed, rank, x, me, net):
    """The same at the end of :func:`advance`: ``x`` is a decision where ``me`` folds."""
    head = node[x, 0]
    if is_decision(head):
        return -np.float64(node[x, 3])
    return terminal_value(node, contributed, rank, head, x, me, net)


@inlined
def _even_showdown(node, rank, board, x, me):
    """Net chips of ``me`` at a showdown of contenders who have put in the same."""
    level, mask = np.float64(node[x, 2]), node[x, 3]
    mine, ties = rank[board, me], 0
    for p in range(rank.shape[1]):
        if mask >> p & 1:
            if rank[board, p] > mine:
                return -level
            ties += rank[board, p] == mine
    return node[x, 1] / ties - level
