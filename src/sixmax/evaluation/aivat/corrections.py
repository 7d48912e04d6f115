"""AIVAT of one hand: the corrections for its actions and first cards, along its path.

Those for the cards of the board are of the kind of game: `holdem`, `small_games`, `recorded`.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import njit, uncounted
from sixmax.betting.tree import is_decision, n_actions, offers_fold, round_of, seat_of
from sixmax.evaluation.aivat.observer import MatchConstants, keep, mean_net, settled, spread_out
from sixmax.evaluation.aivat.playout import play_out
from sixmax.evaluation.aivat.values import Asked, first_round, worth
from sixmax.ongoing.policies import chances

COLUMNS = ("result", "all hands", "chance correction", "action correction", "AIVAT")
RESULT, ALL_HANDS, CHANCE, ACTION, AIVAT = range(len(COLUMNS))


class ScoredHands(NamedTuple):
    """Hands that were played, and their columns."""

    steps: int  # of the longest
    copies: bool  # whether the hero is a stranger, and copies around it are scored
    ends: np.ndarray  # int64[n, seats]
    out: np.ndarray  # float64[n, seats, 5]


@njit
def around(m, stranger):
    """The match as seen by the copies around a ``stranger``: they know each other's policy."""
    known = np.ones(m.known.size, np.bool_)
    known[stranger] = False
    return MatchConstants(m.game, m.values, m.theirs, m.theirs, known, m.mean)


@njit
def _value(v, z, r, shares, spread, chance):
    """The hero's value at the node ``z``, which an action in round ``r`` leads to.

    ``shares`` float64[buckets] is the part of each bucket that takes it, ``chance`` that of the
    range, and ``spread`` float64[buckets] the range after it.
    """
    (m, hero, s), tree = v, v.m.game.tree
    head = tree.node[z, 0]
    if settled(tree, z, s.own.shape[0] - 1):
        return mean_net(v, z, r, shares) / chance
    if r > 0:
        return play_out(v, z, r, shares)
    acts = is_decision(head) and round_of(head) == r and seat_of(head) == hero
    return worth(m.values, Asked(z, hero, r, acts), spread, s.other)


@njit
def _others_action(v, x, y, r, chance):
    """The correction for the action of another player that leads from ``x`` to ``y``.

    ``chance`` float64[n] is that player's policy with the cards held.
    """
    s, node = v.s, v.m.game.tree.node
    first, expected, actual = node[x, 1], 0.0, 0.0
    for a in range(n_actions(node[x, 0])):
        if chance[a] == 0.0 and first + a != y:
            continue
        value = _value(v, first + a, r, s.every, s.spread, 1.0)
        expected += chance[a] * value
        if first + a == y:
            actual = value
    return expected - actual


@njit
def _own_action(v, x, y, r):
    """The same for the hero's own action, over the range, which it narrows.

    The value of a fold is the chips that the hero has put in.
    """
    m, s, node = v.m, v.s, v.m.game.tree.node
    head, first = node[x, 0], node[x, 1]
    n = n_actions(head)
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
        if a == 0 and offers_fold(head):
            value = -np.float64(node[x, 3])
        else:
            s.split[a] /= share
            value = _value(v, first + a, r, s.row[:, a].copy(), s.split[a], share)
        expected += share * value
        if first + a == y:
            actual = value
    _narrow(s.own[r], y - first, s)
    return expected - actual


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
    out[:] = 0.0
    out[CHANCE] = m.mean[hero] - first_round(m.values, 0, hero, s.spread, s.other)


@uncounted
def value_of_cards(v, x, r):
    """The hero's value at ``x`` with the cards of round ``r``, which begins there."""
    keep(v.s, r)
    return play_out(v, x, r, v.s.every)


@uncounted
def finish(result, value, out):
    """The columns of a hand that won ``result``, and ``value`` over the range."""
    out[RESULT], out[ALL_HANDS] = result, value
    out[AIVAT] = value + out[CHANCE] + out[ACTION]
