"""An agent is a policy: arrays with its action in every infoset, read by all kernels alike.

Most policies are *mixed*, as the blueprint is stored: a byte for each action, drawn in proportion;
a row of zeros is played uniformly. Those that always take one action in an infoset are *pure* and
stored in the fewest bits, as continuations are: as bytes each would take 355 MB for a run of
`default` and 83 GB for one of `pluribus`. A policy that ignores the cards
has rows for one bucket, which every bucket reads.
"""

from typing import Any, NamedTuple

import numpy as np

from sixmax.base.jit import read_only, uncounted
from sixmax.betting.tree import Tree, n_actions, round_of, seat_of
from sixmax.cfr.layout import Layout, infoset
from sixmax.cfr.packed_actions import Bits, bit_layout, read_action
from sixmax.cfr.policy import probabilities


class Policy(NamedTuple):
    """The actions at node x in round r, seat p, with bucket b.

    pure: bool                     whether the rows are packed actions, not bytes
    table: uint8[…]                the rows
    base: int64[rounds, seats]     where those of (round, seat) begin: a byte, or a bit where `pure`
    columns: int64[rounds, seats]  from one bucket to the next

    The row of an infoset begins at :func:`sixmax.cfr.layout.infoset` of these, with the slot of the
    node: its column of the layout, or its slot of :class:`sixmax.cfr.packed_actions.Bits`.
    """

    pure: bool
    table: np.ndarray
    base: np.ndarray
    columns: np.ndarray


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
    """The policy ``table`` uint8[layout.size], with a byte for each action.

    ``game`` is a MatchGame, a run or whatever else has a ``layout``.
    """
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
    probabilities(policy.table, at + game.tree.node[x, 2], n, out)
