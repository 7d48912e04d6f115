"""The value function of AIVAT: the value of every node of the tree to each player.

Self-play of the blueprint estimates it before any match (:mod:`.values_estimate`). In the first
round the value of seat i is a sum over the seats j that are left, ``mean_i + sum_j more_ij(bucket
of j)``, with a table for each node that self-play meets. Later rounds have too many nodes, and the
cards tell more: a seat's share of the pot is the equity of its range against the buckets of the
others, plus the mean error of that in self-play for the same equity, strength and situation (round,
players left, seat to act, facing a bet or not, chips behind). These values are read at the end of a
round only, to which AIVAT plays each round on (:mod:`.playout`); so the last needs none.

AIVAT is unbiased whatever the values are; better values remove more variance.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.base.errors import UserError
from sixmax.base.jit import njit, read_only, uncounted
from sixmax.betting.tree import Tree
from sixmax.blueprint.run import Run
from sixmax.cfr.deals import Dealer, TableDealer
from sixmax.store import read_of
from sixmax.store.io import digest

STORE = "evaluation/values.zarr"  # in the folder of a run
_AGAIN = "run `sixmax values` again"
KNOTS = 9  # equities, and strengths, at which the correction of the pot share is stored


class Values(NamedTuple):
    """Chips that each seat wins over the whole hand, from each node on.

    A block begins with the mean of each of its L seats; then, for each seat j and each of its G
    buckets of the first round, the gain of each seat i: ``value[at + L + (j G + g) L + i]``. The
    second index of ``share`` is 2 if the hero is to act, plus 1 if he is last.
    """

    block: np.ndarray  # int32[nodes]: the node whose block counts, with the cards of round 0
    at: np.ndarray  # int64[nodes]: first entry of a node's own block, -1 for none
    value: np.ndarray  # float32[entries]: chips
    seats: np.ndarray  # int16[nodes]: mask of the seats that have not folded
    chips: np.ndarray  # int32[nodes, seats]: put in
    pot: np.ndarray  # int32[nodes]: chips that can be won
    situation: np.ndarray  # int16[nodes]: the same for all heroes; -1 at terminals
    equity: np.ndarray  # float32[rounds, buckets, buckets]: mean pot share, bucket against bucket
    strength: np.ndarray  # float32[rounds, buckets]: mean pot share against any bucket
    share: np.ndarray  # float32[situations, 4, KNOTS (equity), KNOTS (strength)]: its correction


@njit
def population(mask):
    """Number of bits that are set."""
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


class Asked(NamedTuple):
    """A node whose value to seat ``hero`` is asked, with the cards of round ``r``."""

    x: int
    hero: int
    r: int
    acts: bool  # whether the hero is to act in that round


@njit
def worth(values, asked, mine, theirs):
    """The value that is asked, in chips.

    ``mine`` float64[buckets] is the hero's range (its sum is 1), ``theirs`` int32[seats, rounds]
    are the buckets of the others.
    """
    edge, left = np.zeros(len(mine)), values.seats[asked.x]
    for b in range(len(mine)):
        if mine[b] > 0.0:
            edge[b] = equity_of(values, left, asked.r, asked.hero, b, theirs)
    return worth_by(values, asked, mine, theirs, edge)


@uncounted
def worth_by(values, asked, mine, theirs, edge):
    """:func:`worth` with ``edge`` float64[buckets], the share of the pot that each bucket wins."""
    x, hero, r, acts = asked
    situation, pot = values.situation[x], np.float64(values.pot[x])
    role = 2 * acts + (values.seats[x] >> (hero + 1) == 0)
    equity, more = 0.0, 0.0
    for b in range(len(mine)):
        if mine[b] > 0.0:
            equity += mine[b] * edge[b]
            if situation >= 0:
                table = values.share[situation, role]
                more += mine[b] * between(table, edge[b], values.strength[r, b])
    if r == 0 and values.block[x] >= 0:
        return first_round(values, values.block[x], hero, mine, theirs) + pot * more
    return pot * (equity + more) - values.chips[x, hero]


@uncounted
def first_round(values, x, hero, mine, theirs):
    """The value in the block of node ``x``: a sum over the seats that are left."""
    mask, first, value = np.int64(values.seats[x]), values.at[x], values.value
    held, i = population(mask), population(mask & (1 << hero) - 1)
    total, j, n = np.float64(value[first + i]), 0, values.equity.shape[1]
    for seat in range(len(theirs)):
        if mask >> seat & 1:
            row = first + held + j * n * held + i
            if seat == hero:
                for g in range(len(mine)):
                    if mine[g] > 0.0:
                        total += mine[g] * value[row + g * held]
            else:
                total += value[row + theirs[seat, 0] * held]
            j += 1
    return total


@uncounted
def equity_of(values, left, r, hero, b, theirs):
    """The share of the pot of bucket ``b`` without further bets.

    # ASSUME beating each of the others of the mask ``left`` is independent of beating the rest.
    """
    wins = 1.0
    for seat in range(len(theirs)):
        if seat != hero and left >> seat & 1:
            wins *= values.equity[r, b, theirs[seat, r]]
    return wins


@uncounted
def equity_over(values, left, r, hero, mine, theirs):
    """:func:`equity_of` over the range ``mine`` float64[buckets]."""
    total = 0.0
    for b in range(len(mine)):
        if mine[b] > 0.0:
            total += mine[b] * equity_of(values, left, r, hero, b, theirs)
    return total


@uncounted
def between(table, e, h):
    """``table`` float32[KNOTS, KNOTS] at equity ``e`` and strength ``h``, interpolated linearly."""
    n = len(table) - 1
    at, by = min(max(e, 0.0), 1.0) * n, min(max(h, 0.0), 1.0) * n
    i, j = min(np.int64(at), n - 1), min(np.int64(by), n - 1)
    at, by = at - i, by - j
    low = table[i, j] * (1.0 - by) + table[i, j + 1] * by
    high = table[i + 1, j] * (1.0 - by) + table[i + 1, j + 1] * by
    return low * (1.0 - at) + high * at


def root_means(values: Values, dealer: Dealer, seats: int) -> np.ndarray:
    """The value of each seat before any card is dealt: float64[seats], chips."""
    if isinstance(dealer, TableDealer):
        dealt = dealer.deals.bucket[:, :, 0].T
        share = [np.bincount(row, minlength=dealer.buckets[0]) for row in dealt]
        share = np.stack(share) / len(dealt.T)
    else:
        every = np.bincount(dealer.tables.preflop[0], minlength=dealer.buckets[0])
        share = np.tile(every / every.sum(), (seats, 1))
    first, buckets = values.at[0], values.equity.shape[1]
    mean = values.value[first : first + seats].astype(np.float64)
    more = values.value[first + seats : first + seats + seats * buckets * seats]
    more = more.reshape(seats, buckets, seats)[:, : dealer.buckets[0]]
    return mean + np.einsum("jg,jgi->i", share, more)


def load(run: Run, path: Path | None = None) -> tuple[Values, str]:
    """The values of ``run`` and their digest. Raises UserError for those of another run."""
    store = read_of(path or run.folder / STORE, "values", run.identity["digest"], _AGAIN)
    every = [store[name] for name in Values._fields]
    text = "".join(digest(array) for array in every)
    values = Values(*map(read_only, every))
    try:
        check_values(values, run.tree, run.layout.buckets)
    except ValueError as error:
        raise UserError(f"{store.path}: {error}; {_AGAIN}") from None
    return values, hashlib.sha256(text.encode()).hexdigest()[:16]


def check_values(values: Values, tree: Tree, buckets: Sequence[int]) -> None:
    """Raise ValueError for numbers that lead out of the arrays: kernels check none of them.

    ``buckets`` has those of each round of ``tree``.
    """
    nodes, (rounds, seats) = len(tree.node), tree.columns.shape
    by_node = values.block, values.at, values.seats, values.chips, values.pot, values.situation
    if any(len(array) != nodes for array in by_node) or values.chips.shape[1] != seats:
        raise ValueError("values of another tree")
    most = values.equity.shape[1]
    shapes = values.equity.shape, values.strength.shape
    if shapes != ((rounds, most, most), (rounds, most)) or most < max(buckets):
        raise ValueError("values of other rounds or buckets")
    if values.share.shape[1:] != (4, KNOTS, KNOTS):
        raise ValueError("corrections of another shape")
    _require((values.block >= -1) & (values.block < nodes), "a block of a node that there is not")
    _require((values.seats >= 0) & (values.seats < 1 << seats), "seats that there are not")
    _require(
        (values.situation >= -1) & (values.situation < len(values.share)), "an unknown situation"
    )
    for pots in (values.equity, values.strength):
        _require((pots >= 0) & (pots <= 1), "a share of the pot that is none")
    owner = np.unique(values.block[values.block >= 0])
    first, held = values.at[owner], np.bitwise_count(values.seats[owner]).astype(np.int64)
    room = len(values.value) - held * (1 + held * most)
    _require((first >= 0) & (first <= room), "a block outside of its entries")


def _require(holds: np.ndarray, otherwise: str) -> None:
    if not holds.all():
        raise ValueError(otherwise)
