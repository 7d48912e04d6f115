"""Net chips of a traverser where a hand ends."""

import numpy as np

from sixmax.base.jit import inlined
from sixmax.betting.pots import payoffs
from sixmax.betting.tree import DECISION, FOLDED, SHOWDOWN, kind_of, round_of


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
    """The same at node ``x`` where ``me`` may have folded: then it is that decision.

    So :func:`sixmax.cfr.advance.advance` leaves it.
    """
    head = node[x, 0]
    if kind_of(head) == DECISION:
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
