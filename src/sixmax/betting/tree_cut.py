"""Trees made of the nodes of others: a subgame cut out of a betting tree.

:func:`sixmax.betting.tree_build.build_from` builds the subgames of real search from a hand;
:func:`cut` cuts small ones anywhere, and remembers the node of the whole tree that each node was.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import read_only
from sixmax.betting import leaf_choices
from sixmax.betting.tree import (
    DECISION,
    LEAF,
    Tree,
    is_decision,
    kind_of,
    offers_fold,
    pack_head,
    round_of,
    seat_of,
    tree_of,
)

_NO_ROWS = np.empty((0, 0), np.int32)  # a part has none of its own


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
    choosers: int = leaf_choices.ALL_SEATS,
) -> Cut:
    """The subgame of ``tree`` below ``root``; it ends at decisions but the root that are a leaf.

    ``choices`` is the number of continuations, ``choosers`` the mask of seats that choose if they
    are left. A choice belongs to the round of the leaf's last action. Raises UserError for more
    continuations than a record holds.
    """
    leaf_choices.check_choices(choices, tree.columns.shape[1])
    return _Cutter(tree, root, leaf, choices, choosers).run()


def later_rounds(tree: Tree, first: int) -> Tree:
    """The cut ``tree``, whose root is of round ``first``, with that round as 0."""
    node = tree.node.copy()
    node[:, 0] -= pack_head(0, 0, first, 0, False)
    columns, decisions = tree.columns[first:], tree.decisions[first:]
    return tree._replace(node=read_only(node), columns=columns, decisions=decisions)


class TreeWriter:
    """A tree written node by node, of the rounds and seats of ``like``.

    Arrays by node, those of a tree and ``more`` by name, have room for more than ``size`` nodes and
    are filled with -1.
    """

    node: np.ndarray  # int32[room, 4]
    parent: np.ndarray  # int32[room]
    action: np.ndarray  # int32[room]

    def __init__(self, like: Tree, room: int, **more: tuple[tuple[int, ...], type]):
        self.size, self._like = 1, like
        shapes = {"node": ((4,), np.int32), "parent": ((), np.int32), "action": ((), np.int32)}
        self._names = shapes | more
        for name, (shape, dtype) in self._names.items():
            setattr(self, name, np.full((room, *shape), -1, dtype))
        self.action[0] = like.action[0]
        self.columns, self.decisions = np.zeros_like(like.columns), np.zeros_like(like.decisions)

    def block(self, n: int) -> range:
        """The next ``n`` nodes."""
        first, self.size = self.size, self.size + n
        if self.size > len(self.node):
            for name, (shape, dtype) in self._names.items():
                new = np.full((2 * self.size, *shape), -1, dtype)
                new[:first] = getattr(self, name)[:first]
                setattr(self, name, new)
        return range(first, self.size)

    def decision(self, at: int, head: int, actions: Sequence[int], chips: int) -> range:
        """Node ``at`` as the decision of ``head`` and ``chips``, with ``actions``: its children."""
        block, seat, in_round = self.block(len(actions)), seat_of(head), round_of(head)
        self.parent[block.start : block.stop] = at
        self.action[block.start : block.stop] = actions
        new = pack_head(DECISION, seat, in_round, len(block), bool(offers_fold(head)))
        self.node[at] = [new, block.start, self.columns[in_round, seat], chips]
        self.columns[in_round, seat] += len(block)
        self.decisions[in_round] += 1
        return block

    def tree(self) -> Tree:
        """The tree of all nodes; contributed chips are those of ``like``."""
        arrays = [getattr(self, name)[: self.size].copy() for name in ("node", "parent", "action")]
        return tree_of(*arrays, self._like.contributed, self.columns, self.decisions)


class _Cutter:
    def __init__(self, tree, root, leaf, choices, choosers):
        self.tree, self.root, self.leaf = tree, root, leaf
        self.choices, self.choosers, self.seats = choices, choosers, tree.columns.shape[1]
        # Arrays of the new tree, as of Cut.
        more = {"origin": ((), np.int32), "chosen": ((self.seats,), np.int8)}
        self.new = TreeWriter(tree, len(tree.node), **more)
        self.slots: dict[tuple[int, ...], int] = {}  # by the knowledge of the choosing seat
        self.leaves: list[int] = []

    def run(self) -> Cut:
        new, todo = self.new, [(0, self.root)]
        while todo:
            at, origin = todo.pop()
            new.origin[at] = origin
            head, _, _, chips = (int(n) for n in self.tree.node[origin])
            if not is_decision(head):
                new.node[at] = self.tree.node[origin]
            elif origin != self.root and self.leaf(origin):
                self.leaves.append(origin)
                self._write_leaf(at, origin)
            else:
                below = self.tree.children(origin)
                block = new.decision(at, head, self.tree.offered(origin), chips)
                todo += zip(reversed(block), reversed(below), strict=True)
        origin, chosen = (a[: new.size].copy() for a in (new.origin, new.chosen))
        return Cut(new.tree(), origin, chosen, tuple(sorted(self.leaves)))

    def _write_leaf(self, at: int, origin: int) -> None:
        new = self.new
        left = [p for p in self.tree.players_left(origin) if self.choosers >> p & 1]
        keys = {seat: self._known(origin, seat) for seat in left}
        slots = np.full(self.seats, -1, np.int64)
        for seat in left:
            slots[seat] = self.slots.get(keys[seat], -1)
        mask, last = sum(1 << p for p in left), self.tree.round(self.tree.parent[origin])
        block = new.block(int(leaf_choices.choice_nodes(mask, self.choices)))
        chips = np.zeros(self.seats, np.int64)
        tree = Tree(new.node, new.parent, new.action, _NO_ROWS, new.columns, new.decisions)
        choices = leaf_choices.Choices(mask, self.choices, last, 0, chips)
        leaf_choices.write_choices(tree, choices, at, block.start, slots)
        self.slots |= {keys[seat]: int(slots[seat]) for seat in left}
        new.origin[block.start : block.stop] = origin
        bits = leaf_choices.choice_bits(self.choices)
        for x in (at, *block):
            if kind_of(new.node[x, 0]) == LEAF:
                for seat in left:
                    new.chosen[x, seat] = leaf_choices.choice_of(int(new.node[x, 3]), seat, bits)

    def _known(self, leaf: int, seat: int) -> tuple[int, ...]:
        """The same for leaves that ``seat`` cannot tell apart: its own slot where it acts."""
        head, _, slot, _ = (int(n) for n in self.tree.node[leaf])
        if seat_of(head) == seat:
            return seat, round_of(head), slot, 0
        return seat, leaf
