"""The hero's value of the rest of a round, in expectation over all betting in it.

The policies play on from a node: the hero with his whole range, the others with their true cards.
The values stand for all later rounds.
"""

from sixmax.base.jit import uncounted
from sixmax.betting.tree import (
    FOLDED,
    is_decision,
    kind_of,
    n_actions,
    offers_fold,
    round_of,
    seat_of,
)
from sixmax.evaluation.aivat.observer import MASKS, net_of, settled, ties
from sixmax.evaluation.aivat.values import Asked, equity_of, worth_by
from sixmax.ongoing.policies import chances


@uncounted
def play_out(v, x, r, shares, own, others):
    """The hero's expected chips from ``x`` on if all play on to the end of round ``r``.

    Exact up to the end of the round; the values stand for all later rounds. ``v`` is an Observed,
    ``others`` are Others. ``own`` int32[K] is the hero's bucket for each particle; ``shares``
    float64[B] of each bucket reached ``x``. A player of unknown policy is taken to play as the
    hero: perhaps wrong, but fixed beforehand, so that nothing is biased.
    """
    m, hero, s = v
    tree, weight, other, total, top = m.game.tree, s.weight, others.bucket, 0.0, 1
    node, last = tree.node, s.own.shape[0] - 1
    s.dealt[:] = 0.0
    for k in range(weight.size):
        if own[k] >= 0:
            s.dealt[own[k]] += weight[k]
    every = _reached(s.dealt, shares)
    s.masks[0] = 0
    s.todo[0], s.chance[0] = x, 1.0
    _copy(shares, s.reach[0])
    while top > 0:
        top -= 1
        x, chance = s.todo[top], s.chance[top]
        head, reach = node[x, 0], s.reach[-1]
        _copy(s.reach[top], reach)
        if _reached(s.dealt, reach) == 0.0:
            continue
        if not is_decision(head) or round_of(head) != r:
            if settled(tree, x, last):
                total += chance * _over_range(v, x, reach, own, others.rank)
            else:
                total += chance * _value_after(v, x, r, reach, own, other)
            continue
        seat, n, first = seat_of(head), n_actions(head), node[x, 1]
        if seat == hero:
            for a in range(n):
                s.todo[top + a], s.chance[top + a] = first + a, chance
                s.reach[top + a] = 0.0
            for b in range(m.game.layout.buckets[r]):
                if reach[b] > 0.0 and s.dealt[b] > 0.0:
                    chances(m.ours, m.game, x, b, s.line)
                    for a in range(n):
                        s.reach[top + a, b] = reach[b] * s.line[a]
            if offers_fold(head):
                for b in range(s.dealt.size):
                    total -= chance * s.dealt[b] * s.reach[top, b] * node[x, 3]
                for a in range(n - 1):
                    s.todo[top + a] = first + a + 1
                    _copy(s.reach[top + a + 1], s.reach[top + a])
                n -= 1
            top += n
            continue
        chances(m.theirs if m.known[seat] else m.ours, m.game, x, other[seat, r], s.line)
        for a in range(n):
            if s.line[a] > 0.0:
                s.todo[top], s.chance[top] = first + a, chance * s.line[a]
                _copy(reach, s.reach[top])
                top += 1
    return total / every if every > 0.0 else 0.0


@uncounted
def _copy(values, out):
    """A loop, because numba counts references where it assigns one array to another."""
    for b in range(values.size):
        out[b] = values[b]


@uncounted
def _reached(dealt, reach):
    """The probability that the hero reaches a node."""
    total = 0.0
    for b in range(reach.size):
        total += reach[b] * dealt[b]
    return total


@uncounted
def _over_range(v, x, reach, own, rank):
    """Chips of the hero at the terminal ``x``, times the probability that he reaches it."""
    hero, s = v.hero, v.s
    tree, weight, total = v.m.game.tree, s.weight, 0.0
    if kind_of(tree.node[x, 0]) == FOLDED:
        return _reached(s.dealt, reach) * net_of(tree, x, hero, rank, s.mine[0], s.net)
    for k in range(weight.size):
        if own[k] >= 0 and weight[k] > 0.0 and reach[own[k]] > 0.0:
            won = net_of(tree, x, hero, rank, s.mine[k], s.net)
            total += weight[k] * reach[own[k]] * won
    return total


@uncounted
def _value_after(v, x, r, reach, own, other):
    """The same at ``x`` where the round ``r`` is over and the hand is not."""
    s, values = v.s, v.m.values
    total = _reached(s.dealt, reach)
    for b in range(reach.size):
        s.left[b] = s.dealt[b] * reach[b] / total
    i = _against(v, values.seats[x], r, own, other)
    return total * worth_by(values, Asked(x, v.hero, r, False), s.left, other, s.edge[i])


@uncounted
def _against(v, left, r, own, other):
    """The row of ``s.edge``: the pot share of each bucket of the hero against those ``left``.

    Computed over the possible last cards where they are looked ahead at, else from the buckets.
    """
    hero, s, values, weight = v.hero, v.s, v.m.values, v.s.weight
    n = s.masks[0]
    for i in range(n):
        if s.masks[1 + i] == left:
            return i
    i = min(n, MASKS - 1)
    s.masks[0], s.masks[1 + i], edge = i + 1, left, s.edge[i]
    edge[:] = 0.0
    if s.ahead[0] == 0:
        for b in range(edge.size):
            if s.dealt[b] > 0.0:
                edge[b] = equity_of(values, left, r, hero, b, other)
        return i
    for k in range(weight.size):
        if own[k] >= 0 and weight[k] > 0.0:
            edge[own[k]] += weight[k] * _pot_share(left, hero, k, s)
    for b in range(edge.size):
        if s.dealt[b] > 0.0:
            edge[b] /= s.dealt[b]
    return i


@uncounted
def _pot_share(left, hero, k, s):
    """The mean share of the pot of particle ``k`` over the possible last cards."""
    won, cards = 0.0, 0
    for j in range(s.ahead[0]):
        mine = s.mine_then[j, k]
        if mine < 0:
            continue
        cards += 1
        winners = ties(left, hero, mine, s.rank_then[j])
        won += 1.0 / winners if winners else 0.0
    return won / cards
