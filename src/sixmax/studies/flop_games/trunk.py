"""Depth-limited solving of the first round: one player's leaves have several values.

A trunk is the betting before the flop from some node on. At a leaf the opponent chooses one of
several continuations, an action with a row for each leaf and class: it cannot choose by cards that
it does not see (Brown, Sandholm and Amos 2018, section 4).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit
from sixmax.betting.tree import LEAF, is_decision, kind_of, n_actions
from sixmax.betting.tree_cut import Cut, cut
from sixmax.cfr.full.public_tree import down, learn, match, respond, up
from sixmax.cfr.gadget import Gadget, choose, no_gadget
from sixmax.cfr.layout import entries
from sixmax.cfr.methods import CFR_PLUS, Method
from sixmax.cfr.regret import new_tables
from sixmax.studies.flop_games.flop_parts import learn_flops
from sixmax.studies.flop_games.game import FlopGame, ratio


class TrunkArrays(NamedTuple):
    """A trunk for kernels."""

    node: np.ndarray  # int32[nodes, 4]: of its tree
    first: np.ndarray  # int64[nodes]: a decision's first row in float64[rows, C]; -1 at ends
    table: np.ndarray  # int64[nodes]: of ``tables``, at ends; -1 where values come from elsewhere
    chips: np.ndarray  # float64[nodes]: that the table is multiplied by
    # float64[tables, C, C]: net chips of seat 0 times the probability of the two classes: that they
    # are dealt, that the first wins less that it loses, then the leaves' values
    tables: np.ndarray


class Trunk(NamedTuple):
    """The betting before the flop from ``part.origin[0]`` on, with the values of its ends."""

    part: Cut
    opponent: int | None  # chooses at leaves; None: values of leaves come from elsewhere
    leaf: np.ndarray  # int64[nodes]: the number of a leaf; -1 at other nodes
    rows: int  # actions of all decisions, choices at leaves among them
    arrays: TrunkArrays


def trunk(
    game: FlopGame, root: int, opponent: int | None, leaves: Sequence[int],
    values: np.ndarray | None,
) -> Trunk:  # fmt: skip
    """The trunk of ``game`` below ``root``, where ``opponent`` chooses at ``leaves``.

    ``values`` are float64[choices, leaves, C, C], as :class:`Trunk` has them. Raises UserError for
    more choices than a leaf may have.
    """
    ends, classes = set(leaves), len(game.cards.share)
    choices = (1, 0) if opponent is None else (len(values), 1 << opponent)
    part = cut(game.tree, root, lambda x: x in ends, *choices)
    tree, walk = part.tree, game.walk(np.zeros(0), 0)
    number = {leaf: i for i, leaf in enumerate(leaves)}
    first, table, leaf_of = np.full((3, len(tree.node)), -1)
    chips, rows = np.ones(len(tree.node)), 0
    for x, head in enumerate(tree.node[:, 0]):
        origin = int(part.origin[x])
        if is_decision(head):
            first[x], rows = rows, rows + n_actions(head)
        elif kind_of(head) == LEAF:
            leaf_of[x] = number[origin]
            if opponent is not None:
                table[x] = 2 + int(part.chosen[x, opponent]) * len(leaves) + number[origin]
        else:
            chips[x], table[x] = walk.stake(origin)
    tables = np.stack([game.cards.share, game.cards.lead])
    if values is not None:
        tables = np.concatenate([tables, values.reshape(-1, classes, classes)])
    arrays = TrunkArrays(tree.node, first, table, chips, tables)
    return Trunk(part, opponent, leaf_of, int(rows), arrays)


def first_node(trunk: Trunk, leaf: int) -> int:
    """The first node of the trunk's tree that stands for ``leaf``, a node of the whole tree."""
    return int(np.flatnonzero(trunk.part.origin == leaf)[0])


def reach_at(trunk: Trunk, strategy: np.ndarray, leaf: int) -> np.ndarray:
    """The reach of both seats at ``leaf``, a node of the whole tree: float64[2, C].

    By ``strategy`` float64[rows, C]; both come to the trunk with every class.
    """
    reach, tree = np.ones((2, trunk.arrays.tables.shape[1])), trunk.part.tree
    for before, after in tree.steps(first_node(trunk, leaf)):
        action = after - int(tree.node[before, 1])
        reach[tree.seat(before)] *= strategy[trunk.arrays.first[before] + action]
    return reach


def best(trunk: Trunk, strategy: np.ndarray, seat: int) -> np.ndarray:
    """Net chips of ``seat`` at each node by a best response to ``strategy``: float64[nodes, C].

    Choices at leaves are part of the response. 0 where the other never comes.
    """
    seen = trunk.arrays
    reach = np.ones((2, len(seen.first), seen.tables.shape[1]))
    down(seen, strategy, reach)
    value = np.zeros(reach.shape[1:])
    ends(seen, seat, reach[1 - seat], value)
    respond(seen, seat, value)
    share = seen.tables[0] if seat == 0 else seen.tables[0].T
    left = reach[1 - seat] @ share.T
    return ratio(value, left)


def shares(trunk: Trunk, table: np.ndarray) -> np.ndarray:
    """The strategies of ``table``, regrets or sums, both float64[rows, C]."""
    out = np.empty_like(table)
    match(trunk.arrays, table, out)
    return out


def place(game: FlopGame, trunk: Trunk, rows: np.ndarray, strategy: np.ndarray) -> None:
    """Write ``rows`` float64[rows, C] of ``trunk`` to ``strategy`` float64[layout.size]."""
    for x in np.flatnonzero(trunk.arrays.first >= 0):
        origin, first = int(trunk.part.origin[x]), trunk.arrays.first[x]
        if game.tree.round(origin) == 0:  # no choice at a leaf
            at = entries(game.tree, game.layout, origin)
            strategy[at] = rows[first : first + at.shape[1]].T


def solve(
    trunk: Trunk, iterations: int, method: Method = CFR_PLUS, entry: Gadget | None = None,
) -> np.ndarray:  # fmt: skip
    """The average strategies of both seats by vector CFR: float64[rows, C].

    With ``entry`` the opponent chooses which of its classes come (safe solving).
    """
    rows = new_tables((trunk.rows, trunk.arrays.tables.shape[1]))
    for t in range(1, iterations + 1):
        step = np.array([*method.keeps(t), method.weight(t)])
        learn_once(trunk.arrays, None, entry or no_gadget(), step, rows)
    return shares(trunk, rows.total)


@njit
def learn_once(trunk, after, entry, step, rows):
    """Both players learn; ``after`` are the flops that follow (flop_parts.After), or None.

    ``step`` is as of :func:`sixmax.studies.flop_games.flop_parts.learn_flops`.
    """
    nodes, classes = len(trunk.node), trunk.tables.shape[1]
    reach, value = np.ones((2, nodes, classes)), np.zeros((nodes, classes))
    strategy = rows.strategy
    match(trunk, rows.regret, strategy)
    for me in range(2):
        if entry.left.size > 0:
            reach[entry.opponent, 0] = entry.reach
        down(trunk, strategy, reach)
        if after is not None:
            learn_flops(after, me, reach, step, value)
        ends(trunk, me, reach[1 - me], value)
        up(trunk, strategy, me, value)
        learn(trunk, me, step, reach[me], value, rows)
        if entry.left.size > 0 and me == entry.opponent:
            choose(entry, value[0], step, 1.0, 0.0)


@njit
def ends(trunk, me, others, value):
    """Fill ``value`` float64[nodes, C] of ``me`` at ends, against ``others`` of the same shape."""
    for x in range(len(trunk.node)):
        if trunk.table[x] < 0:  # a decision, or an end whose value comes from elsewhere
            continue
        table = trunk.tables[trunk.table[x]]
        if me == 0:
            value[x] = trunk.chips[x] * np.dot(table, others[x])
        else:
            value[x] = -trunk.chips[x] * np.dot(others[x], table)
