"""A subgame cut out of a betting tree that is there.

:func:`sixmax.game.tree_build.build_from` builds the subgames of real search, from a hand; this one
cuts small ones anywhere, and remembers which node of the whole tree each of its nodes was. Both
write leaves by :mod:`sixmax.game.leaf_choices`.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sixmax.game.leaf_choices import (
    ALL_SEATS,
    check_choices,
    choice_bits,
    choice_nodes,
    choice_of,
    write_choices,
)
from sixmax.game.tree import (
    DECISION,
    LEAF,
    Tree,
    children,
    kind_of,
    pack_head,
    players_left,
    round_of,
    seat_of,
    tree_of,
)
from sixmax.jit import read_only


class Cut(NamedTuple):
    """A subgame cut out of a tree, with the same rounds and seats.

    ``tree`` has the subgame's nodes; before a LEAF stand the choices of the players left, in the
    order of their seats. Those of one player share a slot: nobody sees what another chose.
    """

    tree: Tree
    origin: np.ndarray  # int32[nodes]: the node of the whole tree; for choices and LEAF the leaf's
    chosen: np.ndarray  # int8[nodes, seats]: the continuations at a LEAF, -1 without a choice
    leaves: tuple[int, ...]  # nodes of the whole tree where the subgame ends


def cut(
    tree: Tree,
    root: int,
    leaf: Callable[[int], bool],
    choices: int,
    choosers: int = ALL_SEATS,
) -> Cut:
    """The subgame of ``tree`` below ``root``, ending at decision nodes that are a ``leaf``.

    ``choices`` is the number of continuations, ``choosers`` the mask of seats that choose if they
    are left. A choice belongs to the round of the leaf's last action. The root is never a leaf.
    Raises UserError for more continuations than a record holds.
    """
    check_choices(choices, tree.columns.shape[1])
    return _Cutter(tree, root, leaf, choices, choosers).run()


def later_rounds(tree: Tree, first: int) -> Tree:
    """The cut ``tree``, whose root is of round ``first``, with that round as 0."""
    node = tree.node.copy()
    node[:, 0] -= pack_head(0, 0, first, 0, False)
    columns, decisions = tree.columns[first:], tree.decisions[first:]
    return tree._replace(node=read_only(node), columns=columns, decisions=decisions)


class _Cutter:
    """The walk of :func:`cut`. Arrays have room for more nodes than ``size``."""

    def __init__(self, tree, root, leaf, choices, choosers):
        self.tree, self.root, self.leaf = tree, root, leaf
        self.choices, self.choosers = choices, choosers
        seats = tree.columns.shape[1]
        self.size, room = 1, len(tree.node)
        self.node, self.parent = np.zeros((room, 4), np.int32), np.full(room, -1, np.int32)
        self.action, self.origin = np.zeros(room, np.int32), np.zeros(room, np.int32)
        self.chosen = np.full((room, seats), -1, np.int8)
        self.columns = np.zeros_like(tree.columns)
        self.slots: dict[tuple[int, ...], int] = {}  # by the knowledge of the choosing seat
        self.leaves: list[int] = []

    def run(self) -> Cut:
        todo = [(0, self.root)]
        while todo:
            at, origin = todo.pop()
            self.origin[at] = origin
            decision = kind_of(int(self.tree.node[origin, 0])) == DECISION
            if decision and origin != self.root and self.leaf(origin):
                self.leaves.append(origin)
                self._write_leaf(at, origin)
            elif decision:
                todo += self._decision(at, origin)
            else:
                self.node[at] = self.tree.node[origin]
        node, size = self.node[: self.size].copy(), self.size
        in_round = round_of(node[kind_of(node[:, 0]) == DECISION, 0])
        decisions = np.bincount(in_round, minlength=len(self.columns)).astype(np.int64)
        cut = tree_of(
            node, self.parent[:size].copy(), self.action[:size].copy(), self.tree.contributed,
            self.columns, decisions,
        )  # fmt: skip
        leaves = tuple(sorted(self.leaves))
        return Cut(cut, self.origin[:size].copy(), self.chosen[:size].copy(), leaves)

    def _decision(self, at: int, origin: int) -> list[tuple[int, int]]:
        head, _, _, chips = (int(n) for n in self.tree.node[origin])
        below = children(self.tree, origin)
        block = self._block(len(below))
        for child, old in zip(block, below, strict=True):
            self.parent[child], self.action[child] = at, self.tree.action[old]
        seat, in_round = seat_of(head), round_of(head)
        self.node[at] = [head, block.start, self.columns[in_round, seat], chips]
        self.columns[in_round, seat] += len(block)
        return list(zip(reversed(block), reversed(below), strict=True))

    def _write_leaf(self, at: int, origin: int) -> None:
        seats = len(self.chosen[0])
        left = [p for p in players_left(self.tree, origin) if self.choosers >> p & 1]
        keys = {seat: self._known(origin, seat) for seat in left}
        slots = np.full(seats, -1, np.int64)
        for seat in left:
            slots[seat] = self.slots.get(keys[seat], -1)
        mask, last = sum(1 << p for p in left), self._last_round(origin)
        block = self._block(int(choice_nodes(mask, self.choices)))
        write_choices(
            self.node, self.parent, self.action, self.columns, at, block.start, mask,
            self.choices, last, 0, slots, np.zeros(seats, np.int64),
        )  # fmt: skip
        self.slots |= {keys[seat]: int(slots[seat]) for seat in left}
        self.origin[block.start : block.stop] = origin
        bits = choice_bits(self.choices)
        for x in (at, *block):
            if kind_of(self.node[x, 0]) == LEAF:
                for seat in left:
                    self.chosen[x, seat] = choice_of(int(self.node[x, 3]), seat, bits)

    def _last_round(self, leaf: int) -> int:
        return round_of(int(self.tree.node[self.tree.parent[leaf], 0]))

    def _known(self, leaf: int, seat: int) -> tuple[int, ...]:
        """The same for leaves that ``seat`` cannot tell apart: its own slot where it acts."""
        head, _, slot, _ = (int(n) for n in self.tree.node[leaf])
        if seat_of(head) == seat:
            return seat, round_of(head), slot, 0
        return seat, leaf

    def _block(self, n: int) -> range:
        first, self.size = self.size, self.size + n
        if self.size > len(self.node):
            more = 2 * self.size
            for name in ("node", "parent", "action", "origin", "chosen"):
                old = getattr(self, name)
                new = np.full((more, *old.shape[1:]), -(name == "chosen"), old.dtype)
                new[: len(old)] = old
                setattr(self, name, new)
        return range(first, self.size)
