"""Turns of a hand that all play by one policy (:mod:`sixmax.cfr.advance`)."""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import inlined, uncounted
from sixmax.base.rng import step, unit
from sixmax.betting.rules import ACTOR, CALL, ROUND
from sixmax.betting.tree import round_of, seat_of
from sixmax.cfr.advance import STOP
from sixmax.ongoing.policies import MatchGame, Policy, act
from sixmax.ongoing.translate import follow, real_action, stand


class AllSeats(NamedTuple):
    """A policy in all seats.

    bucket: int32[seats, rounds] of the hands dealt
    mine: int64[LENGTH], beside the tree: its hand, which follows; in it of no use
    until: the round, in the tree, or the seat, beside it, at which a turn stops; -1 for none
    """

    game: MatchGame
    policy: Policy
    bucket: np.ndarray
    mine: np.ndarray
    until: int


@inlined
def in_tree(table, x, state):
    """The action at node ``x`` by the next draw of ``state``."""
    head = table.game.tree.node[x, 0]
    seat, in_round = seat_of(head), round_of(head)
    if in_round == table.until:
        return np.int64(STOP), state
    state = step(state)
    bucket = table.bucket[seat, in_round]
    return act(table.policy, table.game, x, bucket, unit(state)), state


@uncounted
def beside_tree(table, real, at):
    """The real action where ``at`` is the node and the state of the draws.

    As players of tables do at a table (:class:`sixmax.agents.player.TablePlayer`). A draw chooses
    the action, unless the hands have not met: then it is a call. The next one translates it.
    """
    x, state = at
    if real[ACTOR] == table.until:
        return np.int64(STOP), (x, state)
    tree = table.game.tree
    x, met = stand(tree, x, table.mine, real)
    action = np.int64(CALL)
    if met:
        state = step(state)
        bucket = table.bucket[real[ACTOR], real[ROUND]]
        chosen = act(table.policy, table.game, x, bucket, unit(state))
        action = real_action(tree, x, table.mine, real, chosen)
    return action, followed(tree, x, table.mine, real, action, state)


@uncounted
def followed(tree, x, mine, real, action, state):
    """Let ``mine`` at ``x`` follow ``action``, which is about to be done in ``real``.

    ``state`` is that of the draws, of which translation takes one if they have met. Returns the
    node and ``state``.
    """
    drawn = step(state)
    x, met = follow(tree, x, mine, real, action, unit(drawn))
    return x, drawn if met else state
