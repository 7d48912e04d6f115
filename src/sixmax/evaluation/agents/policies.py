"""An agent is a policy: arrays with its action in every infoset, read by all kernels alike.

Most policies are *mixed*, as the blueprint is stored: a byte for each action, drawn in proportion;
a row of zeros is played uniformly. Those that always take one action in an infoset are *pure* and
stored in the fewest bits, as continuations are: as bytes each would take 355 MB for a run of
`default` and 83 GB for one of `pluribus`. A policy that ignores the cards
has rows for one bucket, which every bucket reads.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.cfr.layout import Layout
from sixmax.cfr.packed_actions import Bits, bit_layout, read_action
from sixmax.cfr.policy import probabilities
from sixmax.game.rules import CALL
from sixmax.game.tree import DECISION, Tree, kind_of, n_actions, offers_fold, round_of, seat_of
from sixmax.jit import read_only, uncounted


class Policy(NamedTuple):
    """The actions at node x in round r, seat p, with bucket b.

    pure: bool                  whether the rows are packed actions, not bytes
    table: uint8[…]             the rows
    base: int64[rounds, seats]  where those of (round, seat) begin: a byte, or a bit where `pure`
    step: int64[rounds, seats]  from one bucket to the next

    The row of an infoset begins at ``base[r, p] + b * step[r, p] +`` the slot of the node: its
    column of the layout, or its slot of :class:`sixmax.cfr.packed_actions.Bits` where `pure`.
    """

    pure: bool
    table: np.ndarray
    base: np.ndarray
    step: np.ndarray


class MatchGame(NamedTuple):
    """The game that policies play, and the places of the rows of each node."""

    tree: Tree
    layout: Layout
    bits: Bits


def match_game(tree: Tree, layout: Layout) -> MatchGame:
    """The game of ``tree``, with the buckets of ``layout``."""
    return MatchGame(tree, layout, bit_layout(tree, layout)[0])


def mixed(game: MatchGame, table: np.ndarray) -> Policy:
    """The policy with a byte for each action: uint8[layout.size]."""
    return Policy(False, read_only(table), game.layout.base, game.layout.columns)


def pure(game: MatchGame, packed: np.ndarray) -> Policy:
    """The policy that takes the ``packed`` actions, uint8[bytes]."""
    return Policy(True, read_only(packed), game.bits.base, game.bits.slab)


def uniform(game: MatchGame) -> Policy:
    """Every action of the tree is as likely as any other."""
    columns = game.tree.columns
    nowhere = np.zeros(columns.shape, np.int64)
    return Policy(False, read_only(np.zeros(columns.max(), np.uint8)), nowhere, nowhere)


def calling(game: MatchGame) -> Policy:
    """Checks and calls. Folds where the tree offers no call: a limp of others than the blinds."""
    return _always(game, lambda fold, call: fold & call)


def folding(game: MatchGame) -> Policy:
    """Folds where it may, else checks."""
    return _always(game, lambda fold, call: np.zeros_like(fold))


def _always(game: MatchGame, choice: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> Policy:
    """The policy that takes action ``choice(fold, call)`` at every node, whatever its cards.

    ``fold`` and ``call``, bool[nodes], say where there is a fold, and a check or call.
    """
    node, columns = game.tree.node, game.tree.columns
    node = node[kind_of(node[:, 0]) == DECISION]
    fold = offers_fold(node[:, 0]).astype(bool)
    call = game.tree.action[node[:, 1] + fold] == CALL
    base = np.cumsum(columns).reshape(columns.shape) - columns
    row = base[round_of(node[:, 0]), seat_of(node[:, 0])] + node[:, 2]
    table = np.zeros(columns.sum(), np.uint8)
    table[row + choice(fold, call)] = 255
    return Policy(False, read_only(table), base.astype(np.int64), np.zeros_like(base, np.int64))


@uncounted
def act(policy, game, x, bucket, u):
    """The action of ``policy`` at node ``x`` with ``bucket``, drawn by ``u`` in [0, 1)."""
    head = game.tree.node[x, 0]
    seat, in_round = seat_of(head), round_of(head)
    at = policy.base[in_round, seat] + bucket * policy.step[in_round, seat]
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
    at = policy.base[in_round, seat] + bucket * policy.step[in_round, seat]
    probabilities(policy.table, at + game.tree.node[x, 2], n, out)
