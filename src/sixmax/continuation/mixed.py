"""Roll-outs of continuations that mix: each deal draws its actions anew.

A packed continuation has one action at each infoset, drawn once. So it is another strategy than
the one that it stands for, and more deals do not bring its values nearer (docs/results/modicum.md).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import inlined, read_only, uncounted
from sixmax.base.rng import stream, unit
from sixmax.betting.tree import is_decision, n_actions, round_of, seat_of
from sixmax.blueprint.run import Run
from sixmax.cfr.advance import advance, outcome
from sixmax.cfr.layout import Layout, infoset
from sixmax.continuation.compress import draw
from sixmax.continuation.generate import Continuation, leads, weigh


class Mixing(NamedTuple):
    """Room for a roll-out."""

    net: np.ndarray  # float64[seats]
    weight: np.ndarray  # float64[MAX_ACTIONS]


class MixedPlay(NamedTuple):
    """Continuations and the tree in which they are played."""

    node: np.ndarray  # of :class:`sixmax.betting.tree.Tree`, as the next
    contributed: np.ndarray
    lead: np.ndarray  # uint8[nodes]: of decisions (:func:`sixmax.continuation.generate.leads`)
    layout: Layout  # of the policies
    policy: np.ndarray  # uint8 or float64[policies, entries]
    of: np.ndarray  # int64[continuations]: the policy of each
    kind: np.ndarray  # int64[continuations]: the kind of action that it leans to
    factor: np.ndarray  # float64[continuations]: by how much


def mixed_play(run: Run, continuations: Sequence[Continuation]) -> MixedPlay:
    """``continuations`` of ``run``, ready for roll-outs; a policy that several share stays one."""
    policies = list({id(c.policy): c.policy for c in continuations}.values())
    of = [next(i for i, p in enumerate(policies) if p is c.policy) for c in continuations]
    policy = policies[0][None] if len(policies) == 1 else np.stack(policies)
    head = run.tree.node[:, 0]
    decisions, lead = np.flatnonzero(is_decision(head)), np.zeros(len(head), np.uint8)
    lead[decisions] = leads(run.tree, decisions, n_actions(head[decisions]))
    kind, factor = np.array([c.kind for c in continuations]), [c.factor for c in continuations]
    return MixedPlay(
        run.tree.node, run.tree.contributed, lead, run.layout, read_only(policy), np.array(of),
        kind, np.array(factor, np.float64),
    )  # fmt: skip


@uncounted
def roll_out(mixed, x, chosen, deal, seed, scratch):
    """Net chips of seat 0 where play from node ``x`` of the tree ends.

    ``chosen`` int64[seats] are the continuations, ``deal`` is a LeafDeal
    (:mod:`sixmax.cfr.sampled.leaves`). A node has one draw under ``seed``, whatever the way there,
    so that the luck of draws is shared by leaves. ``scratch`` is a Mixing.
    """
    players = mixed, chosen, deal.future, scratch.weight
    x, _ = advance(mixed.node, x, 0, _turn, players, seed)
    return outcome(mixed.node, mixed.contributed, deal.rank, x, 0, scratch.net)


@inlined
def _turn(players, x, seed):
    """The action at ``x`` by its own draw."""
    mixed, chosen, future, weight = players
    head = mixed.node[x, 0]
    seat, r, n = seat_of(head), round_of(head), np.int64(n_actions(head))
    at, c = infoset(mixed.layout, r, seat, future[seat, r], mixed.node[x, 2]), chosen[seat]
    row = mixed.policy[mixed.of[c], at : at + n]
    total = weigh(row, mixed.lead[x], mixed.kind[c], mixed.factor[c], weight)
    same = seed  # a number: there is nothing to count
    return draw(weight, n, total * unit(stream(seed, np.uint64(x)))), same
