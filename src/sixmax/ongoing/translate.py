"""A real hand of any raises as the blueprint's game has it, by pseudo-harmonic translation.

Ganzfried & Sandholm 2013, "Action translation in extensive-form games with large action spaces:
axioms, paradoxes, and the pseudo-harmonic mapping". Sizes are fractions of the pot after calling,
ascending.

# ASSUME a raise stays a raise where the tree offers one. Where it offers none the translated hand
calls; where it offers no call (of a blind, to those who may not limp) it raises as little as it
can; where its round is over before the real one, it waits for the next, and where it lags behind,
it checks or calls along.

Kernels play a real hand on beside the tree by :func:`sixmax.ongoing.policies.decide`, then
:func:`follow`.

``hand`` int64[LENGTH] is the translated hand at node ``x``, ``real`` int64[LENGTH] the real one.
"""

import numpy as np

from sixmax.base.jit import formula, inlined, njit
from sixmax.betting import rules
from sixmax.betting.tree import n_actions


@njit
def probability(a, b, x):
    """The probability that size x becomes a and not b, where a <= x <= b and a < b."""
    return (b - x) * (1.0 + a) / ((b - a) * (1.0 + x))


@njit
def deterministic(sizes, x):
    """The index in ``sizes`` of the likelier one that x becomes; of two as likely, the larger.

    Beyond the smallest and the largest it is that one.
    """
    at = np.searchsorted(sizes, x)
    if at == 0 or at == sizes.size:
        return min(at, sizes.size - 1)
    return at - 1 if probability(sizes[at - 1], sizes[at], x) > 0.5 else at


@njit
def find_child(tree, x, action):
    """The child of node ``x`` that ``action`` leads to, -1 for none."""
    first = tree.node[x, 1]
    for a in range(n_actions(tree.node[x, 0])):
        if tree.action[first + a] == action:
            return np.int64(first + a)
    return np.int64(-1)


@njit
def meet(tree, x, hand, real):
    """Let ``hand`` at ``x`` catch up with ``real``; returns its node."""
    while hand[rules.PHASE] == rules.BETTING and (
        hand[rules.ROUND] < real[rules.ROUND]
        or (hand[rules.ROUND] == real[rules.ROUND] and hand[rules.ACTOR] != real[rules.ACTOR])
    ):
        x = find_child(tree, x, rules.CALL)
        rules.apply(hand, rules.CALL)
    return x


@njit
def has_met(hand, real):
    """Whether a hand that has caught up stands where the same seat is to act."""
    return hand[rules.PHASE] == rules.BETTING and hand[rules.ROUND] == real[rules.ROUND]


@njit
def fraction(hand, amount):
    """The raise to ``amount`` as a fraction of the pot after calling."""
    return (amount - hand[rules.HIGH]) / (hand[rules.POT] + rules.limits(hand)[0])


@formula
def raise_by(hand, pots):
    """The raise of the actor by ``pots`` as a raise-to, rounded to a chip; it may not be legal."""
    return int(hand[rules.HIGH] + pots * (hand[rules.POT] + rules.limits(hand)[0]) + 0.5)


@njit
def translate(tree, x, hand, real, action):
    """The actions of the tree that ``action`` of ``real`` may become, where both hands have met.

    They are (smaller, larger, probability of the smaller); one alone is both.
    """
    if find_child(tree, x, action) >= 0:
        return action, action, 1.0
    if action == rules.FOLD:
        return rules.CALL, rules.CALL, 1.0
    first, n = tree.node[x, 1], n_actions(tree.node[x, 0])
    if action == rules.CALL:  # first in, where the tree has no limps: the smallest raise
        raised = np.int64(tree.action[first + 1])
        return raised, raised, 1.0
    wanted = fraction(real, action)
    below = above = np.int64(rules.CALL)
    low = high = 0.0
    for a in range(n):
        size = np.int64(tree.action[first + a])
        if size <= rules.CALL:
            continue
        share = fraction(hand, size)
        if share < wanted:
            below, low = size, share
        elif above == rules.CALL:
            above, high = size, share
    if below == rules.CALL or above == rules.CALL:
        only = max(below, above)
        return only, only, 1.0
    return below, above, probability(low, high, wanted)


@inlined
def stand(tree, x, hand, real):
    """Let ``hand`` at ``x`` catch up with ``real``; returns its node, and whether they met."""
    x = meet(tree, x, hand, real)
    return x, has_met(hand, real)


@inlined
def follow(tree, x, hand, real, action, u):
    """Let ``hand`` at ``x`` catch up, and follow ``action``, about to be done in ``real``.

    ``u`` draws among two sizes. Returns the node, and whether they met: if not, nothing is done.
    """
    x, met = stand(tree, x, hand, real)
    if met:
        smaller, larger, share = translate(tree, x, hand, real, action)
        chosen = smaller if u < share else larger
        x = find_child(tree, x, chosen)
        rules.apply(hand, chosen)
    return x, met


@njit
def real_action(tree, x, hand, real, a):
    """Action ``a`` of node ``x`` as it is done in ``real``, which has been met."""
    action = np.int64(tree.action[tree.node[x, 1] + a])
    same = True
    for k in range(rules.LENGTH):
        same = same and hand[k] == real[k]
    if same:
        return action
    to_call, low, high = rules.limits(real)
    if action == rules.FOLD and to_call > 0:
        return np.int64(rules.FOLD)
    if action <= rules.CALL or high == 0:
        return np.int64(rules.CALL)
    if action >= hand[rules.STACKS + hand[rules.ACTOR]]:
        return np.int64(high)
    return np.int64(min(max(raise_by(real, fraction(hand, action)), low), high))


@njit
def real_actions(tree, x, hand, real):
    """The actions of node ``x`` as they are done in ``real``, in their order: int64[actions]."""
    out = np.empty(n_actions(tree.node[x, 0]), np.int64)
    for a in range(out.size):
        out[a] = real_action(tree, x, hand, real, a)
    return out
