"""The values of leaves that a run of two players keeps for the end of the first round.

The stage `self_generated` makes them once, for every leaf of the blueprint's tree, pair of classes
and strategy that a player may choose there (Brown, Sandholm and Amos 2018, section 4).
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.leaf_choices import choice_bits, choice_of
from sixmax.blueprint.run import Run
from sixmax.search.subgame import Subgame, leaf_chips, leaf_nodes
from sixmax.store import read

STORE = "self_generated/values.zarr"  # in the folder of a run
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

    def at(self, subgame: Subgame) -> np.ndarray:
        """Net chips at the leaves of ``subgame``: float64[2, l, C, C], as leaf_chips has them.

        Raises ValueError where both players choose, or among more strategies than there are.

        # ASSUME a leaf that the blueprint's tree lacks has the values of the nearest one there,
        scaled to the real pot; the paper takes the mean of two.
        """
        leaves, bits = leaf_nodes(subgame.tree), choice_bits(subgame.choices)
        start = {int(x): i for i, x in enumerate(self.node)}
        won = np.empty((len(leaves), *self.lead.shape))
        for i, (node, chosen) in enumerate(subgame.tree.node[leaves, 2:].astype(np.int64)):
            first, second = (choice_of(int(chosen), p, bits) for p in (0, 1))
            if first and second:
                raise ValueError("found two players who choose at a leaf, wanted one")
            if max(first, second) >= self.chips.shape[1]:
                raise ValueError(f"{self.chips.shape[1]} strategies, found a choice of more")
            seat, k = (1, second) if second else (0, first)
            won[i] = self.chips[seat, k, start[int(node)]]
        return leaf_chips(subgame, won)


def load(run: Run) -> FirstRound:
    """The values that ``run`` keeps. Raises UserError where they are missing or of another run."""
    path = run.folder / STORE
    if not path.exists():
        raise UserError(
            f"{path}: missing, and search.player looks up values there; make it by "
            f"{_COMMAND.format(run.folder)}, or search with first 1 and off_tree null"
        )
    store = read(path, "self-generated")
    if store.attributes.get("run") != run.identity["digest"]:
        raise UserError(f"{path}: of another run; make it anew by {_COMMAND.format(run.folder)}")
    return FirstRound(*(np.asarray(store[name]) for name in FirstRound._fields))
