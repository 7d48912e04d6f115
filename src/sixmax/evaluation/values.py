"""What every point of the tree is worth to each player: the value function of AIVAT.

Counted over hands that the blueprint plays with itself, before any match and apart from it. What
seat i wins from a node on is taken as a sum over the seats j that are left:
``mean_i + sum_j more_ij(cards of j)``, the cards of a seat told apart by groups of neighbouring
buckets (buckets are numbered by strength). A sum has an expectation that needs no joint
distribution of hands, and whose means over a range cost a table row.

# ASSUME nothing: AIVAT is unbiased for any values whatever, and these are good or bad only in how
much of the luck they take away. Nodes that self-play hardly meets have the values of the last node
before them that it does.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sixmax.blueprint.run import Run
from sixmax.cfr.deal import Dealer
from sixmax.errors import UserError
from sixmax.evaluation.agents import Agent, Ground
from sixmax.evaluation.values_kernels import (
    add_kernel,
    play_kernel,
    population,
    seats_in,
    settle_kernel,
)
from sixmax.game.tree import DECISION, FOLDED, Tree
from sixmax.jit import njit
from sixmax.rng import child
from sixmax.store import read
from sixmax.store.io import digest

GROUPS = 20  # of the buckets of a round after the first; those of the first are all told apart
PRIOR = 30.0  # hands that the values of the node before count for
FEWEST = 30  # hands that a node needs to have values of its own
CHUNK = 1 << 15  # hands played at a time


class Values(NamedTuple):
    """Chips that each seat wins from a node on, over the whole hand.

    A block begins with the mean of each of its L seats; then, for each seat j and each of its G
    groups, what each seat i wins more than its mean: ``value[first + L + (j G + g) L + i]``.

    at: int32[nodes, 2]   block of a node with the cards known when it was reached, and with those
                          that it is played with; ``-1 - block`` where only its means are to count
    first: int64[blocks]  first entry
    seats: int16[blocks]  mask of the seats
    groups: int32[blocks] G
    group: uint8[rounds, buckets]  of the buckets of each round
    value: float32[entries] chips
    """

    at: np.ndarray
    first: np.ndarray
    seats: np.ndarray
    groups: np.ndarray
    group: np.ndarray
    value: np.ndarray


@njit
def worth(values, block, hero, mine, theirs):
    """What seat ``hero`` wins by ``block``, its range spread over groups as ``mine`` float64[G]
    says (it sums to 1), the cards of the others in the groups ``theirs`` int64[seats]."""
    b = block if block >= 0 else -1 - block
    mask, first, value = np.int64(values.seats[b]), values.first[b], values.value
    held, i = population(mask), population(mask & (1 << hero) - 1)
    total = np.float64(value[first + i])
    if block < 0:
        return total
    width, j = values.groups[b] * held, 0
    for seat in range(theirs.size):
        if mask >> seat & 1:
            row = first + held + j * width + i
            if seat == hero:
                for g in range(values.groups[b]):
                    total += mine[g] * value[row + g * held]
            else:
                total += value[row + theirs[seat] * held]
            j += 1
    return total


@njit
def worth_of(values, block, hero, group):
    """The same where the groups int64[seats] of all seats are known."""
    b = block if block >= 0 else -1 - block
    mask, first, value = np.int64(values.seats[b]), values.first[b], values.value
    held, i = population(mask), population(mask & (1 << hero) - 1)
    total = np.float64(value[first + i])
    if block < 0:
        return total
    j = 0
    for seat in range(group.size):
        if mask >> seat & 1:
            total += value[first + held + (j * values.groups[b] + group[seat]) * held + i]
            j += 1
    return total


def root_means(values: Values, share: np.ndarray) -> np.ndarray:
    """What each seat wins by the values before any card is dealt: float64[seats].

    ``share`` float64[seats, buckets] is how often each seat is dealt each bucket.
    """
    seats, root = len(share), values.at[0, 1]
    first, groups = values.first[root], int(values.groups[root])
    mean = values.value[first : first + seats].astype(np.float64)
    more = values.value[first + seats : first + seats + seats * groups * seats]
    more = more.reshape(seats, groups, seats)
    spread = np.zeros((seats, groups))
    for seat in range(seats):
        spread[seat] = np.bincount(values.group[0, : share.shape[1]], share[seat], groups)
    return mean + np.einsum("jg,jgi->i", spread, more)


def groups_of(strength: np.ndarray, weight: np.ndarray, groups: int) -> np.ndarray:
    """Groups of equally many hands in the order of strength: uint8[buckets].

    ``weight`` says how many hands a bucket has. As many groups as buckets, where those are few.
    """
    if len(strength) <= groups:
        return np.arange(len(strength), dtype=np.uint8)
    order = np.argsort(strength, kind="stable")
    share = np.cumsum(weight[order]) / weight.sum()
    found = np.empty(len(strength), np.uint8)
    found[order] = np.minimum((share - share[0]) * groups, groups - 1).astype(np.uint8)
    return np.unique(found, return_inverse=True)[1].astype(np.uint8)


def estimate(
    where: Ground,
    dealer: Dealer,
    player: Agent,
    group: np.ndarray,
    hands: int,
    seed: int,
    progress: Callable[[int], None] = lambda n: None,
) -> Values:
    """Values of the game in which ``player`` has all seats, from ``hands`` hands.

    ``group`` uint8[rounds, buckets]. The same whatever the threads.
    """
    tree = where.tree
    seats = tree.columns.shape[1]
    blocks = _blocks(tree, group)
    count = np.zeros(blocks.first[-1, 0], np.int32)
    won = np.zeros(blocks.first[-1, 1])
    for begin in range(0, hands, CHUNK):
        n = min(CHUNK, hands - begin)
        dealt = dealer.deal(child(seed, "deals"), begin, n)
        end, net = np.empty(n, np.int64), np.empty((n, seats))
        play_kernel(
            player, *where, dealt.bucket, dealt.rank, np.uint64(begin), child(seed, "draws"), end,
            net,
        )  # fmt: skip
        add_kernel(
            tree.node, tree.parent, blocks.at, blocks.first, blocks.seats, blocks.groups, group,
            dealt.bucket, end, net, count, won,
        )  # fmt: skip
        progress(n)
    return _settle(tree, blocks, group, count, won)


class _Blocks(NamedTuple):
    """Where hands are counted: a block for each node and time that has values."""

    at: np.ndarray  # int32[nodes, 2], -1 for none
    before: np.ndarray  # int64[blocks]: that of the parent
    first: np.ndarray  # int64[blocks + 1, 2]: first entry of counts and of chips
    seats: np.ndarray  # int16[blocks]
    groups: np.ndarray  # int32[blocks]


def _blocks(tree: Tree, group: np.ndarray) -> _Blocks:
    """Every node but those whose payoffs are known: all others folded, or the last showdown."""
    rounds, seats = tree.columns.shape
    head = tree.node[:, 0]
    kind, r = head & 15, head >> 8 & 15
    inside = seats_in(tree.node, tree.parent, tree.action, seats)
    last = r[np.maximum(tree.parent, 0)]
    known = (kind == FOLDED) | ((kind != DECISION) & (r == rounds - 1))
    reached, opens = ~known, (kind == DECISION) & (r > last)
    reached[0], opens[0] = False, True
    own = np.stack([reached, opens], axis=1)
    number = np.cumsum(own.ravel()).reshape(own.shape) - 1
    at = np.where(own, number, -1).astype(np.int32)
    plain = (kind == DECISION) & ~opens
    at[plain, 1] = at[plain, 0]
    x, phase = np.nonzero(own)
    before = np.where(phase == 1, at[x, 0], at[tree.parent[x], 1])
    before[x == 0] = -1
    many = 1 + group.max(axis=1).astype(np.int64)
    groups = many[np.where(phase == 1, r[x], last[x])]
    held = np.bitwise_count(inside[x].astype(np.uint16)).astype(np.int64)
    sizes = np.stack([held * groups, held * held * groups], axis=1)
    first = np.concatenate([np.zeros((1, 2), np.int64), np.cumsum(sizes, axis=0)])
    return _Blocks(at, before, first, inside[x], groups.astype(np.int32))


def _settle(
    tree: Tree, blocks: _Blocks, group: np.ndarray, count: np.ndarray, won: np.ndarray
) -> Values:
    """The means; nodes with too few hands share the block of the last that has enough."""
    met = np.add.reduceat(count, blocks.first[:-1, 0], dtype=np.int64)
    held = np.bitwise_count(blocks.seats.astype(np.uint16)).astype(np.int64)
    kept = met >= FEWEST * held
    kept[blocks.at[0, 1]] = True
    size = np.where(kept, held + held * held * blocks.groups, 0)
    to = np.cumsum(size) - size
    value = np.zeros(size.sum(), np.float32)
    settle_kernel(
        blocks.before, blocks.first, blocks.seats, blocks.groups, PRIOR, count, won, kept, to,
        value,
    )  # fmt: skip
    renumbered = np.where(kept, np.cumsum(kept) - 1, -1)
    at = np.full(blocks.at.shape, -1, np.int32)
    _inherit_kernel(tree.node, tree.parent, blocks.at, renumbered, at)
    return Values(
        at, to[kept], blocks.seats[kept], blocks.groups[kept], group, value,
    )  # fmt: skip


@njit
def _inherit_kernel(node, parent, counted, renumbered, at):
    """Nodes without a block of their own take the one before; new cards leave it only its means."""
    at[0, 0] = -1 - renumbered[counted[0, 1]]
    at[0, 1] = renumbered[counted[0, 1]]
    for x in range(1, len(node)):
        b = counted[x, 0]
        at[x, 0] = renumbered[b] if b >= 0 and renumbered[b] >= 0 else at[parent[x], 1]
        b = counted[x, 1]
        opens = node[x, 0] & 15 == DECISION and node[x, 0] >> 8 & 15 > node[parent[x], 0] >> 8 & 15
        if not opens:
            at[x, 1] = at[x, 0]
        elif renumbered[b] >= 0:
            at[x, 1] = renumbered[b]
        else:
            at[x, 1] = at[x, 0] if at[x, 0] < 0 else -1 - at[x, 0]


def run_groups(run: Run) -> np.ndarray:
    """The groups of the buckets of a run: uint8[rounds, buckets]."""
    counts = run.layout.buckets
    found = np.zeros((len(counts), int(counts.max())), np.uint8)
    for r, n in enumerate(counts.tolist()):
        if run.buckets is None or r == 0:
            found[r, :n] = np.arange(n)
        else:
            strength = np.nan_to_num(run.buckets.strength[r, :n])
            found[r, :n] = groups_of(strength, np.ones(n), GROUPS)
    return found


def load(run: Run, path: Path | None = None) -> tuple[Values, str]:
    """The values of ``run`` and their digest. Raises UserError where they are another run's."""
    store = read(path or run.folder / "evaluation" / "values.zarr", "values")
    if store.attributes.get("run") != run.identity["digest"]:
        raise UserError(
            f"{store.path}: belongs to run {store.attributes.get('run')}, "
            f"wanted {run.identity['digest']}; run `sixmax values` again"
        )
    return Values(*(store[name] for name in Values._fields)), digest(store["value"])[:16]
