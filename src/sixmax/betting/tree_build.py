"""Builds betting trees: a walk that writes node by node into the arrays of a ``Tree``."""

from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.betting.config import GameConfig
from sixmax.betting.leaf_choices import (
    ALL_SEATS,
    CHOICES,
    Choices,
    Growing,
    check_choices,
    choice_nodes,
    write_choices,
)
from sixmax.betting.rules import (
    ACTOR,
    BETTING,
    CALL,
    CHIPS,
    FIRST,
    FOLD,
    HIGH,
    LENGTH,
    PHASE,
    RAISES,
    ROUND,
    ROUNDS,
    SEATS,
    STACKS,
    apply,
    begin,
    contenders,
)
from sixmax.betting.sizing import Sizes, insert, sizes
from sixmax.betting.tree import (
    DECISION,
    FOLDED,
    SIDEPOTS,
    Tree,
    kind_of,
    pack_head,
    round_of,
    tree_of,
)
from sixmax.betting.tree_count import Counts, actions_at, count, scratch, terminal_kind

INT32_MAX = 2**31 - 1


class Scope(NamedTuple):
    """The part of a hand that a tree shows. Rounds and raises are counted from its root."""

    rounds: int  # a leaf is where so many rounds are over and there is betting to come
    raises: int  # and right after so many raises in the first round
    taken: np.ndarray  # int64[…]: actions from the root, added where they are not offered
    folded: int  # bit mask of seats that fold at once wherever they depart from ``taken``
    choices: int = CHOICES  # continuations to choose from at a leaf
    choosers: int = ALL_SEATS  # bit mask of the seats that choose there, if they have chips left


WHOLE = Scope(1 << 30, 1 << 30, np.empty(0, np.int64), 0)


def build(game: GameConfig) -> Tree:
    """Build the tree of ``game``. Raises UserError when it does not fit the packed records."""
    counts = count(game)
    _check_fits(counts)
    arrays = _empty(counts.nodes, counts.rows, game.seats)
    columns, states = np.zeros_like(counts.columns), scratch(game)
    states[0] = begin(game)
    nodes, rows = walk(states, sizes(game), WHOLE, Growing(*arrays, columns))
    assert (nodes, rows) == (counts.nodes, counts.rows), "the count of the tree is wrong"
    return tree_of(*arrays, columns, counts.decisions.sum(axis=1))


def build_from(hand: np.ndarray, offered: Sizes, scope: Scope, most: int = INT32_MAX) -> Tree:
    """Build the tree from ``hand`` int64[LENGTH] on, which is at the start of a betting round.

    ``offered`` has a row for each round of the game. The tree has the rounds from that of ``hand``
    on, the first as 0, as many as ``scope`` lets it have. Raises UserError where there are more
    than ``most`` nodes, and for more continuations than a record holds.
    """
    check_choices(scope.choices, int(hand[SEATS]))
    first, seats = int(hand[ROUND]), int(hand[SEATS])
    offered = Sizes(*(np.ascontiguousarray(a[first:]) for a in offered))
    rounds = min(len(offered.offer), scope.rounds)
    states = np.empty((_longest(hand, offered, scope), LENGTH), np.int64)
    room = min(1 << 12, most)
    while True:
        arrays, columns = _empty(room, room, seats), np.zeros((rounds, seats), np.int64)
        states[0] = from_here(hand)
        nodes, rows = walk(states, offered, scope, Growing(*arrays, columns))
        if nodes <= room:
            break
        if room >= most:
            raise UserError(
                f"the betting tree has more than {most:,} nodes; offer fewer sizes, or none with "
                "so many players left"
            )
        room = min(4 * room, most)
    node, parent, action, contributed = arrays
    cut = (a[:nodes].copy() for a in (node, parent, action))
    decisions = decisions_by_round(node[:nodes], rounds)
    return tree_of(*cut, contributed[:rows].copy(), columns, decisions)


def decisions_by_round(node: np.ndarray, rounds: int) -> np.ndarray:
    """The number of decisions among ``node`` int32[nodes, 4] in each round: int64[rounds]."""
    heads = node[:, 0]
    return np.bincount(round_of(heads[kind_of(heads) == DECISION]), minlength=rounds)


def from_here(hand: np.ndarray) -> np.ndarray:
    """``hand``, at the start of a betting round, as if that were the first: int64[LENGTH]."""
    first, later = int(hand[ROUND]), hand.copy()
    later[ROUND], later[ROUNDS] = 0, hand[ROUNDS] - first
    later[FIRST] = hand[FIRST] >> 4 * first
    return later


def _longest(hand: np.ndarray, offered: Sizes, scope: Scope) -> int:
    """The most nodes on a path: every raise is answered by all."""
    in_a_round = 1 + offered.offer.shape[1] + len(scope.taken)
    return int(hand[SEATS]) * in_a_round * len(offered.offer) + 1


def _empty(nodes: int, rows: int, seats: int) -> list[np.ndarray]:
    shapes = ((nodes, 4), (nodes,), (nodes,), (rows, seats))
    return [np.empty(shape, dtype=np.int32) for shape in shapes]


def _check_fits(counts: Counts) -> None:
    largest = max(counts.nodes, int(counts.columns.max()))
    if largest > INT32_MAX:
        raise UserError(
            f"game.rounds: the betting tree has {counts.nodes:,} nodes, wanted fewer than "
            f"{INT32_MAX + 1:,}; offer fewer sizes or lower max_raises or max_players"
        )


@njit
def walk(states, sizes, scope, tree):
    """Write the tree that starts with the hand ``states[0]``, depth first.

    ``states`` is scratch, int64[longest path + 1, LENGTH]: row d holds the hand at depth d of the
    path to the node at work. The ``tree`` is Growing; its ``columns`` must be zero. Returns
    the numbers of nodes and of rows of ``contributed``; the nodes are more than there is room for
    where the arrays were too small, and then they are of no use.
    """
    node, parent, action, contributed, columns = tree
    taken = scope.taken
    width = sizes.offer.shape[2] + 3
    todo = np.empty((states.shape[0] * width, 4), dtype=np.int64)  # node, action, depth, on path
    actions = np.empty(width, dtype=np.int64)
    chips, slots = np.empty((2, columns.shape[1]), dtype=np.int64)
    todo[0, 0] = todo[0, 2] = 0
    todo[0, 3] = 1
    top = nodes = 1
    rows = 0
    parent[0], action[0] = -1, CALL
    while top > 0:
        top -= 1
        at, depth, on_path = todo[top, 0], todo[top, 2], todo[top, 3]
        hand = states[depth]
        if at > 0:
            for k in range(LENGTH):
                hand[k] = states[depth - 1, k]
            apply(hand, todo[top, 1])
        if hand[PHASE] != BETTING:
            rows += _write_terminal(hand, at, node, contributed, rows, chips)
            continue
        if at > 0 and _is_leaf(hand, states[depth - 1], scope):
            mask, last = _choosers(hand, scope), states[depth - 1, ROUND]
            room = nodes + choice_nodes(mask, scope.choices)
            if room > node.shape[0]:
                return room, rows
            for seat in range(chips.size):
                chips[seat], slots[seat] = hand[CHIPS + seat], -1
            contributed[rows] = chips
            choices = Choices(mask, scope.choices, last, rows, chips)
            nodes = write_choices(tree, choices, at, nodes, slots)
            rows += 1
            continue
        n = _actions_in_scope(sizes, scope, hand, depth, on_path, actions)
        if nodes + n > node.shape[0]:
            return nodes + n, rows
        player, in_round = hand[ACTOR], hand[ROUND]
        node[at, 0] = pack_head(DECISION, player, in_round, n, actions[0] == FOLD)
        node[at, 1], node[at, 2] = nodes, columns[in_round, player]
        node[at, 3] = hand[CHIPS + player]
        for a in range(n):
            parent[nodes + a], action[nodes + a] = at, actions[a]
        for a in range(n - 1, -1, -1):
            todo[top, 0], todo[top, 1], todo[top, 2] = nodes + a, actions[a], depth + 1
            todo[top, 3] = on_path and depth < taken.size and actions[a] == taken[depth]
            top += 1
        nodes += n
        columns[in_round, player] += n
    return nodes, rows


@njit
def _actions_in_scope(sizes, scope, hand, depth, on_path, out):
    """Write the actions at a decision into ``out``; return their number.

    Those of :func:`actions_at` and, on the path of ``scope.taken``, the one that was taken. A seat
    of ``scope.folded`` only repeats its actions, and folds (or checks) elsewhere.
    """
    gone = scope.folded >> hand[ACTOR] & 1
    wanted = on_path and depth < scope.taken.size
    if gone:
        out[0] = CALL if hand[CHIPS + hand[ACTOR]] >= hand[HIGH] else FOLD
        if wanted:
            out[0] = scope.taken[depth]
        return 1
    n = actions_at(sizes, hand, out)
    return insert(out, 0, n, scope.taken[depth]) if wanted else n


@njit
def _is_leaf(hand, before, scope):
    """Whether the hand, in which an action has just led on from ``before``, is beyond the scope."""
    if hand[ROUND] >= scope.rounds:
        return True
    raised = hand[ROUND] == 0 and hand[RAISES] > before[RAISES]
    return raised and hand[RAISES] >= scope.raises


@njit
def _choosers(hand, scope):
    """Mask of the seats that choose at a leaf: those of the scope who have chips left."""
    mask, seats = 0, hand[SEATS]
    for seat in range(seats):
        if contenders(hand) >> seat & 1 and hand[CHIPS + seat] < hand[STACKS + seat]:
            mask |= 1 << seat
    return mask & scope.choosers


@njit
def _write_terminal(hand, at, node, contributed, row, chips):
    """Write the record of terminal ``at``; returns 1 if that took a row of ``contributed``."""
    kind, mask, player = terminal_kind(hand, chips), contenders(hand), 0
    while mask >> player & 1 == 0:
        player += 1
    winner = player if kind == FOLDED else 0
    node[at, 0] = pack_head(kind, winner, hand[ROUND], 0, False)
    node[at, 1], node[at, 2], node[at, 3] = chips.sum(), chips[player], mask
    if kind == FOLDED:
        node[at, 3] = 0
    elif kind == SIDEPOTS:
        node[at, 1], node[at, 2] = row, 0
        for seat in range(chips.size):
            contributed[row, seat] = chips[seat]
    return kind == SIDEPOTS
