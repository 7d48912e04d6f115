"""The kernels of :mod:`sixmax.evaluation.aivat.values_estimate`: self-play, its sums, their means.

While hands are counted the block of a node has, for each seat j that it holds and each bucket g of
that seat, the hands met and the chips that each seat i won: ``count[first + j G + g]`` and
``won[first' + (j G + g) L + i]`` with L seats and G buckets.
"""

import numpy as np

from sixmax.cfr.terminal import terminal_value
from sixmax.evaluation.agents.policies import Ground, act
from sixmax.game.tree import DECISION, FOLDABLE
from sixmax.jit import njit, parallel, prange
from sixmax.rng import stream, unit

_PARTS = 64


@njit
def population(mask):
    """How many bits are set."""
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


@njit
def equity_kernel(bucket, rank, won, met):
    """Add what each bucket wins against each other, every two seats of every deal: ``won``
    float64[rounds, buckets, buckets], ``met`` alike."""
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
def play_kernel(agent, tree, layout, bits, book, bucket, rank, first, seed, end, net):
    """Deals played by ``agent`` in all seats: where they end, int64[n], and what each seat wins,
    float64[n, seats]."""
    n, seats = net.shape
    for part in prange(_PARTS):
        ground = Ground(tree, layout, bits, book)  # parallel loops take no tuples in tuples
        scratch = np.empty(seats)
        for i in range(n * part // _PARTS, n * (part + 1) // _PARTS):
            draws = stream(seed, first + np.uint64(i))
            end[i] = _play(agent, ground, bucket[i], rank[i], draws, net[i], scratch)


@njit
def _play(agent, ground, bucket, rank, draws, net, scratch):
    node = ground.tree.node
    x, folded = np.int64(0), 0
    while True:
        head = node[x, 0]
        if head & 15 != DECISION:
            break
        seat = head >> 4 & 15
        u = unit(stream(draws, np.uint64(x)))
        action = act(agent, ground, x, bucket[seat, head >> 8 & 15], u)
        if action == 0 and head & FOLDABLE:
            folded |= 1 << seat
            net[seat] = -np.float64(node[x, 3])
        x = node[x, 1] + action
    for seat in range(net.size):
        if not folded >> seat & 1:
            net[seat] = terminal_value(
                node, ground.tree.contributed, rank, node[x, 0], x, seat, scratch
            )
    return x


@parallel
def add_kernel(parent, first, seats, buckets, bucket, end, net, count, won):
    """Add hands to the sums of the nodes that they passed; one seat's cards a thread.

    ``first`` int64[nodes, 2] are the first entries of a block, -1 where there is none.
    """
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
def settle_kernel(before, first, seats, buckets, prior, count, won, kept, to, value):
    """Means of the blocks of the nodes ``kept``, drawn towards those of the block before.

    ``before`` is the node whose block comes before, -1 at the root; ``to`` int64[nodes] where the
    values of a block begin. A cell of n hands gets n shares of what they won and ``prior`` of what
    the block before says of the same cards.
    """
    size = np.zeros(16)
    for x in range(len(kept)):
        if not kept[x]:
            continue
        n, held, old = buckets, population(seats[x]), before[x]
        out = value[to[x] :]
        size[:held] = 0.0
        hands = 0.0
        for g in range(n):  # any seat's cards will do: every hand is counted once for each
            hands += count[first[x, 0] + g]
            for i in range(held):
                size[i] += won[first[x, 1] + g * held + i]
        i = 0
        for p in range(16):
            if not seats[x] >> p & 1:
                continue
            mean = size[i] / max(hands, 1.0)
            if old >= 0:
                place = population(seats[old] & (1 << p) - 1)
                mean = (size[i] + prior * value[to[old] + place]) / (hands + prior)
            out[i] = mean
            i += 1
        j = 0
        for p in range(16):
            if not seats[x] >> p & 1:
                continue
            for g in range(n):
                met = np.float64(count[first[x, 0] + j * n + g])
                i = 0
                for q in range(16):
                    if not seats[x] >> q & 1:
                        continue
                    cell = (j * n + g) * held + i
                    more = won[first[x, 1] + cell] - met * out[i]
                    if old >= 0:
                        wide = population(seats[old])
                        pj = population(seats[old] & (1 << p) - 1)
                        pi = population(seats[old] & (1 << q) - 1)
                        more += prior * value[to[old] + wide + (pj * n + g) * wide + pi]
                    out[held + cell] = more / (met + prior)
                    i += 1
            j += 1
