"""What every point of the tree is worth to each player: the value function of AIVAT.

Found by the blueprint's self-play, before any match and apart from it. In the first round what seat
i wins is a sum over the seats j that are left, ``mean_i + sum_j more_ij(bucket of j)``, for each
node that self-play meets. Later the nodes are too many for that, and the cards say more: a seat's
part of the pot is its equity, over its range, against the buckets that the others hold, put right
by what self-play made of such an equity and such a hand in such a situation (round, players left,
who is to act, whether there is a bet, chips behind). They are asked at the end of a round alone: to
there the estimate plays on (:mod:`sixmax.evaluation.aivat_playout`), and so the last round needs no
values.

AIVAT is unbiased whatever these values are; they are good or bad only in how much luck they take
off.
"""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cfr.deal import Dealer, Deals
from sixmax.errors import UserError
from sixmax.evaluation.agents import Agent, Ground
from sixmax.evaluation.values_kernels import (
    add_kernel,
    equity_kernel,
    play_kernel,
    population,
    settle_kernel,
)
from sixmax.game.config import GameConfig
from sixmax.game.fields import fields
from sixmax.game.rules import CHIPS, FOLDERS
from sixmax.game.tree import DECISION, FOLDABLE, SHOWDOWN, Tree
from sixmax.jit import njit
from sixmax.rng import child
from sixmax.store import read
from sixmax.store.io import digest

PRIOR = 30.0  # hands that the values of the node before count for
FEWEST = 100  # hands that a node needs to have values of its own
CHUNK = 1 << 15  # hands played at a time
KNOTS = 9  # equities, and strengths, at which what self-play made of them is kept
BEHIND = (0.5, 1.5, 4.0)  # chips behind by the pot: where one situation ends and the next begins


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


@njit
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


@njit
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


@njit
def equity_of(values, left, r, hero, b, theirs):
    """The part of the pot of bucket ``b`` if nobody bet again: all others of the mask ``left``
    beaten, each for himself."""
    wins = 1.0
    for seat in range(len(theirs)):
        if seat != hero and left >> seat & 1:
            wins *= values.equity[r, b, theirs[seat, r]]
    return wins


@njit
def equity_over(values, left, r, hero, mine, theirs):
    """:func:`equity_of` over the range ``mine`` float64[buckets]."""
    total = 0.0
    for b in range(len(mine)):
        if mine[b] > 0.0:
            total += mine[b] * equity_of(values, left, r, hero, b, theirs)
    return total


@njit
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


def estimate(
    game: GameConfig,
    where: Ground,
    dealer: Dealer,
    player: Agent,
    hands: int,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> Values:
    """Values of the game in which ``player`` has all seats, from ``hands`` hands.

    They say of a later round that a player gets his equity, which
    :func:`sixmax.evaluation.values_fit.fit` puts right. The same whatever the threads.
    """
    tree = where.tree
    rounds, seats = tree.columns.shape
    hand = fields(game, tree, (FOLDERS, *range(CHIPS, CHIPS + seats)))
    inside = ((1 << seats) - 1 & ~hand[:, 0]).astype(np.int16)
    most = max(dealer.buckets)
    first, counts, entries = _blocks(tree, inside, most)
    count, won = np.zeros(counts, np.int32), np.zeros(entries)
    equity, met = np.zeros((rounds, most, most)), np.zeros((rounds, most, most))
    for dealt, end, net in self_play(where, dealer, player, hands, seed, progress):
        add_kernel(tree.parent, first, inside, most, dealt.bucket, end, net, count, won)
        equity_kernel(dealt.bucket, dealt.rank, equity, met)
    chips = np.ascontiguousarray(hand[:, 1:])
    situation, situations = _situations(game, tree, inside, chips)
    pot = chips.sum(axis=1)
    even = tree.node[:, 0] & 15 == SHOWDOWN
    pot[even] = tree.node[even, 1]
    chips[even] = np.minimum(chips[even], tree.node[even, 2:3])
    return Values(
        *_settle(tree, inside, first, count, won, most), inside, chips, pot.astype(np.int32),
        situation, ((equity + 1.0) / (met + 2.0)).astype(np.float32),
        ((equity.sum(axis=2) + 1.0) / (met.sum(axis=2) + 2.0)).astype(np.float32),
        np.zeros((situations, 4, KNOTS, KNOTS), np.float32),
    )  # fmt: skip


def self_play(
    where: Ground,
    dealer: Dealer,
    player: Agent,
    hands: int,
    seed: int,
    progress: Callable[[int], None],
) -> Iterator[tuple[Deals, np.ndarray, np.ndarray]]:
    """``hands`` hands of ``player`` in all seats, CHUNK at a time: what was dealt, the node where
    each hand ended int64[n], and net chips float64[n, seats]."""
    seats = where.tree.columns.shape[1]
    for start in range(0, hands, CHUNK):
        n = min(CHUNK, hands - start)
        dealt = dealer.deal(child(seed, "deals"), start, n)
        end, net = np.empty(n, np.int64), np.empty((n, seats))
        play_kernel(
            player, *where, dealt.bucket, dealt.rank, np.uint64(start), child(seed, "draws"), end,
            net,
        )  # fmt: skip
        yield dealt, end, net
        progress(n)


def _blocks(tree: Tree, inside: np.ndarray, buckets: int) -> tuple[np.ndarray, int, int]:
    """First entries of the blocks of all nodes reached in the first round and not over there:
    int64[nodes, 2], -1 elsewhere; and how many entries of each kind there are."""
    head = tree.node[:, 0]
    last = (head >> 8 & 15)[np.maximum(tree.parent, 0)]
    has = (head & 15 == DECISION) & (last == 0)
    held = np.bitwise_count(inside.astype(np.uint16)).astype(np.int64) * has
    sizes = np.stack([held * buckets, held * held * buckets], axis=1)
    ends = np.cumsum(sizes, axis=0)
    return np.where(has[:, None], ends - sizes, -1), int(ends[-1, 0]), int(ends[-1, 1])


def _settle(
    tree: Tree,
    inside: np.ndarray,
    first: np.ndarray,
    count: np.ndarray,
    won: np.ndarray,
    buckets: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """block, at and value: nodes with too few hands share the block of the last that has enough."""
    held = np.bitwise_count(inside.astype(np.uint16)).astype(np.int64)
    has = np.flatnonzero(first[:, 0] >= 0)
    met = np.zeros(len(first), np.int64)
    met[has] = np.add.reduceat(count, first[has, 0], dtype=np.int64) // held[has]
    kept = met >= FEWEST
    kept[0] = True
    block = np.where(kept, np.arange(len(kept)), -1)
    before = np.full(len(kept), -1)
    _inherit(tree.parent, first[:, 0] >= 0, kept, block, before)
    size = np.where(kept, held + held * held * buckets, 0)
    to = np.cumsum(size) - size
    value = np.zeros(size.sum(), np.float32)
    settle_kernel(before, first, inside, buckets, PRIOR, count, won, kept, to, value)
    return block.astype(np.int32), np.where(kept, to, -1), value


@njit
def _inherit(parent, has, kept, block, before):
    for x in range(1, len(parent)):
        if has[x]:
            before[x] = block[parent[x]]
            if not kept[x]:
                block[x] = before[x]


def _situations(
    game: GameConfig, tree: Tree, inside: np.ndarray, chips: np.ndarray
) -> tuple[np.ndarray, int]:
    """The situation of each node, int16[nodes], -1 where nothing is to be decided any more."""
    head, rounds = tree.node[:, 0], tree.columns.shape[0]
    kind, r = head & 15, head >> 8 & 15
    last = r[np.maximum(tree.parent, 0)]
    left = np.clip(np.bitwise_count(inside.astype(np.uint16)), 2, 4) - 2
    pot = chips.sum(axis=1)
    behind = (np.asarray(game.stacks) - chips).max(axis=1, where=_bits(inside, chips), initial=0)
    depth = np.searchsorted(BEHIND, behind / np.maximum(pot, 1))
    facing, n = head & FOLDABLE != 0, head >> 12 & 255
    raises = n > 1 + facing
    way = np.where(facing, 1, 0) + 2 * raises  # 0 to 3; 4: the round is over
    code = lambda r, way: ((r * 3 + left) * 4 + depth) * 5 + way  # noqa: E731
    decides = kind == DECISION
    found = np.where(decides, np.where(r > last, code(last, 4), code(r, way)), -1)
    return found.astype(np.int16), rounds * 60


def _bits(inside: np.ndarray, chips: np.ndarray) -> np.ndarray:
    return (inside[:, None] >> np.arange(chips.shape[1]) & 1).astype(bool)


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
