"""CFR without buckets on the flop: the betting from each root on, a part, hand by hand.

The regrets of a hand lie together; ends are summed up in lanes, the weakest hand first
(:mod:`sixmax.cards.strength_ladder`). Threads take flops, each with regrets of its own, so the
result is the same on any number of them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, parallel, prange
from sixmax.betting.tree import is_decision, n_actions, seat_of
from sixmax.betting.tree_cut import cut
from sixmax.cards.strength_ladder import Rungs, add_beaten, live
from sixmax.cfr.layout import entries
from sixmax.studies.flop_games.game import FlopGame, as_shares


class Parts(NamedTuple):
    """The betting from each root on; the nodes of a part lie together, parents before children."""

    first: np.ndarray  # int64[roots + 1]: the first node of each part
    origin: np.ndarray  # int64[nodes]: the node of the whole tree
    # int64[nodes, 4]: seat, actions, first child in the part, first entry in the tables of the part
    # and seat; seat -1 at ends
    decision: np.ndarray
    lane: np.ndarray  # int64[nodes]: of an end, its number among the folds or showdowns of a part
    shown: np.ndarray  # bool[nodes]: whether an end is a showdown
    chips: np.ndarray  # float64[nodes]: net chips of seat 0 at an end, where it wins
    entries: np.ndarray  # int64[2, roots + 1]: the first entry of each part in a seat's tables


def parts(game: FlopGame, roots: Sequence[int]) -> Parts:
    """The parts of ``game`` after ``roots``."""
    tree, walk = game.tree, game.walk(np.zeros(0), 0)
    first, origin, rows, ends = [0], [], [], []
    tables = np.zeros((2, len(roots) + 1), np.int64)
    for r, root in enumerate(roots):
        below = sorted(cut(tree, root, lambda node: False, 1).origin.tolist())
        local, used, lanes = {x: i for i, x in enumerate(below)}, [0, 0], [0, 0]
        for x in below:
            head, child = (int(n) for n in tree.node[x, :2])
            if is_decision(head):
                seat = seat_of(head)
                rows.append((seat, n_actions(head), local[child], used[seat]))
                ends.append((0, False, 0.0))
                used[seat] += n_actions(head)
            else:
                chips, shown = walk.stake(x)
                rows.append((-1, 0, 0, 0))
                ends.append((lanes[shown], shown, chips))
                lanes[shown] += 1
        origin += below
        first.append(len(origin))
        tables[:, r + 1] = tables[:, r] + used
    lane, shown, chips = (np.array(column) for column in zip(*ends, strict=True))
    return Parts(np.array(first), np.array(origin), np.array(rows), lane, shown, chips, tables)


class Flops(NamedTuple):
    """Hands of each flop by strength: classes, cards and ends of ties [F, n]; weights [F]."""

    of: np.ndarray  # int64[F, n]
    low: np.ndarray  # uint8[F, n]
    high: np.ndarray  # uint8[F, n]
    stop: np.ndarray  # int64[F, n]
    weight: np.ndarray  # float64[F]


class FlopTables(NamedTuple):
    """Tables of a seat on the flops: float32[F, entries * n], part by part and hand by hand."""

    regret: np.ndarray
    total: np.ndarray


class After(NamedTuple):
    """The game on the flops, and the tables of both seats there."""

    part: Parts
    flops: Flops
    tables: tuple[FlopTables, FlopTables]
    leaf: np.ndarray  # int64[nodes]: the part that a node of the trunk leads to, or -1


class OnFlop(NamedTuple):
    """One flop as the player ``me`` sees it: ``hands`` and tables are those of that flop."""

    me: int
    part: Parts
    hands: Flops
    mine: FlopTables
    theirs: FlopTables


class Lanes(NamedTuple):
    """Numbers by hand and end of a part: float64[n, folds] and float64[n, showdowns]."""

    fold: np.ndarray
    show: np.ndarray


def after(game: FlopGame, part: Parts, leaf: np.ndarray) -> After:
    """``part`` with empty tables of both seats."""
    dealt = game.cards.boards[0]
    order = dealt.order.astype(np.int64)
    low, high = np.moveaxis(dealt.pair.astype(np.uint8)[order], 2, 0)
    flops = Flops(
        game.cards.of_hole[order].astype(np.int64), np.ascontiguousarray(low),
        np.ascontiguousarray(high), dealt.stop.astype(np.int64), dealt.weight,
    )  # fmt: skip
    count, n = order.shape
    sizes = [(2, count, int(own[-1]) * n) for own in part.entries]
    first, second = (FlopTables(*np.zeros(size, np.float32)) for size in sizes)
    return After(part, flops, (first, second), leaf)


def place(game: FlopGame, after: After, seat: int, strategy: np.ndarray) -> None:
    """Write the average of ``seat`` to ``strategy`` float64[size]; blocked holes are uniform."""
    part, total = after.part, after.tables[seat].total
    order = game.cards.boards[0].order.astype(np.int64)
    (flops, n), holes = order.shape, len(game.cards.of_hole)
    bucket = holes * np.arange(flops)[:, None] + order
    for r in range(len(part.first) - 1):
        first, stop = part.entries[seat, r : r + 2]
        table = total[:, first * n : stop * n].reshape(flops, n, -1).astype(np.float64)
        for x in range(*part.first[r : r + 2]):
            whose, count, _, at = part.decision[x]
            if whose != seat:
                continue
            node = game.tree, game.layout, int(part.origin[x])
            strategy[entries(*node)] = 1 / count
            strategy[entries(*node, bucket)] = as_shares(table[:, :, at : at + count])


@parallel
def learn_flops(after, me, reach, step, value):
    """``me`` learns on all flops, and leaves the values of the trunk's leaves in ``value``.

    ``reach`` float64[2, nodes, C] is of both seats. ``step`` has the factors of positive and
    negative regrets, the weight of the strategy in the average, and what is added to the reach.
    """
    part = Parts(*after.part)  # a parallel loop takes no tuples of tuples
    flops = Flops(*after.flops)
    mine = FlopTables(*after.tables[me])
    theirs = FlopTables(*after.tables[1 - me])
    leaf, count, roots = after.leaf, len(flops.weight), len(part.first) - 1
    by_flop = np.zeros((count, roots, value.shape[1]))
    for f in prange(count):
        hands = Flops(flops.of[f], flops.low[f], flops.high[f], flops.stop[f], flops.weight[f])
        own = FlopTables(mine.regret[f], mine.total[f])
        other = FlopTables(theirs.regret[f], theirs.total[f])
        _flop(OnFlop(me, part, hands, own, other), leaf, reach, step, by_flop[f])
    for x in range(len(leaf)):
        if leaf[x] >= 0:
            value[x] = 0.0
            for f in range(count):
                value[x] += flops.weight[f] * by_flop[f, leaf[x]]


@njit
def _flop(on, leaf, reach, step, out):
    """Learn on one flop; ``out`` float64[roots, C] gets the values by class."""
    me, part, hands = on.me, on.part, on.hands
    n, cards = hands.of.size, hands.high.max() + 1
    rungs = Rungs(hands.low, hands.high, hands.stop)
    for x in range(len(leaf)):
        r = leaf[x]
        if r < 0:
            continue
        first, stop = part.first[r], part.first[r + 1]
        shows = np.int64(part.shown[first:stop].sum())
        folds = np.int64((part.decision[first:stop, 0] < 0).sum()) - shows
        met = Lanes(np.empty((n, folds)), np.empty((n, shows)))
        won = Lanes(np.empty((n, folds)), np.empty((n, shows)))
        gain, stake = np.empty(folds), np.empty(shows)
        for y in range(first, stop):
            if part.shown[y]:
                stake[part.lane[y]] = part.chips[y]
            elif part.decision[y, 0] < 0:
                gain[part.lane[y]] = part.chips[y] * (1 - 2 * me)
        _carry(on, r, reach[1 - me, x], met)
        live(met.fold, rungs, gain, won.fold, np.empty((cards, folds)))
        live(met.show, rungs, -stake, won.show, np.empty((cards, shows)))
        add_beaten(met.show, rungs, stake, won.show, np.empty((cards, shows)))
        _improve(on, r, reach[me, x], won, step, out[r])


@njit
def _of_part(table, part, seat, r, hands):
    """The entries of part ``r`` in a table of ``seat``."""
    return table[part.entries[seat, r] * hands : part.entries[seat, r + 1] * hands]


@njit
def _carry(on, r, reach, met):
    """Leave in ``met`` the opponent's reach at the ends of part ``r``, by that at its root."""
    part, of, fold, show, seat = on.part, on.hands.of, met.fold, met.show, 1 - on.me
    first, stop = part.first[r : r + 2]
    regret = _of_part(on.theirs.regret, part, seat, r, of.size)
    here = np.empty(stop - first)
    entries = regret.size // of.size
    for i in range(of.size):
        here[0] = reach[of[i]]
        for y in range(first, stop):
            whose, n, child, at = part.decision[y]
            got = here[y - first]
            if whose < 0:
                if part.shown[y]:
                    show[i, part.lane[y]] = got
                else:
                    fold[i, part.lane[y]] = got
            elif whose != seat:
                for a in range(child, child + n):
                    here[a] = got
            else:
                row = i * entries + at
                total = np.float32(0)
                for a in range(n):
                    total += max(regret[row + a], np.float32(0))
                for a in range(n):
                    share = max(regret[row + a], np.float32(0)) / total if total > 0 else 1.0 / n
                    here[child + a] = got * share


@njit
def _improve(on, r, own, won, step, out):
    """Values up part ``r``, hand by hand, and the regrets and sums of the player."""
    me, part, of, folded, showed = on.me, on.part, on.hands.of, won.fold, won.show
    first, stop = part.first[r : r + 2]
    regret = _of_part(on.mine.regret, part, me, r, of.size)
    total = _of_part(on.mine.total, part, me, r, of.size)
    size, entries = stop - first, regret.size // of.size
    value, mine, share = np.empty(size), np.empty(size), np.empty(entries)
    for i in range(of.size):
        mine[0] = own[of[i]]
        for y in range(first, stop):
            whose, n, child, at = part.decision[y]
            if whose < 0:
                continue
            if whose != me:
                for a in range(child, child + n):
                    mine[a] = mine[y - first]
                continue
            row, sum_ = i * entries + at, np.float32(0)
            for a in range(n):
                sum_ += max(regret[row + a], np.float32(0))
            for a in range(n):
                p = max(regret[row + a], np.float32(0)) / sum_ if sum_ > 0 else 1.0 / n
                share[at + a] = p
                mine[child + a] = mine[y - first] * p
                total[row + a] += step[2] * (mine[y - first] + step[3]) * p
        for y in range(stop - 1, first - 1, -1):
            whose, n, child, at = part.decision[y]
            if whose < 0:
                k = part.lane[y]
                value[y - first] = showed[i, k] if part.shown[y] else folded[i, k]
                continue
            mean = 0.0
            for a in range(n):
                mean += value[child + a] * (share[at + a] if whose == me else 1.0)
            value[y - first] = mean
            if whose == me:
                row = i * entries + at
                for a in range(n):
                    new = regret[row + a] + value[child + a] - mean
                    regret[row + a] = new * (step[0] if new > 0.0 else step[1])
        out[of[i]] += value[0]
