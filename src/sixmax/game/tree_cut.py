"""A subgame cut out of an existing betting tree, with any number of continuations at a leaf.

:func:`sixmax.game.tree_build.build_from` builds the subgames of real search, from a hand; this one
cuts small ones anywhere, and remembers which node of the whole tree each of its nodes was.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.game.tree import (
    CHOICE,
    DECISION,
    LEAF,
    Tree,
    children,
    kind_of,
    pack_head,
    players_left,
    round_of,
    seat_of,
)


class Cut(NamedTuple):
    """A subgame cut out of a tree, with the same rounds and seats.

    ``tree`` has the subgame's nodes; before a LEAF stand the choices of the players left, in the
    order of their seats. Those of one player share a slot: nobody sees what another chose.
    """

    tree: Tree
    origin: np.ndarray  # int32[nodes]: the node of the whole tree; for choices and LEAF the leaf's
    chosen: np.ndarray  # int8[nodes, seats]: the continuations at a LEAF, -1 of who has folded
    leaves: tuple[int, ...]  # nodes of the whole tree where the subgame ends


def cut(tree: Tree, root: int, leaf: Callable[[int], bool], choices: int) -> Cut:
    """The subgame of ``tree`` below ``root``, ending at decision nodes that are a ``leaf``.

    ``choices`` is the number of continuation strategies. A choice belongs to the round of the
    leaf's last action. The root is never a leaf.
    """
    return _Cutter(tree, root, leaf, choices).run()


class _Cutter:
    """The walk of :func:`cut`; a row of ``todo`` is (own node, origin, choices made, leaf)."""

    def __init__(self, tree: Tree, root: int, leaf: Callable[[int], bool], choices: int):
        self.tree, self.root, self.leaf, self.choices = tree, root, leaf, choices
        self.seats = tree.columns.shape[1]
        self.node, self.parent, self.action = [[0] * 4], [-1], [0]
        self.origin, self.chosen = [root], [[-1] * self.seats]
        self.columns = np.zeros_like(tree.columns)
        self.slots: dict[tuple[int, ...], int] = {}  # by what the choosing seat knows
        self.leaves: list[int] = []

    def run(self) -> Cut:
        todo = [(0, self.root, False)]
        while todo:
            at, origin, choosing = todo.pop()
            decision = kind_of(int(self.tree.node[origin, 0])) == DECISION
            if not choosing and decision and origin != self.root and self.leaf(origin):
                self.leaves.append(origin)
                choosing = True
            if choosing:
                todo += [(c, origin, True) for c in self._choice(at, origin)]
            elif decision:
                todo += self._decision(at, origin)
            else:
                self.node[at] = [int(n) for n in self.tree.node[origin]]
        node = np.array(self.node, np.int32)
        at = round_of(node[kind_of(node[:, 0]) == DECISION, 0])
        decisions = np.bincount(at, minlength=len(self.columns)).astype(np.int64)
        made = Tree(
            node, np.array(self.parent, np.int32), np.array(self.action, np.int32),
            self.tree.contributed, self.columns, decisions,
        )  # fmt: skip
        chosen = np.array(self.chosen, np.int8)
        return Cut(made, np.array(self.origin, np.int32), chosen, tuple(sorted(self.leaves)))

    def _decision(self, at: int, origin: int) -> list[tuple[int, int, bool]]:
        head, _, _, chips = (int(n) for n in self.tree.node[origin])
        below = children(self.tree, origin)
        block = self._block(at, len(below))
        for child, old in zip(block, below, strict=True):
            self.origin[child], self.action[child] = old, int(self.tree.action[old])
        seat, in_round = seat_of(head), round_of(head)
        self.node[at] = [head, block.start, self._slot(in_round, seat, len(block)), chips]
        return [(c, o, False) for c, o in zip(reversed(block), reversed(below), strict=True)]

    def _choice(self, at: int, origin: int) -> range:
        """Write the choice of the first player left who has not chosen, or a LEAF."""
        left = [p for p in players_left(self.tree, origin) if self.chosen[at][p] < 0]
        before = round_of(int(self.tree.node[self.tree.parent[origin], 0]))
        if not left:
            self.node[at] = [pack_head(LEAF, 0, before, 0, False), 0, 0, 0]
            return range(0)
        seat, key = left[0], self._known(origin, left[0])
        if key not in self.slots:
            self.slots[key] = self._slot(before, seat, self.choices)
        block = self._block(at, self.choices)
        for choice, child in enumerate(block):
            self.origin[child], self.action[child] = origin, CHOICE - choice
            self.chosen[child] = [choice if p == seat else c for p, c in enumerate(self.chosen[at])]
        head = pack_head(DECISION, seat, before, self.choices, False)
        self.node[at] = [head, block.start, self.slots[key], 0]
        return block

    def _known(self, leaf: int, seat: int) -> tuple[int, ...]:
        """The same for leaves that ``seat`` cannot tell apart: its own slot where it acts."""
        head, _, slot, _ = (int(n) for n in self.tree.node[leaf])
        if seat_of(head) == seat:
            return seat, round_of(head), slot, 0
        return seat, leaf

    def _block(self, parent: int, n: int) -> range:
        first = len(self.node)
        self.node += [[0] * 4 for _ in range(n)]
        self.parent += [parent] * n
        self.action += [0] * n
        self.origin += [0] * n
        self.chosen += [[-1] * self.seats for _ in range(n)]
        return range(first, first + n)

    def _slot(self, in_round: int, seat: int, n: int) -> int:
        slot = int(self.columns[in_round, seat])
        self.columns[in_round, seat] += n
        return slot
