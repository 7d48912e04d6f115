"""The end of a hand that all play by the blueprint, from a public state of the real game on."""

import numpy as np

from sixmax.agents.policies import sample
from sixmax.base.jit import njit
from sixmax.base.rng import step, unit
from sixmax.betting.pots import payoffs
from sixmax.betting.rules import ACTOR, BETTING, CALL, CHIPS, FOLD, FOLDERS, PHASE, contenders
from sixmax.betting.tree import DECISION, kind_of, n_actions, offers_fold, round_of, seat_of
from sixmax.cfr.layout import infoset
from sixmax.cfr.terminal import terminal_value
from sixmax.play.translate import do, real_action, stand


@njit
def taken_by_blueprint(tree, layout, policy, bucket, x, u):
    """The child of decision ``x`` that the blueprint takes with the uniform number ``u``."""
    head = tree.node[x, 0]
    seat, r, n = seat_of(head), round_of(head), n_actions(head)
    at = infoset(layout, r, seat, bucket[seat, r], tree.node[x, 2])
    return np.int64(tree.node[x, 1] + sample(policy, at, n, u))


@njit
def play_out(tree, layout, policy, bucket, rank, x, hands, me, state, net):
    """Net chips of ``me`` when all play the blueprint on, with draws from ``state``.

    ``hands`` int64[2, LENGTH], the real hand and the translated one at node ``x``, are changed;
    ``bucket`` is int32[seats, rounds], ``rank`` int[1, seats], ``net`` float64[seats] scratch.
    """
    real, mine = hands[0], hands[1]
    if real[FOLDERS] >> me & 1:
        return -np.float64(real[CHIPS + me])
    same = True
    for k in range(real.size):
        same = same and real[k] == mine[k]
    if same:
        return _in_the_tree(tree, layout, policy, bucket, rank, x, me, state, net)
    return _beside_it(tree, layout, policy, bucket, rank, x, real, mine, me, state, net)


@njit
def _in_the_tree(tree, layout, policy, bucket, rank, x, me, state, net):
    """The same where the hand has not left the tree, and so never leaves it."""
    while True:
        head = tree.node[x, 0]
        if kind_of(head) != DECISION:
            return terminal_value(tree.node, tree.contributed, rank, head, x, me, net)
        state = step(state)
        taken = taken_by_blueprint(tree, layout, policy, bucket, x, unit(state))
        if seat_of(head) == me and offers_fold(head) and taken == tree.node[x, 1]:
            return -np.float64(tree.node[x, 3])
        x = taken


@njit
def _beside_it(tree, layout, policy, bucket, rank, x, real, mine, me, state, net):
    """The same by translation both ways, as all of the real game follow ``real`` in ``mine``."""
    while real[PHASE] == BETTING:
        x, met = stand(tree, x, mine, real)
        action = np.int64(CALL)
        if met:
            state = step(state)
            taken = taken_by_blueprint(tree, layout, policy, bucket, x, unit(state))
            action = real_action(tree, x, mine, real, taken - tree.node[x, 1])
            if action == FOLD and real[ACTOR] == me:
                return -np.float64(real[CHIPS + me])
        x, state = do(tree, x, mine, real, action, state)
    payoffs(real[CHIPS : CHIPS + net.size], contenders(real), rank[0], net)
    return net[me]
