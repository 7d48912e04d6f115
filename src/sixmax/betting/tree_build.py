"""Builds betting trees: a walk that writes node by node into the arrays of a ``Tree``."""

from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit
from sixmax.betting import leaf_choices, rules
from sixmax.betting.config import GameConfig
from sixmax.betting.sizing import Sizes, insert, sizes
from sixmax.betting.tree import DECISION, FOLDED, SIDEPOTS, Tree, pack_head, tree_of
from sixmax.betting.tree_count import Counts, actions_at, count, scratch, terminal_kind

INT32_MAX = 2**31 - 1


class Scope(NamedTuple):
    """The part of a hand that a tree shows. Rounds and raises are counted from its root."""

    rounds: int  # a leaf is where so many rounds are over and there is betting to come
    raises: int  # and right after so many raises in the first round
    taken: np.ndarray  # int64[…]: actions from the root, added where they are not offered
    folded: int  # bit mask of seats that fold at once wherever they depart from ``taken``
    choices: int = leaf_choices.CHOICES  # continuations to choose from at a leaf
    choosers: int = leaf_choices.ALL_SEATS  # mask of those that choose, if they have chips left


WHOLE = Scope(1 << 30, 1 << 30, np.empty(0, np.int64), 0)


def build(game: GameConfig) -> Tree:
    """Build the tree of ``game``. Raises UserError when it does not fit the packed records."""
    counts = count(game)
    _check_fits(counts)
    tree, states = _empty(counts.nodes, counts.rows, counts.columns.shape), scratch(game)
    states[0] = rules.begin(game)
    grown = _walk_kernel(states, sizes(game), WHOLE, tree)
    assert grown == (counts.nodes, counts.rows), "the count of the tree is wrong"
    return tree_of(*tree)


def build_from(hand: np.ndarray, offered: Sizes, scope: Scope, most: int = INT32_MAX) -> Tree:
    """Build the tree from ``hand`` int64[LENGTH] on, which is at the start of a betting round.

    ``offered`` has a row for each round of the game; that of ``hand`` is round 0 of the tree.
    Raises UserError for more than ``most`` nodes, and for too many continuations.
    """
    leaf_choices.check_choices(scope.choices, int(hand[rules.SEATS]))
    first, seats = int(hand[rules.ROUND]), int(hand[rules.SEATS])
    offered = Sizes(*(np.ascontiguousarray(a[first:]) for a in offered))
    rounds = min(len(offered.offer), scope.rounds)
    in_a_round = 1 + offered.offer.shape[1] + len(scope.taken)  # raises that all answer
    states = np.empty((seats * in_a_round * len(offered.offer) + 1, rules.LENGTH), np.int64)
    room = min(1 << 12, most)
    while True:
        tree = _empty(room, room, (rounds, seats))
        states[0] = hand  # as if its round were the first
        states[0, rules.ROUND], states[0, rules.ROUNDS] = 0, hand[rules.ROUNDS] - first
        states[0, rules.FIRST] = hand[rules.FIRST] >> 4 * first
        nodes, rows = _walk_kernel(states, offered, scope, tree)
        if nodes <= room:
            break
        if room >= most:
            raise UserError(
                f"the betting tree has more than {most:,} nodes; offer fewer sizes, or none with "
                "so many players left"
            )
        room = min(4 * room, most)
    by_node = (array[:nodes].copy() for array in tree[:3])
    return tree_of(*by_node, tree.contributed[:rows].copy(), *tree[4:])


def _empty(nodes: int, rows: int, columns: tuple[int, int]) -> Tree:
    """Room for a tree of so many rounds and seats; ``columns`` and ``decisions`` are zero."""
    shapes = ((nodes, 4), (nodes,), (nodes,), (rows, columns[1]))
    arrays = [np.empty(shape, dtype=np.int32) for shape in shapes]
    return Tree(*arrays, np.zeros(columns, np.int64), np.zeros(columns[0], np.int64))


def _check_fits(counts: Counts) -> None:
    if max(counts.nodes, int(counts.columns.max())) > INT32_MAX:
        raise UserError(
            f"game.rounds: the betting tree has {counts.nodes:,} nodes, wanted fewer than "
            f"{INT32_MAX + 1:,}; offer fewer sizes or lower max_raises or max_players"
        )


@njit
def _walk_kernel(states, sizes, scope, tree):
    """Write the tree that starts with the hand ``states[0]``, depth first, into ``tree``.

    Row d of ``states`` int64[longest path + 1, LENGTH] is scratch for the hand at depth d. Returns
    the numbers of nodes and of rows of ``contributed``; where the arrays are too small, more nodes
    than there is room for, and then the tree is of no use.
    """
    node, parent, action, contributed, columns, decisions = tree
    taken = scope.taken
    width = sizes.offer.shape[2] + 3
    todo = np.empty((states.shape[0] * width, 4), dtype=np.int64)  # node, action, depth, on path
    actions = np.empty(width, dtype=np.int64)
    chips, slots = np.empty((2, columns.shape[1]), dtype=np.int64)
    todo[0, 0] = todo[0, 2] = 0
    todo[0, 3] = 1
    top = nodes = 1
    rows = 0
    parent[0], action[0] = -1, rules.CALL
    while top > 0:
        top -= 1
        at, depth, on_path = todo[top, 0], todo[top, 2], todo[top, 3]
        hand = states[depth]
        if at > 0:
            for k in range(rules.LENGTH):
                hand[k] = states[depth - 1, k]
            rules.apply(hand, todo[top, 1])
        if hand[rules.PHASE] != rules.BETTING:
            rows += _write_terminal(hand, at, node, contributed, rows, chips)
            continue
        if at > 0 and _is_leaf(hand, states[depth - 1], scope):
            mask, last = _choosers(hand, scope), states[depth - 1, rules.ROUND]
            room = nodes + leaf_choices.choice_nodes(mask, scope.choices)
            if room > node.shape[0]:
                return room, rows
            for seat in range(chips.size):
                chips[seat], slots[seat] = hand[rules.CHIPS + seat], -1
            contributed[rows] = chips
            choices = leaf_choices.Choices(mask, scope.choices, last, rows, chips)
            nodes = leaf_choices.write_choices(tree, choices, at, nodes, slots)
            rows += 1
            continue
        n = _actions_in_scope(sizes, scope, hand, depth, on_path, actions)
        if nodes + n > node.shape[0]:
            return nodes + n, rows
        player, in_round = hand[rules.ACTOR], hand[rules.ROUND]
        node[at, 0] = pack_head(DECISION, player, in_round, n, actions[0] == rules.FOLD)
        node[at, 1], node[at, 2] = nodes, columns[in_round, player]
        node[at, 3] = hand[rules.CHIPS + player]
        for a in range(n):
            parent[nodes + a], action[nodes + a] = at, actions[a]
        for a in range(n - 1, -1, -1):
            todo[top, 0], todo[top, 1], todo[top, 2] = nodes + a, actions[a], depth + 1
            todo[top, 3] = on_path and depth < taken.size and actions[a] == taken[depth]
            top += 1
        nodes += n
        columns[in_round, player] += n
        decisions[in_round] += 1
    return nodes, rows


@njit
def _actions_in_scope(sizes, scope, hand, depth, on_path, out):
    """Write the actions at a decision into ``out``; return their number.

    On the path of ``scope.taken`` the one that was taken is among them. A seat of ``scope.folded``
    repeats its actions, and folds (or checks) elsewhere.
    """
    gone = scope.folded >> hand[rules.ACTOR] & 1
    wanted = on_path and depth < scope.taken.size
    if gone:
        out[0] = (
            rules.CALL if hand[rules.CHIPS + hand[rules.ACTOR]] >= hand[rules.HIGH] else rules.FOLD
        )
        if wanted:
            out[0] = scope.taken[depth]
        return 1
    n = actions_at(sizes, hand, out)
    return insert(out, 0, n, scope.taken[depth]) if wanted else n


@njit
def _is_leaf(hand, before, scope):
    """Whether the hand, one action after ``before``, is beyond the scope."""
    if hand[rules.ROUND] >= scope.rounds:
        return True
    raised = hand[rules.ROUND] == 0 and hand[rules.RAISES] > before[rules.RAISES]
    return raised and hand[rules.RAISES] >= scope.raises


@njit
def _choosers(hand, scope):
    """Mask of the seats that choose at a leaf: those of the scope who have chips left."""
    mask = 0
    for seat in range(hand[rules.SEATS]):
        if (
            rules.contenders(hand) >> seat & 1
            and hand[rules.CHIPS + seat] < hand[rules.STACKS + seat]
        ):
            mask |= 1 << seat
    return mask & scope.choosers


@njit
def _write_terminal(hand, at, node, contributed, row, chips):
    """Write the record of terminal ``at``; returns 1 if that took a row of ``contributed``."""
    kind, mask, player = terminal_kind(hand, chips), rules.contenders(hand), 0
    while mask >> player & 1 == 0:
        player += 1
    winner = player if kind == FOLDED else 0
    node[at, 0] = pack_head(kind, winner, hand[rules.ROUND], 0, False)
    node[at, 1], node[at, 2], node[at, 3] = chips.sum(), chips[player], mask
    if kind == FOLDED:
        node[at, 3] = 0
    elif kind == SIDEPOTS:
        node[at, 1], node[at, 2] = row, 0
        for seat in range(chips.size):
            contributed[row, seat] = chips[seat]
    return kind == SIDEPOTS
