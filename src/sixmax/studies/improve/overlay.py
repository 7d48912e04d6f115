"""A run with branches grafted on: a folder of its own, which every command opens as a run."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from sixmax.abstraction.features import ROUNDS
from sixmax.base.errors import UserError
from sixmax.base.files import aside
from sixmax.betting.tree import Tree, is_decision, n_actions, round_of, seat_of
from sixmax.blueprint import checkpoint
from sixmax.blueprint.improved import improvement
from sixmax.blueprint.run import Run
from sixmax.blueprint.train import freeze
from sixmax.blueprint.tree_format import stored
from sixmax.cfr.layout import Layout, infoset, layout
from sixmax.search.config import KEPT_SETTINGS, SETTINGS, settings_for_copies
from sixmax.store import write
from sixmax.store.records import write as write_record
from sixmax.studies.improve.branch import Branch
from sixmax.studies.improve.graft import graft


def spliced(
    run: Run, policy: np.ndarray, branches: Sequence[tuple[tuple[int, ...], Branch]]
) -> tuple[Tree, np.ndarray]:
    """The tree of ``run`` with all ``branches``, and the policy on it, uint8[layout.size].

    ``policy`` uint8[layout.size] is that of ``run``. Each branch comes with the actions before its
    decision. Outside of the branches nothing changes: at their decisions the new bet has
    probability zero.
    """
    tree, buckets = run.tree, list(run.layout.buckets)
    for after, branch in branches:
        result = graft(tree, tree.find(after), branch.tree, branch.root)
        new = layout(result.tree, buckets)
        larger = np.zeros(new.size, np.uint8)
        parts = ((tree, policy), (branch.tree, branch.policy))
        for (old, rows), origin in zip(parts, result.origin, strict=True):
            _copy(old, layout(old, buckets), rows, result.tree, new, larger, origin)
        tree, policy = result.tree, larger
    return tree, policy


def _copy(
    old: Tree, old_layout: Layout, rows: np.ndarray, tree: Tree, new: Layout, out: np.ndarray,
    origin: np.ndarray,
) -> None:  # fmt: skip
    """Copy the ``rows`` of the nodes of ``old`` to those of ``tree`` that they became."""
    for x in np.flatnonzero((origin >= 0) & is_decision(tree.node[:, 0])):
        head, before = int(tree.node[x, 0]), int(origin[x])
        in_round, seat = round_of(head), seat_of(head)
        bucket = np.arange(new.buckets[in_round])[:, None]
        offered = tree.offered(int(x))
        columns = [offered.index(int(old.action[y])) for y in old.children(before)]
        to = infoset(new, in_round, seat, bucket, tree.node[x, 2]) + np.array(columns)
        n = n_actions(int(old.node[before, 0]))
        at = infoset(old_layout, in_round, seat, bucket, old.node[before, 2]) + np.arange(n)
        chosen = rows[at]
        if len(offered) > n:  # a row of zeros is uniform, and would be over the new bet, too
            chosen = np.where(chosen.any(axis=1, keepdims=True), chosen, 255 // n)
        out[to] = chosen


def write_run(
    run: Run,
    tree: Tree,
    policy: np.ndarray,
    improved: dict,
    out: Path,
    rest: Callable[[Path], None],
) -> None:
    """Write the run of ``tree`` and ``policy`` to the folder ``out``, aside until it is whole.

    ``policy`` is uint8[layout.size] on ``tree``. The run shares the abstraction of ``run`` by a
    link, and has its settings of search. ``improved`` says how it was made and is a part of its
    identity; ``rest`` makes all else that a run has in its folder. Raises UserError like
    :func:`refuse_folder`.
    """
    refuse_folder(run, out)
    with aside(out) as folder:
        blueprint, abstraction = folder / "blueprint", folder / "abstraction"
        write(blueprint / "tree.zarr", "tree", tree._asdict(), **stored(run.game))
        link = os.path.relpath((run.folder / "abstraction").resolve(), out.parent.resolve() / "x")
        abstraction.symlink_to(link, target_is_directory=True)
        if search := settings_for_copies(run.folder):
            write_record(folder / SETTINGS, KEPT_SETTINGS, search)
        settings = {**run.identity["settings"], "improved": improved}
        stores = [abstraction / f"{name}.zarr" for name in ROUNDS[: len(run.game.rounds)]]
        freeze(blueprint / "run.json", settings, blueprint / "tree.zarr", stores)
        places = layout(tree, list(run.layout.buckets))
        own = checkpoint.identity_of(folder)
        checkpoint.save_policy(blueprint / "strategy.zarr", own, policy, places)
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
