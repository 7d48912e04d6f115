"""What every point of the tree is worth to each player: the value function of AIVAT.

Found by the blueprint's self-play, before any match and apart from it
(:mod:`sixmax.evaluation.aivat.values_estimate`); here is what is kept and how it is looked up. In
the first round what seat i wins is a sum over the seats j that are left, ``mean_i + sum_j
more_ij(bucket of j)``, for each node that self-play meets. Later the nodes are too many for that,
and the cards say more: a seat's part of the pot is its equity, over its range, against the buckets
that the others hold, put right by what self-play made of such an equity and such a hand in such a
situation (round, players left, who is to act, whether there is a bet, chips behind). They are asked
at the end of a round alone: to there the estimate plays on
(:mod:`sixmax.evaluation.aivat.playout`), and so the last round needs no values.

AIVAT is unbiased whatever these values are; they are good or bad only in how much luck they take
off.
"""

import hashlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.errors import UserError
from sixmax.evaluation.aivat.values_kernels import population
from sixmax.jit import njit, uncounted
from sixmax.store import read
from sixmax.store.io import digest

KNOTS = 9  # equities, and strengths, at which what self-play made of them is kept


class Values(NamedTuple):
    """Chips that each seat wins from a node on, over the whole hand.

    A block begins with the mean of each of its L seats; then, for each seat j and each of its G
    buckets of the first round, what each seat i wins more: ``value[at + L + (j G + g) L + i]``.

    block: int32[nodes]        the node whose block counts, with the cards of the first round
    at: int64[nodes]           first entry of a node's own block, -1 where it has none
    value: float32[entries]    chips
    seats: int16[nodes]        mask of the seats that have not folded
    chips: int32[nodes, seats] put in
    pot: int32[nodes]          all that can be won
    situation: int16[nodes]    but for who the hero is; -1 where nothing is to be decided
    equity: float32[rounds, buckets, buckets]  what a bucket wins against another, on average
    strength: float32[rounds, buckets]  what a bucket wins against any other
    share: float32[situations, 4, KNOTS, KNOTS]  more of the pot than that, at equities and at
                               strengths of the hero; the second index says whether he is to act,
                               and whether he is last
    """

    block: np.ndarray
    at: np.ndarray
    value: np.ndarray
    seats: np.ndarray
    chips: np.ndarray
    pot: np.ndarray
    situation: np.ndarray
    equity: np.ndarray
    strength: np.ndarray
    share: np.ndarray


@njit
def worth(values, x, acts, r, hero, mine, theirs):
    """What seat ``hero`` wins from node ``x`` on, with the cards of round ``r``.

    ``mine`` float64[buckets] is how the hero's range lies in the buckets of the round (its sum is
    1); ``theirs`` int32[seats, rounds] the buckets of the others; ``acts`` whether the hero is to
    act in that round.
    """
    edge = np.zeros(len(mine))
    for b in range(len(mine)):
        if mine[b] > 0.0:
            edge[b] = equity_of(values, values.seats[x], r, hero, b, theirs)
    return worth_by(values, x, acts, r, hero, mine, theirs, edge)


@uncounted
def worth_by(values, x, acts, r, hero, mine, theirs, edge):
    """:func:`worth`, the part of the pot that each bucket wins being ``edge`` float64[buckets]."""
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
    """What the block of node ``x`` says: a sum over the seats that are left."""
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
    """The part of the pot of bucket ``b`` if nobody bet again: all others of the mask ``left``
    beaten, each for himself."""
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
    """``table`` float32[KNOTS, KNOTS] at an equity and a strength, straight lines between."""
    n = len(table) - 1
    at, by = min(max(e, 0.0), 1.0) * n, min(max(h, 0.0), 1.0) * n
    i, j = min(np.int64(at), n - 1), min(np.int64(by), n - 1)
    at, by = at - i, by - j
    low = table[i, j] * (1.0 - by) + table[i, j + 1] * by
    high = table[i + 1, j] * (1.0 - by) + table[i + 1, j + 1] * by
    return low * (1.0 - at) + high * at


def root_means(values: Values, share: np.ndarray) -> np.ndarray:
    """What each seat wins by the values before any card is dealt: float64[seats].

    ``share`` float64[seats, buckets] is how often each seat is dealt each bucket.
    """
    seats, buckets = len(share), values.equity.shape[1]
    first = values.at[0]
    mean = values.value[first : first + seats].astype(np.float64)
    more = values.value[first + seats : first + seats + seats * buckets * seats]
    more = more.reshape(seats, buckets, seats)[:, : share.shape[1]]
    return mean + np.einsum("jg,jgi->i", share, more)


def load(run: Run, path: Path | None = None) -> tuple[Values, str]:
    """The values of ``run`` and their digest. Raises UserError where they are another run's."""
    store = read(path or run.folder / "evaluation" / "values.zarr", "values")
    if store.attributes.get("run") != run.identity["digest"]:
        raise UserError(
            f"{store.path}: belongs to run {store.attributes.get('run')}, "
            f"wanted {run.identity['digest']}; run `sixmax values` again"
        )
    every = [store[name] for name in Values._fields]
    text = "".join(digest(array) for array in every)
    return Values(*every), hashlib.sha256(text.encode()).hexdigest()[:16]
