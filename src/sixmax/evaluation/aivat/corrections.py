"""AIVAT of one hand: the corrections for its actions and first cards, along its path.

Every correction is the expectation of a value, given the knowledge of the observer of
:mod:`sixmax.evaluation.aivat.observer`, minus the value of the outcome.
"""

import numpy as np

from sixmax.base.jit import njit, uncounted
from sixmax.betting.tree import is_decision, n_actions, offers_fold, round_of, seat_of
from sixmax.evaluation.aivat.observer import Others, keep, mean_net, net_of, settled, spread_out
from sixmax.evaluation.aivat.playout import play_out
from sixmax.evaluation.aivat.values import Asked, first_round, worth
from sixmax.ongoing.policies import chances

RESULT, ALL_HANDS, CHANCE, ACTION, AIVAT = range(5)  # columns


@njit
def _value(v, z, r, shares, spread):
    """The hero's value at the node ``z``, which an action in round ``r`` leads to.

    ``shares`` float64[buckets] is the part of each bucket that takes it, and ``spread``
    float64[buckets] the range after it.
    """
    m, hero, s = v
    head = m.game.tree.node[z, 0]
    if r > 0:
        return play_out(v, z, r, shares, s.own[r], Others(s.rank, s.other))
    acts = is_decision(head) and round_of(head) == r and seat_of(head) == hero
    return worth(m.values, Asked(z, hero, r, acts), spread, s.other)


@njit
def _others_action(v, x, y, r, chance):
    """The correction for the action of another player that leads from ``x`` to ``y``.

    ``chance`` float64[n] is that player's policy with the cards held.
    """
    hero, s, tree = v.hero, v.s, v.m.game.tree
    first, n, last = tree.node[x, 1], n_actions(tree.node[x, 0]), s.own.shape[0] - 1
    expected, actual = 0.0, 0.0
    for a in range(n):
        if chance[a] == 0.0 and first + a != y:
            continue
        if settled(tree, first + a, last):
            value = mean_net(tree, first + a, hero, s)
        else:
            value = _value(v, first + a, r, s.every, s.spread)
        expected += chance[a] * value
        if first + a == y:
            actual = value
    return expected - actual


@njit
def _own_action(v, x, y, r):
    """The same for the hero's own action, over the range, which it narrows.

    The value of a fold is the chips that the hero has put in.
    """
    m, hero, s = v
    tree = m.game.tree
    head, first, last = tree.node[x, 0], tree.node[x, 1], s.own.shape[0] - 1
    n, own = n_actions(head), s.own[r]
    s.split[:n] = 0.0
    for b in range(s.spread.size):
        if s.spread[b] > 0.0:
            chances(m.ours, m.game, x, b, s.row[b])
            for a in range(n):
                s.split[a, b] = s.spread[b] * s.row[b, a]
    expected, actual = 0.0, 0.0
    for a in range(n):
        share = s.split[a].sum()
        if share <= 0.0:
            continue
        z = first + a
        if a == 0 and offers_fold(head):
            value = -np.float64(tree.node[x, 3])
        elif settled(tree, z, last):
            value = _mean_of_action(v, z, own, a, share)
        else:
            s.split[a] /= share
            value = _value(v, z, r, s.row[:, a].copy(), s.split[a])
        expected += share * value
        if z == y:
            actual = value
    _narrow(own, y - first, s)
    return expected - actual


@uncounted
def _mean_of_action(v, z, own, a, share):
    hero, s, tree, total = v.hero, v.s, v.m.game.tree, 0.0
    for k in range(s.weight.size):
        if s.weight[k] > 0.0 and s.row[own[k], a] > 0.0:
            won = net_of(tree, z, hero, s.rank, s.mine[k], s.net)
            total += s.weight[k] * s.row[own[k], a] * won
    return total / share


@uncounted
def _narrow(own, action, s):
    """Bayes: the hero took ``action``."""
    total = 0.0
    for k in range(s.weight.size):
        if s.weight[k] > 0.0:
            s.weight[k] *= s.row[own[k], action]
            total += s.weight[k]
    for k in range(s.weight.size):
        s.weight[k] /= total


@njit
def actions(v, step, steps, r, out):
    """Correct for the actions of round ``r`` from ``s.path[step]`` on.

    Returns the step of the next round or of the terminal. The hero's fold finishes the hand: -1.
    """
    m, hero, s = v
    node = m.game.tree.node
    while True:
        x = s.path[step]
        head = node[x, 0]
        if not is_decision(head) or round_of(head) != r:
            return step
        seat, folds = seat_of(head), step + 1 == steps
        y = node[x, 1] if folds else s.path[step + 1]
        if seat == hero:
            out[ACTION] += _own_action(v, x, y, r)
            if folds or (offers_fold(head) and y == node[x, 1]):
                value = -np.float64(node[x, 3])
                finish(value, value, out)
                return -1
            spread_out(s, r)
        elif m.known[seat]:
            chances(m.theirs, m.game, x, s.other[seat, r], s.line)
            out[ACTION] += _others_action(v, x, y, r, s.line[: n_actions(head)].copy())
        step += 1


@uncounted
def begin(v, out):
    """Begin a hand: the correction for the hole cards of the others."""
    m, hero, s = v
    keep(s, 0)
    spread_out(s, 0)
    out[:] = 0.0
    out[CHANCE] = m.mean[hero] - first_round(m.values, 0, hero, s.spread, s.other)


@uncounted
def value_of_cards(v, x, r):
    """The hero's value at ``x`` with the cards of round ``r``, which begins there."""
    s = v.s
    keep(s, r)
    spread_out(s, r)
    return play_out(v, x, r, s.every, s.own[r], Others(s.rank, s.other))


@uncounted
def finish(result, value, out):
    """The columns of a hand that won ``result``, and ``value`` over the range."""
    out[RESULT], out[ALL_HANDS] = result, value
    out[AIVAT] = value + out[CHANCE] + out[ACTION]
