"""The values of leaves that a run of two players keeps for the end of the first round.

The stage `self_generated` makes them once, for every leaf of the blueprint's tree, pair of classes
and strategy that a player may choose there (Brown, Sandholm and Amos 2018, section 4).
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.leaf_choices import choice_bits, choice_of
from sixmax.betting.rules import ACTOR
from sixmax.blueprint.run import Run
from sixmax.cards.deck import classes
from sixmax.ongoing.hand import blueprint_buckets, blueprint_rows
from sixmax.ongoing.locate import NEAREST, Places
from sixmax.search.subgame import Subgame, find_leaves, leaf_chips, leaf_nodes, sizes_beside
from sixmax.store import read

STORE = "self_generated/values.zarr"  # in the folder of a run
NO_BOARD = np.empty(0, np.int8)
_STORED = ("node", "chips", "lead")
_COMMAND = (
    """`sixmax stage self-generated --run {0} --config '{{"values": 10}}' """
    "--out {0}/self_generated/values.zarr --check {0}/self_generated/check.json`"
)


class FirstRound(NamedTuple):
    """Values by the seat that chooses, its strategy (0 is the blueprint), leaf and classes.

    The seat that does not choose plays the blueprint.
    """

    node: np.ndarray  # int32[L]: decisions of the blueprint's tree with which flops begin
    chips: np.ndarray  # float32[2, n, L, C, C]: net chips of seat 0, [its class, the other's]
    lead: np.ndarray  # float32[C, C]: the chance that a class wins less that it loses, all-in
    reach: np.ndarray  # float64[2, L, C]: of each seat's classes to the leaves, by the blueprint

    def stored(self) -> dict[str, np.ndarray]:
        """The arrays of the store: the reach follows from the blueprint."""
        return {name: getattr(self, name) for name in _STORED}

    def at(self, subgame: Subgame, places: Places) -> np.ndarray:
        """Net chips at the leaves of ``subgame``: float64[2, l, C, C], as leaf_chips has them.

        After a bet that the blueprint lacks they are the mean of those behind the two sizes beside
        it, each scaled to the real pot. Behind two sizes a class that calls the small bet and folds
        to the large one comes to one of the leaves alone; at the other its strategy was hardly
        trained. So each class of the seat that meets the bet counts as often as it comes there.
        Where one of the sizes has no such leaf, as all-in, the other counts alone.

        Raises ValueError where both players choose, or among more strategies than there are.

        # ASSUME the reach, times the closeness of the size, weighs; the paper takes "the average".
        Any other leaf that the blueprint lacks has the values of the nearest one there.
        """
        if (beside := sizes_beside(subgame.state, places)) is None:
            return self._chips(subgame)
        *sizes, share = beside
        sides = [find_leaves(subgame.tree, subgame.state, places, size) for size in sizes]
        row = subgame.tree.node[leaf_nodes(subgame.tree), 1]
        # Behind all-in there is no leaf; behind neither size the nearest place counts alone.
        below, above = (side.match[row] != NEAREST for side in sides)
        close = np.stack([share * below, (1 - share) * above, ~(below | above)])[:, :, None]
        sides.append(subgame.leaves)
        ours, tables = int(subgame.state.root[ACTOR]), 0.0
        reach = np.stack([self.reach[ours, self._number(side.node[row])] for side in sides])
        weight = reach * close
        # A class that comes to neither leaf counts by closeness alone.
        weight = np.where(weight.sum(axis=0) > 0, weight, close)
        weight /= weight.sum(axis=0)
        for side, part in zip(sides, weight, strict=True):
            if part.any():
                chips = self._chips(subgame._replace(leaves=side))
                for seat in (0, 1):  # [other's class, own class]
                    chips[seat] *= np.expand_dims(part, 1 if seat == ours else 2)
                tables = tables + chips
        return tables

    def _number(self, node: np.ndarray) -> np.ndarray:
        """The numbers of the leaves with which flops at ``node`` int32[l] begin: int64[l]."""
        order = np.argsort(self.node)
        number = order[np.searchsorted(self.node[order], node) % len(order)]
        if (self.node[number] != node).any():
            raise ValueError(f"found flops at nodes {node}, wanted some of {self.node}")
        return number

    def _chips(self, subgame: Subgame) -> np.ndarray:
        """Net chips by the places of ``subgame.leaves``: float64[2, l, C, C]."""
        x, bits = subgame.tree.node[leaf_nodes(subgame.tree)], choice_bits(subgame.choices)
        number = self._number(subgame.leaves.node[x[:, 1]])
        won = np.empty((len(x), *self.lead.shape))
        for i, chosen in enumerate(x[:, 3].astype(np.int64)):
            first, second = (choice_of(int(chosen), p, bits) for p in (0, 1))
            if first and second:
                raise ValueError("found two players who choose at a leaf, wanted one")
            if max(first, second) >= self.chips.shape[1]:
                raise ValueError(f"{self.chips.shape[1]} strategies, found a choice of more")
            seat, k = (1, second) if second else (0, first)
            won[i] = self.chips[seat, k, number[i]]
        return leaf_chips(subgame, won)


def ranges_at(run: Run, policy: np.ndarray, node: np.ndarray) -> np.ndarray:
    """The chance that each class of both seats comes to the leaves ``node``: float64[2, L, C].

    ``node`` int32[L] begin flops; the seats play ``policy`` uint8[layout.size] until then. A class
    counts as often as it is dealt.
    """
    bucket, of = blueprint_buckets(run, NO_BOARD), classes(run.ranks)
    reach = np.ones((2, len(node), len(bucket)))
    for i, child in enumerate(node.tolist()):
        for x, y in reversed(run.tree.steps(child)):
            rows = blueprint_rows(run, policy, x, bucket)
            reach[run.tree.seat(x), i] *= rows[:, y - int(run.tree.node[x, 1])]
    return np.array([[np.bincount(of, each) for each in seat] for seat in reach])


def load(run: Run, blueprint: np.ndarray) -> FirstRound:
    """The values that ``run`` keeps, with the reach of its policy ``blueprint`` uint8[size].

    Raises UserError where they are missing or of another run.
    """
    path = run.folder / STORE
    if not path.exists():
        raise UserError(
            f"{path}: missing, and search.player looks up values there; make it by "
            f"{_COMMAND.format(run.folder)}, or search with first 1 and off_tree null"
        )
    store = read(path, "self-generated")
    if store.attributes.get("run") != run.identity["digest"]:
        raise UserError(f"{path}: of another run; make it anew by {_COMMAND.format(run.folder)}")
    node, chips, lead = (np.asarray(store[name]) for name in _STORED)
    return FirstRound(node, chips, lead, ranges_at(run, blueprint, node))
