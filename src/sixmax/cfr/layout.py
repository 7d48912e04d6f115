"""Where the regrets of an infoset lie in the one flat array that holds them all.

Regrets are laid out bucket-major: all actions of (round, seat, bucket) lie together, in the order
of the tree. A deal gives each seat one bucket a round, so a traversal walks inside a few slabs of
megabytes instead of touching a fresh page at every node.
"""

from typing import NamedTuple

import numpy as np

from sixmax.game.tree import Tree


class Layout(NamedTuple):
    """Infoset (round r, seat p, bucket b) at a node starts at
    ``base[r, p] + b * columns[r, p] + slot`` and holds one entry per action.

    base: int64[rounds, seats]     first entry of the slabs of (round, seat)
    columns: int64[rounds, seats]  entries of one slab
    start: int64[rounds + 1]       first entry of each round; the last is the size of the array
    buckets: int64[rounds]         slabs of each (round, seat)
    """

    base: np.ndarray
    columns: np.ndarray
    start: np.ndarray
    buckets: np.ndarray

    @property
    def size(self) -> int:
        """Entries in the whole array."""
        return int(self.start[-1])


def layout(tree: Tree, buckets: list[int]) -> Layout:
    """Lay out ``tree`` with ``buckets[r]`` buckets in round r, rounds one after the other."""
    counts = np.asarray(buckets, np.int64)
    if counts.shape != (tree.columns.shape[0],) or (counts < 1).any():
        raise ValueError(f"{buckets}: wanted one positive count for each round of the tree")
    sizes = tree.columns * counts[:, None]
    ends = np.cumsum(sizes.ravel()).reshape(sizes.shape)
    start = np.concatenate([[0], ends[:, -1]])
    return Layout(ends - sizes, tree.columns.astype(np.int64), start, counts)
