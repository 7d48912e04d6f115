"""A running mean of strategies: the policies of many moments of training, summed up.

The paper's blueprint is a mean of snapshots on disk, one every 200 minutes. A sum takes two bytes
an entry and no disk, so the mean may be of hundreds of moments. All moments count the same, but
for infosets that no traversal has reached yet: these add nothing.
"""

import numpy as np

from sixmax.betting.tree import Tree
from sixmax.cfr.layout import Layout
from sixmax.cfr.policy import WHOLE, add_current

MOST = np.iinfo(np.uint16).max // WHOLE  # strategies that fit


def new_mean(layout: Layout, first: int) -> np.ndarray:
    """No strategy yet: uint16[entries], of round ``first`` and the later ones."""
    return np.zeros(layout.size - int(layout.start[first]), np.uint16)


def take_in(mean: np.ndarray, tree: Tree, layout: Layout, regret: np.ndarray) -> None:
    """Add the current strategy to ``mean`` uint16[entries]; ``regret`` is int32[layout.size]."""
    first = int(np.searchsorted(layout.start, layout.size - mean.size))
    add_current(tree, layout, regret, mean, first)
