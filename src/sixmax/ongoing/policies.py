"""Policies, as all kernels read and play them: arrays with the action in every infoset.

Most policies are *mixed*, as the blueprint is stored: a byte for each action, drawn in proportion;
a row of zeros is played uniformly. Those that always take one action in an infoset are *pure* and
stored in the fewest bits, as continuations are: as bytes each would take 355 MB for a run of
`default` and 83 GB for one of `pluribus`. A policy that ignores the cards has rows for one bucket,
which every bucket reads.

Turns (:mod:`sixmax.cfr.advance`) play one policy in all seats, in its tree or beside it.
"""

from typing import Any, NamedTuple

import numpy as np

from sixmax.base.jit import inlined, read_only, uncounted
from sixmax.base.rng import step, unit
from sixmax.betting.rules import ACTOR, CALL, ROUND
from sixmax.betting.tree import Tree, n_actions, round_of, seat_of
from sixmax.cfr.advance import STOP
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.packed_actions import Bits, bit_layout, read_action
from sixmax.cfr.regret import match
from sixmax.ongoing.translate import follow, real_action, stand


class Policy(NamedTuple):
    """The actions of every infoset.

    The row of an infoset begins at :func:`sixmax.cfr.layout.infoset` of these, with the slot of the
    node: its column of the layout, or its slot of :class:`sixmax.cfr.packed_actions.Bits`.
    """

    pure: bool  # whether the rows are packed actions, not bytes
    table: np.ndarray  # uint8[…]: the rows
    base: np.ndarray  # int64[rounds, seats]: the first byte of (round, seat), or bit where pure
    columns: np.ndarray  # int64[rounds, seats]: from one bucket to the next


class MatchGame(NamedTuple):
    """The game that policies play, and the places of the rows of each node."""

    tree: Tree
    layout: Layout
    bits: Bits


_NO_BITS = Bits(np.empty(0, np.int32), *np.empty((2, 0, 0), np.int64))


class Side(NamedTuple):
    """A policy with the game of its run."""

    game: MatchGame
    policy: Policy


def match_game(tree: Tree, layout: Layout) -> MatchGame:
    """The game of ``tree``, with the buckets of ``layout``."""
    return MatchGame(tree, layout, bit_layout(tree, layout)[0])


def table_game(tree: Tree, layout: Layout) -> MatchGame:
    """The same for policies that mix alone, which takes no time to make."""
    return MatchGame(tree, layout, _NO_BITS)


def mixed(game: Any, table: np.ndarray) -> Policy:
    """The policy ``table`` uint8[layout.size] of ``game``, or of a run: all that has a layout."""
    return Policy(False, read_only(table), game.layout.base, game.layout.columns)


def pure(game: MatchGame, packed: np.ndarray) -> Policy:
    """The policy that takes the ``packed`` actions, uint8[bytes]."""
    return Policy(True, read_only(packed), game.bits.base, game.bits.columns)


@uncounted
def act(policy, game, x, bucket, u):
    """The action of ``policy`` at node ``x`` with ``bucket``, drawn by ``u`` in [0, 1)."""
    head = game.tree.node[x, 0]
    seat, in_round = seat_of(head), round_of(head)
    at = infoset(policy, in_round, seat, bucket, 0)
    return choose(policy.pure, policy.table, at, game, x, u)


@uncounted
def choose(pure, table, at, game, x, u):
    """The action at node ``x`` of the policy whose rows of this bucket begin at ``at``."""
    n = np.int64(n_actions(game.tree.node[x, 0]))
    if pure:
        return read_action(table, at + game.bits.slot[x], n)
    return sample(table, at + game.tree.node[x, 2], n, u)


@uncounted
def sample(policy, at, n, u):
    """An action of the policy row at ``at`` by the uniform number ``u``; uniform if all zero."""
    total = np.int64(0)
    for a in range(n):
        total += policy[at + a]
    left = np.int64(u * total)
    for a in range(n):
        left -= policy[at + a]
        if left < 0:
            return np.int64(a)
    return np.int64(u * n)


@uncounted
def chances(policy, game, x, bucket, out):
    """Fill ``out[:n]`` with the probabilities of the n actions at node ``x``: float64."""
    head = game.tree.node[x, 0]
    n = n_actions(head)
    if policy.pure:
        out[:n] = 0.0
        out[act(policy, game, x, bucket, 0.0)] = 1.0
        return
    seat, in_round = seat_of(head), round_of(head)
    at = infoset(policy, in_round, seat, bucket, 0)
    match(policy.table, at + game.tree.node[x, 2], n, out)


class AllSeats(NamedTuple):
    """A policy in all seats."""

    game: MatchGame
    policy: Policy
    bucket: np.ndarray  # int32[seats, rounds] of the hands dealt
    mine: np.ndarray  # int64[LENGTH]: its hand, which follows beside the tree
    until: int  # the round, in the tree, or the seat, beside it, at which a turn stops; or -1


@inlined
def in_tree(table, x, state):
    """The turn at node ``x``: the action by the next draw of ``state``."""
    head = table.game.tree.node[x, 0]
    seat, in_round = seat_of(head), round_of(head)
    if in_round == table.until:
        return np.int64(STOP), state
    state = step(state)
    bucket = table.bucket[seat, in_round]
    return act(table.policy, table.game, x, bucket, unit(state)), state


@uncounted
def beside_tree(table, real, at):
    """The turn of ``real`` beside the tree; ``at`` is the node and the state of the draws.

    As of players at a table (:class:`sixmax.agents.player.TablePlayer`). One draw chooses the
    action, if the hands have met, and the next translates it.
    """
    x, state = at
    if real[ACTOR] == table.until:
        return np.int64(STOP), (x, state)
    drawn, bucket = step(state), table.bucket[real[ACTOR], real[ROUND]]
    x, met, action = decide(table, x, table.mine, real, bucket, unit(drawn))
    state = drawn if met else state
    return action, followed(table.game.tree, x, table.mine, real, action, state)


@uncounted
def decide(side, x, hand, real, bucket, u):
    """Let the ``hand`` of ``side`` at ``x`` catch up, and choose the real action.

    Returns the node, whether they met, and the action: a call where they did not. ``side`` has a
    game and a policy.
    """
    x, met = stand(side.game.tree, x, hand, real)
    if not met:
        return x, met, np.int64(CALL)
    chosen = act(side.policy, side.game, x, bucket, u)
    return x, met, real_action(side.game.tree, x, hand, real, chosen)


@uncounted
def followed(tree, x, mine, real, action, state):
    """Let ``mine`` at ``x`` follow ``action``, about to be done in ``real``; returns its node.

    And ``state``, that of the draws: translation takes one if the hands have met.
    """
    drawn = step(state)
    x, met = follow(tree, x, mine, real, action, unit(drawn))
    return x, drawn if met else state
