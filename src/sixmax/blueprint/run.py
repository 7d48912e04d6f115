"""A run on disk, opened: its tree, the layout of its infosets, and its dealer.

Some runs were made of another by new branches (:mod:`sixmax.studies.improve`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sixmax.abstraction.buckets import Buckets
from sixmax.abstraction.buckets import load as load_buckets
from sixmax.base.errors import UserError, one_of
from sixmax.base.jit import read_only
from sixmax.betting.config import GameConfig
from sixmax.betting.tree import Tree, tree_of
from sixmax.blueprint import checkpoint, identity
from sixmax.blueprint.config import BlueprintConfig
from sixmax.blueprint.packed import folder_of
from sixmax.cards.deck import ROUNDS
from sixmax.cfr.deals import Dealer, TableDealer
from sixmax.cfr.layout import Layout, layout
from sixmax.cfr.postprocess import WITH_ENDINGS, parse, postprocess
from sixmax.games import deals
from sixmax.games.holdem import HoldemDealer
from sixmax.store import Store, read


class Run(NamedTuple):
    """A strategy of the run is a function of these.

    ``buckets`` is None for the small games, which have no abstraction.
    """

    folder: Path
    identity: dict
    seed: int
    ranks: int
    game: GameConfig
    schedule: BlueprintConfig
    tree: Tree
    layout: Layout
    dealer: Dealer
    buckets: Buckets | None

    @property
    def big_blind(self) -> int:
        """Chips; the largest blind, or the largest ante where there are no blinds."""
        return self.game.big_blind

    @property
    def game_digest(self) -> str:
        """A digest of the game that agents play; "" for a run without an identity."""
        return identity.game_digest(self.identity["settings"]) if self.identity else ""

    def policy(self, name: str, others: Sequence[str] = ()) -> np.ndarray:
        """The policy ``blueprint`` or ``snapshot-00004``: uint8[layout.size], memory-mapped.

        An ending as in ``blueprint-purified`` takes unlikely actions out, in a copy in memory
        (:mod:`sixmax.cfr.postprocess`). Raises UserError for another name; it lists those there
        are, and ``others``.
        """
        base, process = parse(name)
        if base != "blueprint" and base not in snapshots(self.folder):
            raise unknown_agent(self.folder, name, others)
        file = "strategy" if base == "blueprint" else base.replace("snapshot-", "snapshot/")
        path = self.folder / "blueprint" / f"{file}.zarr"
        policy = checkpoint.read_own(path, "strategy", self.identity)["policy"]
        if policy.shape != (self.layout.size,):
            raise UserError(f"{path}: {policy.size:,} entries, wanted {self.layout.size:,}")
        if process is None:
            return policy
        return read_only(postprocess(self.tree, self.layout, policy, process))


def snapshots(folder: Path) -> list[str]:
    """The names of the snapshots of the run in ``folder``, the earliest first."""
    return [f"snapshot-{p.stem}" for p in sorted((folder / "blueprint/snapshot").glob("*.zarr"))]


def unknown_agent(folder: Path, name: str, others: Sequence[str] = ()) -> UserError:
    """The error that the run in ``folder`` has no agent ``name``.

    It names the agents there are: ``others``, the blueprint and the snapshots.
    """
    known = [*others, "blueprint", *snapshots(folder)]
    return UserError(f"agent {name!r}: unknown; {one_of(name, known)}; {WITH_ENDINGS}")


def open_run(folder: Path) -> Run:
    """Open ``results/{run}`` once its tree, buckets and run.json are there; or a packed run.

    Raises UserError where one of them is missing, damaged, or another than was frozen.
    """
    folder = folder_of(folder)
    frozen = identity.read(folder)
    settings = frozen["settings"]
    game = GameConfig.parse(settings["game"], "game")
    schedule = _schedule(folder, settings["blueprint"])
    store = read(folder / "blueprint" / "tree.zarr", "tree")
    _same_content(store, "tree", frozen)
    tree = tree_of(*(store[name] for name in Tree._fields))
    if game.cards == "holdem":
        for name in ROUNDS[: len(game.rounds)]:
            path = folder / "abstraction" / f"{name}.zarr"
            _same_content(read(path, "buckets"), name, frozen)
        buckets = load_buckets(folder, settings["ranks"], len(game.rounds))
        dealer = HoldemDealer(
            buckets, settings["ranks"], game.seats, len(game.rounds), schedule.boards,
            game.board_cards,
        )  # fmt: skip
    else:
        buckets, dealer = None, TableDealer(deals(game))
    return Run(
        folder, frozen, settings["seed"], settings["ranks"], game, schedule, tree,
        layout(tree, dealer.buckets), dealer, buckets,
    )  # fmt: skip


def _same_content(store: Store, name: str, frozen: dict) -> None:
    """Raise UserError where a store is another than the run was trained on."""
    actual, wanted = identity.content_digest(store), frozen["content"].get(name)
    if actual != wanted:
        raise UserError(
            f"{store.path}: found content {actual}, the run was trained on {wanted}; bring the "
            "old one back, or delete the run's blueprint folder to train anew"
        )


def _schedule(folder: Path, frozen: dict) -> BlueprintConfig:
    """The settings that run.json froze; those that are no part of it do not matter here."""
    try:
        return BlueprintConfig.of_frozen(frozen)
    except UserError as error:
        raise UserError(
            f"{folder / 'blueprint' / 'run.json'}: made by another version of sixmax ({error}); "
            "use that version, or train anew under another run name"
        ) from None


def improvement(folder: Path) -> dict[str, Any] | None:
    """The origin of the run in ``folder``, if it was made of another; else None.

    run: digest of the other; type: 1 or 2; bets: a list of {path, raise_to, pots}, where path is
    the actions before the decision of the new bet raise_to; iterations, seed: of solving.
    """
    try:
        return identity.read(folder)["settings"].get("improved")
    except UserError:
        return None


def open_improved(run: Run, folder: Path) -> Run:
    """The improved run in ``folder``. Raises UserError where it was not made of ``run``."""
    improved, wanted = open_run(folder), run.identity["digest"]
    record = improvement(folder)
    if record is None or record["run"] != wanted:
        raise UserError(
            f"{folder}: made of run {record and record['run']}, wanted one of {wanted}; make it "
            "anew by `sixmax improve`"
        )
    return improved
