"""The values of AIVAT from self-play: sums over hands become means, places become situations.

Each node of the first round that enough hands came to has a block of its own, drawn towards that of
the node before; the others take over the block of the last node that has one.
"""

from collections.abc import Callable, Iterator

import numpy as np

from sixmax.cfr.deals import Dealer, Deals
from sixmax.evaluation.agents.policies import Agent, Ground
from sixmax.evaluation.aivat.values import KNOTS, Values
from sixmax.evaluation.aivat.values_kernels import (
    add_kernel,
    equity_kernel,
    play_kernel,
    settle_kernel,
)
from sixmax.game.config import GameConfig
from sixmax.game.fields import fields
from sixmax.game.rules import CHIPS, FOLDERS
from sixmax.game.tree import DECISION, FOLDABLE, SHOWDOWN, Tree
from sixmax.jit import njit
from sixmax.rng import child

PRIOR = 30.0  # hands that the values of the node before count for
FEWEST = 100  # hands that a node needs to have values of its own
CHUNK = 1 << 15  # hands played at a time
BEHIND = (0.5, 1.5, 4.0)  # chips behind by the pot: where one situation ends and the next begins


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
    :func:`sixmax.evaluation.aivat.values_fit.fit` puts right. The same whatever the threads.
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
