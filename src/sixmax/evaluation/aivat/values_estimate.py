"""The values of AIVAT from self-play: means over the hands that passed a node.

Each node of the first round that enough hands passed has a block of its own, shrunk towards that of
its parent; the others use the block of their last ancestor that has one. While hands are counted,
the block of a node has, for each seat j that has not folded and each bucket g of that seat, the
number of hands and the chips that each seat i won: ``count[first + j G + g]`` and
``won[first' + (j G + g) L + i]`` with L such seats and G buckets.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, parallel, prange, read_only
from sixmax.base.progress import Done, quiet
from sixmax.betting.config import GameConfig
from sixmax.betting.rules import CHIPS, FOLDERS
from sixmax.betting.tree import (
    DECISION,
    SHOWDOWN,
    Tree,
    fields,
    is_decision,
    kind_of,
    n_actions,
    offers_fold,
    round_of,
)
from sixmax.cfr.deals import Dealer
from sixmax.evaluation.aivat.values import KNOTS, Values, population
from sixmax.evaluation.match.play import self_play
from sixmax.ongoing.policies import MatchGame, Policy

PRIOR = 30.0  # hands that the values of the parent's block count for
FEWEST = 100  # hands that a node needs for values of its own
BEHIND = (0.5, 1.5, 4.0)  # chips behind by the pot: bounds between situations


class Blocks(NamedTuple):
    """The blocks of the nodes."""

    first: np.ndarray  # int64[nodes, 2]: the first entries of a block, -1 without one
    seats: np.ndarray  # int16[nodes]: mask of those that have not folded
    buckets: int


class BlockSums(NamedTuple):
    """Hands and chips of all blocks, see the module."""

    count: np.ndarray  # int32[counts]
    won: np.ndarray  # float64[entries]


def estimate(
    game: GameConfig, match_game: MatchGame, dealer: Dealer, player: Policy, hands: int, seed: int,
    progress: Done = quiet,
) -> Values:  # fmt: skip
    """Values of the game in which ``player`` has all seats, from ``hands`` hands.

    In later rounds they are equities, which :func:`.values_fit.fit` corrects. The result does not
    depend on the number of threads.
    """
    tree = match_game.tree
    rounds, seats = tree.columns.shape
    states = fields(game, tree, (FOLDERS, *range(CHIPS, CHIPS + seats)))
    left = ((1 << seats) - 1 & ~states[:, 0]).astype(np.int16)
    most = max(dealer.buckets)
    first, counts, entries = _blocks(tree, left, most)
    blocks = Blocks(first, left, most)
    sums = BlockSums(np.zeros(counts, np.int32), np.zeros(entries))
    equity, met = np.zeros((rounds, most, most)), np.zeros((rounds, most, most))
    for dealt, end, net in self_play(match_game, dealer, player, hands, seed, progress):
        add_kernel(tree.parent, blocks, dealt.bucket, end, net, sums)
        equity_kernel(dealt.bucket, dealt.rank, equity, met)
    chips = np.ascontiguousarray(states[:, 1:])
    situation, situations = _situations(game, tree, left, chips)
    pot = chips.sum(axis=1)
    even = kind_of(tree.node[:, 0]) == SHOWDOWN
    pot[even] = tree.node[even, 1]
    chips[even] = np.minimum(chips[even], tree.node[even, 2:3])
    arrays = (
        *_settle(tree, blocks, sums), left, chips, pot.astype(np.int32),
        situation, ((equity + 1.0) / (met + 2.0)).astype(np.float32),
        ((equity.sum(axis=2) + 1.0) / (met.sum(axis=2) + 2.0)).astype(np.float32),
        np.zeros((situations, 4, KNOTS, KNOTS), np.float32),
    )  # fmt: skip
    return Values(*map(read_only, arrays))


def _blocks(tree: Tree, left: np.ndarray, buckets: int) -> tuple[np.ndarray, int, int]:
    """First entries of the blocks, int64[nodes, 2], and the numbers of entries of both kinds.

    Decisions reached by an action of the first round have one; all others have -1.
    """
    head = tree.node[:, 0]
    last = round_of(head)[np.maximum(tree.parent, 0)]
    has = is_decision(head) & (last == 0)
    held = np.bitwise_count(left.astype(np.uint16)).astype(np.int64) * has
    sizes = np.stack([held * buckets, held * held * buckets], axis=1)
    ends = np.cumsum(sizes, axis=0)
    return np.where(has[:, None], ends - sizes, -1), int(ends[-1, 0]), int(ends[-1, 1])


def _settle(
    tree: Tree, blocks: Blocks, sums: BlockSums
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """block, at and value; a node with too few hands uses the block of its last ancestor."""
    first, left, buckets = blocks
    held = np.bitwise_count(left.astype(np.uint16)).astype(np.int64)
    has = np.flatnonzero(first[:, 0] >= 0)
    met = np.zeros(len(first), np.int64)
    met[has] = np.add.reduceat(sums.count, first[has, 0], dtype=np.int64) // held[has]
    kept = met >= FEWEST
    kept[0] = True
    block = np.where(kept, np.arange(len(kept)), -1)
    before = np.full(len(kept), -1)
    _inherit(tree.parent, first[:, 0] >= 0, kept, block, before)
    size = np.where(kept, held + held * held * buckets, 0)
    to = np.cumsum(size) - size
    value = np.zeros(size.sum(), np.float32)
    settle_kernel(before, blocks, sums, kept, to, value)
    return block.astype(np.int32), np.where(kept, to, -1), value


@njit
def _inherit(parent, has, kept, block, before):
    for x in range(1, len(parent)):
        if has[x]:
            before[x] = block[parent[x]]
            if not kept[x]:
                block[x] = before[x]


def _situations(
    game: GameConfig, tree: Tree, left: np.ndarray, chips: np.ndarray
) -> tuple[np.ndarray, int]:
    """The situation of each node, int16[nodes], -1 at terminals; and the number of situations."""
    head, rounds = tree.node[:, 0], tree.columns.shape[0]
    kind, r = kind_of(head), round_of(head)
    last = r[np.maximum(tree.parent, 0)]
    others = np.clip(np.bitwise_count(left.astype(np.uint16)), 2, 4) - 2
    pot = chips.sum(axis=1)
    seated = (left[:, None] >> np.arange(chips.shape[1]) & 1).astype(bool)
    behind = (np.asarray(game.stacks) - chips).max(axis=1, where=seated, initial=0)
    depth = np.searchsorted(BEHIND, behind / np.maximum(pot, 1))
    facing, n = offers_fold(head), n_actions(head)
    choice = facing + 2 * (n > 1 + facing)  # 0 to 3; 4: the round is over
    over = r > last
    code = ((np.where(over, last, r) * 3 + others) * 4 + depth) * 5 + np.where(over, 4, choice)
    return np.where(kind == DECISION, code, -1).astype(np.int16), rounds * 60


@njit
def equity_kernel(bucket, rank, won, met):
    """Add the share that each bucket wins against each to ``won``, and the pairs to ``met``.

    Both are float64[rounds, buckets, buckets]; the pairs are those of the seats of a deal.
    """
    n, seats, rounds = bucket.shape
    for i in range(n):
        for p in range(seats):
            for q in range(seats):
                if p != q:
                    mine, theirs = rank[i, 0, p], rank[i, 0, q]
                    share = 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
                    for r in range(rounds):
                        won[r, bucket[i, p, r], bucket[i, q, r]] += share
                        met[r, bucket[i, p, r], bucket[i, q, r]] += 1.0


@parallel
def add_kernel(parent, blocks, bucket, end, net, sums):
    """Add hands to the sums of the nodes that they passed; one seat's cards a thread."""
    first, seats, buckets = blocks
    count, won = sums
    for seat in prange(net.shape[1]):
        for i in range(len(end)):
            x = end[i]
            while x >= 0:
                if first[x, 0] >= 0 and seats[x] >> seat & 1:
                    held = population(seats[x])
                    cell = population(seats[x] & (1 << seat) - 1) * buckets + bucket[i, seat, 0]
                    count[first[x, 0] + cell] += 1
                    to = first[x, 1] + cell * held
                    for p in range(net.shape[1]):
                        if seats[x] >> p & 1:
                            won[to] += net[i, p]
                            to += 1
                x = parent[x]


@njit
def settle_kernel(before, blocks, sums, kept, to, value):
    """Means of the blocks of the nodes ``kept``, from ``to`` int64[nodes] on in ``value``.

    A mean of n hands weighs n, and that for the same cards in the block of the node ``before``, -1
    at the root, PRIOR.
    """
    (first, seats, n), (count, won) = blocks, sums
    at = np.empty(16, np.int64)  # the place of each seat in the block before
    for x in range(len(kept)):
        if not kept[x]:
            continue
        held, has, i = population(seats[x]), before[x] >= 0, 0
        old = before[x] if has else x
        for p in range(16):
            if seats[x] >> p & 1:
                at[i] = population(seats[old] & (1 << p) - 1)
                i += 1
        counts = count[first[x, 0] :][: held * n].reshape(held, n)
        chips = won[first[x, 1] :][: held * n * held].reshape(held, n, held)
        wide = population(seats[old])
        mean, above = value[to[old] :][:wide], value[to[old] + wide :][: wide * n * wide]
        above, out = above.reshape(wide, n, wide), value[to[x] :]
        hands = np.float64(counts[0].sum())  # any seat's cards: each counts every hand once
        for i in range(held):
            size = 0.0
            for g in range(n):
                size += chips[0, g, i]
            out[i] = size / max(hands, 1.0)
            if has:
                out[i] = (size + PRIOR * mean[at[i]]) / (hands + PRIOR)
        for j in range(held):
            for g in range(n):
                met = np.float64(counts[j, g])
                for i in range(held):
                    more = chips[j, g, i] - met * out[i]
                    if has:
                        more += PRIOR * above[at[j], g, at[i]]
                    out[held + (j * n + g) * held + i] = more / (met + PRIOR)
