"""A run with branches grafted on: a folder of its own, which every command opens as a run."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.files import aside
from sixmax.betting.tree import SIDEPOTS, Tree, is_decision, kind_of
from sixmax.betting.tree_cut import TreeWriter
from sixmax.blueprint import checkpoint, identity
from sixmax.blueprint.run import Run, improvement
from sixmax.blueprint.train import freeze
from sixmax.blueprint.tree_format import stored
from sixmax.cards.deck import ROUNDS
from sixmax.cfr.layout import entries, layout
from sixmax.search.settings import KEPT_SETTINGS, SETTINGS, settings_for_copies
from sixmax.store import records, write


class Branch(NamedTuple):
    """The solved betting from an opponent's decision on."""

    tree: Tree  # its root is that decision, with the actions that were solved
    root: int  # the node after the new bet
    policy: np.ndarray  # uint8[layout.size] of both players, in the buckets of the run


def spliced(
    run: Run, policy: np.ndarray, branches: Sequence[tuple[tuple[int, ...], Branch]]
) -> tuple[Tree, np.ndarray]:
    """The tree of ``run`` with all ``branches``, and the policy on it, uint8[layout.size].

    ``policy`` is that of ``run``. Each branch comes with the actions before its decision. Outside
    of the branches nothing changes: at their decisions the new bet has probability zero.
    """
    tree, buckets = run.tree, list(run.layout.buckets)
    for after, branch in branches:
        result = graft(tree, tree.find(after), branch.tree, branch.root)
        larger = np.zeros(layout(result.tree, buckets).size, np.uint8)
        parts = ((tree, policy), (branch.tree, branch.policy))
        for (old, rows), origin in zip(parts, result.origin, strict=True):
            _copy(old, rows, origin, result.tree, larger, buckets)
        tree, policy = result.tree, larger
    return tree, policy


def _copy(
    old: Tree, rows: np.ndarray, origin: np.ndarray, tree: Tree, out: np.ndarray, buckets: list[int]
) -> None:
    """Copy the ``rows`` of the nodes of ``old`` to those of ``tree`` that they became."""
    places, new = layout(old, buckets), layout(tree, buckets)
    for x in np.flatnonzero((origin >= 0) & is_decision(tree.node[:, 0])):
        before, offered = int(origin[x]), tree.offered(int(x))
        chosen = rows[entries(old, places, before)]
        n = chosen.shape[1]
        if len(offered) > n:  # a row of zeros is uniform, and would be over the new bet, too
            chosen = np.where(chosen.any(axis=1, keepdims=True), chosen, 255 // n)
        columns = [offered.index(int(old.action[y])) for y in old.children(before)]
        out[entries(tree, new, int(x))[:, columns]] = chosen


class Grafted(NamedTuple):
    """A new tree, and the nodes of the old ones that it is made of; a node is of one source."""

    tree: Tree
    origin: np.ndarray  # int32[sources, nodes]: the node of each source, or -1


class _Child(NamedTuple):
    action: int
    source: int  # number of the tree that goes on below
    node: int


def restrict(tree: Tree, actions: Sequence[int]) -> Grafted:
    """``tree`` whose root offers just ``actions``, of those that it has."""
    return _assembled((tree,), 0, [child for child in _below(tree, 0) if child.action in actions])


def graft(tree: Tree, node: int, branch: Tree, root: int) -> Grafted:
    """``tree`` where decision ``node`` may also go to ``root`` of ``branch``, and on from there.

    Both trees number rounds and seats alike. Raises UserError where ``node`` is no decision or has
    the action.
    """
    if not tree.is_decision(node):
        raise UserError(f"node {node}: the hand is over there, wanted a decision")
    below, action = _below(tree, node), int(branch.action[root])
    if action in [child.action for child in below]:
        raise UserError(f"raise to {action}: the tree has it there; wanted one that it lacks")
    return _assembled((tree, branch), node, sorted([*below, _Child(action, 1, root)]))


def _below(tree: Tree, node: int, source: int = 0) -> list[_Child]:
    return [_Child(int(tree.action[child]), source, child) for child in tree.children(node)]


def _assembled(sources: tuple[Tree, ...], changed: int, below: list[_Child]) -> Grafted:
    """The first of ``sources``, with ``below`` as the part that follows decision ``changed``."""
    room = sum(len(tree.node) for tree in sources)
    new, todo = TreeWriter(sources[0], room), [(0, 0, 0)]  # new node; source and node there
    origin = np.full((len(sources), room), -1, np.int32)
    while todo:
        at, source, old = todo.pop()
        origin[source, at] = old
        head, _, _, chips = (int(n) for n in sources[source].node[old])
        if kind_of(head) == SIDEPOTS:
            raise UserError("the tree has side pots: wanted two players of equal stacks")
        if not is_decision(head):
            new.node[at] = sources[source].node[old]
            continue
        offered = below if (source, old) == (0, changed) else _below(sources[source], old, source)
        block = new.decision(at, head, [child.action for child in offered], chips)
        todo += reversed([(x, c.source, c.node) for x, c in zip(block, offered, strict=True)])
    return Grafted(new.tree(), origin[:, : new.size].copy())


def write_run(
    run: Run, tree: Tree, policy: np.ndarray, improved: dict, out: Path,
    rest: Callable[[Path], None],
) -> None:  # fmt: skip
    """Write the run of ``tree`` and ``policy`` to the folder ``out``, aside until it is whole.

    It shares the abstraction of ``run`` by a link, and has its settings of search. ``improved``
    tells how it was made, as a part of its identity; ``rest`` makes all else in its folder. Raises
    UserError like :func:`refuse_folder`.
    """
    refuse_folder(run, out)
    with aside(out) as folder:
        blueprint, abstraction = folder / "blueprint", folder / "abstraction"
        write(blueprint / "tree.zarr", "tree", tree._asdict(), **stored(run.game))
        link = os.path.relpath((run.folder / "abstraction").resolve(), out.parent.resolve() / "x")
        abstraction.symlink_to(link, target_is_directory=True)
        if search := settings_for_copies(run.folder):
            records.write(folder / SETTINGS, KEPT_SETTINGS, search)
        settings = {**run.identity["settings"], "improved": improved}
        stores = [abstraction / f"{name}.zarr" for name in ROUNDS[: len(run.game.rounds)]]
        freeze(blueprint / "run.json", settings, blueprint / "tree.zarr", stores)
        places = layout(tree, list(run.layout.buckets))
        checkpoint.save_policy(blueprint / "strategy.zarr", identity.read(folder), policy, places)
        rest(folder)


def refuse_folder(run: Run, out: Path) -> None:
    """Raise UserError where ``out`` is not free and no improved run of ``run``."""
    if not out.exists() or (out.is_dir() and not any(out.iterdir())):
        return
    record = improvement(out)
    if record is None:
        raise UserError(f"{out}: found a folder that is no improved run; name another")
    if record["run"] != run.identity["digest"]:
        raise UserError(
            f"{out}: an improved run of {record['run']}, not of {run.identity['digest']}; name "
            "another folder"
        )
