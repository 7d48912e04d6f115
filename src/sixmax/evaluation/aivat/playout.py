"""The hero's value of the rest of a round, in expectation over all betting in it.

The policies play on from a node: the hero with his whole range, the others with their true cards.
Every action is followed, so that no number is drawn; the values stand for all later rounds.
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
from sixmax.evaluation.aivat.observer import MASKS, mean_net, net_of, settled, ties
from sixmax.evaluation.aivat.values import Asked, equity_of, worth_by
from sixmax.ongoing.policies import chances


@uncounted
def play_out(v, x, r, shares):
    """The hero's expected chips from ``x`` on if all play on to the end of round ``r``.

    ``shares`` float64[B] of each bucket reached ``x``. A player of unknown policy is taken to play
    as the hero: perhaps wrong, but fixed beforehand, so nothing is biased.
    """
    m, hero, s = v
    tree, own, total, top = m.game.tree, s.own[r], 0.0, 1
    node, last = tree.node, s.own.shape[0] - 1
    s.dealt[:] = 0.0
    for k in range(s.weight.size):
        if own[k] >= 0:
            s.dealt[own[k]] += s.weight[k]
    every = _reached(s.dealt, shares)
    s.masks[0] = 0
    s.todo[0], s.chance[0] = x, 1.0
    _copy(shares, s.reach[0])
    while top > 0:
        top -= 1
        x, chance = s.todo[top], s.chance[top]
        head, reach = node[x, 0], s.reach[-1]
        _copy(s.reach[top], reach)
        arrives = _reached(s.dealt, reach)
        if arrives == 0.0:
            continue
        if kind_of(head) == FOLDED:
            total += chance * (arrives * net_of(tree, x, hero, s.rank, s.mine[0], s.net))
            continue
        if not is_decision(head) or round_of(head) != r:
            over = settled(tree, x, last)
            total += chance * (mean_net(v, x, r, reach) if over else _value_after(v, x, r, reach))
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
        chances(m.theirs if m.known[seat] else m.ours, m.game, x, s.other[seat, r], s.line)
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
def _value_after(v, x, r, reach):
    """Chips of the hero at ``x``, where the round ``r`` is over and the hand is not, times the
    probability that he reaches it."""
    s, values = v.s, v.m.values
    total = _reached(s.dealt, reach)
    for b in range(reach.size):
        s.left[b] = s.dealt[b] * reach[b] / total
    edge = s.edge[_against(v, values.seats[x], r)]
    return total * worth_by(values, Asked(x, v.hero, r, False), s.left, s.other, edge)


@uncounted
def _against(v, left, r):
    """The row of ``s.edge``: the pot share of each bucket of the hero against those ``left``.

    Computed over the possible last cards where they are looked ahead at, else from the buckets.
    """
    hero, s, values, own = v.hero, v.s, v.m.values, v.s.own[r]
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
                edge[b] = equity_of(values, left, r, hero, b, s.other)
        return i
    for k in range(s.weight.size):
        if own[k] >= 0 and s.weight[k] > 0.0:
            edge[own[k]] += s.weight[k] * _pot_share(left, hero, k, s)
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
