"""The kernels of :mod:`sixmax.evaluation.values`: self-play, what it adds up, what is left of it.

While hands are counted the block of a node has, for each seat j that it holds and each group g of
that seat's cards, the hands met and the chips that each seat i won: ``count[at + j G + g]`` and
``won[to + (j G + g) L + i]`` with L seats and G groups.
"""

import numpy as np

from sixmax.cfr.terminal import terminal_value
from sixmax.evaluation.agents import Ground, act
from sixmax.game.tree import DECISION, FOLDABLE
from sixmax.jit import njit, parallel, prange
from sixmax.rng import stream, unit

_PARTS = 64


@njit
def seats_in(node, parent, action, seats):
    """The seats that have not folded at each node, as a mask: int16[nodes]."""
    mask = np.empty(len(node), np.int16)
    mask[0] = (1 << seats) - 1
    for x in range(1, len(node)):
        mask[x] = mask[parent[x]]
        if action[x] == -1:
            mask[x] &= ~(1 << (node[parent[x], 0] >> 4 & 15))
    return mask


@njit
def population(mask):
    """How many bits are set."""
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


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
def add_kernel(node, parent, at, first, seats, groups, group, bucket, end, net, count, won):
    """Add hands to the sums of all the nodes that they passed; one seat's cards a thread."""
    for seat in prange(net.shape[1]):
        _add_seat(node, parent, at, first, seats, groups, group, bucket, end, net, seat, count, won)


@njit
def _add_seat(node, parent, at, first, seats, groups, group, bucket, end, net, seat, count, won):
    for i in range(len(end)):
        x = end[i]
        while x >= 0:
            r = node[x, 0] >> 8 & 15
            last = node[parent[x], 0] >> 8 & 15 if x > 0 else r
            for phase in range(2):
                b = at[x, phase]
                if b < 0 or not seats[b] >> seat & 1 or (phase == 1 and at[x, 0] == b):
                    continue
                now = r if phase else last
                n, mine = groups[b], group[now, bucket[i, seat, now]]
                cell = population(seats[b] & (1 << seat) - 1) * n + mine
                count[first[b, 0] + cell] += 1
                to = first[b, 1] + cell * population(seats[b])
                for p in range(net.shape[1]):
                    if seats[b] >> p & 1:
                        won[to] += net[i, p]
                        to += 1
            x = parent[x]


@njit
def settle_kernel(before, first, seats, groups, prior_hands, count, won, kept, to, value):
    """Means of the blocks ``kept``, drawn towards those of the block ``before`` them.

    ``before`` int64[blocks] is the block of the parent, -1 at the root; a block comes after it.
    ``to`` int64[blocks] is where the values of a kept block begin. A cell of n hands gets n shares
    of what they won and ``prior_hands`` of what the block before says of the same cards.
    """
    size = np.zeros(16)
    for b in range(len(kept)):
        if not kept[b]:
            continue
        n, held = groups[b], population(seats[b])
        out = value[to[b] :]
        size[:held] = 0.0
        hands = 0.0
        for g in range(n):  # any seat's cards will do: every hand is counted once for each
            hands += count[first[b, 0] + g]
            for i in range(held):
                size[i] += won[first[b, 1] + g * held + i]
        old = before[b]
        i = 0
        for p in range(16):
            if not seats[b] >> p & 1:
                continue
            mean = size[i] / max(hands, 1.0)
            if old >= 0:
                place = population(seats[old] & (1 << p) - 1)
                mean = (size[i] + prior_hands * value[to[old] + place]) / (hands + prior_hands)
            out[i] = mean
            i += 1
        j = 0
        for p in range(16):
            if not seats[b] >> p & 1:
                continue
            for g in range(n):
                met = np.float64(count[first[b, 0] + j * n + g])
                i = 0
                for q in range(16):
                    if not seats[b] >> q & 1:
                        continue
                    cell = (j * n + g) * held + i
                    more = won[first[b, 1] + cell] - met * out[i]
                    if old >= 0:
                        wide = population(seats[old])
                        pj = population(seats[old] & (1 << p) - 1)
                        pi = population(seats[old] & (1 << q) - 1)
                        pg = g * groups[old] // n
                        place = wide + (pj * groups[old] + pg) * wide + pi
                        more += prior_hands * value[to[old] + place]
                    out[held + cell] = more / (met + prior_hands)
                    i += 1
            j += 1
