"""The gadget of safe subgame solving: the opponent's choice which hands enter the subgame.

Unsafe solving takes the opponent's reach at the root from a strategy that it may not play. Here the
opponent has an alternative to the subgame, a value for each of its hands, and its own regrets
choose between the two: no hand gets a reason to enter that its alternative does not give (Brown and
Sandholm 2017, "Safe and nested subgame solving for imperfect-information games", sections 4 and 5;
Libratus, supplement, "Further details of the nested subgame-solving algorithm"). Alternatives come
from :mod:`sixmax.search.nested` and :mod:`sixmax.studies.libratus.subgames`.

RESOLVE: each hand enters or takes its alternative (Burch, Johanson and Bowling 2014). MAXMARGIN:
the opponent chooses one hand and gets the value of the subgame less the alternative, the margin
(Moravcik et al. 2016). *Reach* solving is either of them with gifts added to the alternatives.
"""

from typing import NamedTuple

import numpy as np

from sixmax.base.jit import formula, njit, unchecked

NONE, RESOLVE, MAXMARGIN = range(3)
GADGETS = {"resolve": RESOLVE, "maxmargin": MAXMARGIN}


class Gadget(NamedTuple):
    """The opponent's choice, one row a hand."""

    kind: int  # RESOLVE or MAXMARGIN; NONE: the reach is given (unsafe solving)
    opponent: int  # the player who chooses
    alternative: np.ndarray  # float64[n]: value of the hand outside of the subgame: net chips
    # float64[n]: probability of all that goes with the hand but its own reach; 0: the hand cannot
    # be held
    left: np.ndarray
    each: np.ndarray  # float64[n]: 1 / left, or 0 of a hand that cannot be held
    # float64[2, n]: of entering and of the alternative; MAXMARGIN has the first alone
    regret: np.ndarray
    share: np.ndarray  # float64[n]: the probability with which the hand enters next
    reach: np.ndarray  # float64[n]: the weight with which it enters; RESOLVE: share times number
    number: np.ndarray  # float64[n]: the hands that a row stands for; 0 that cannot be held


def gadget(
    kind: str, opponent: int, alternative: np.ndarray, left: np.ndarray,
    number: np.ndarray | None = None,
) -> Gadget:  # fmt: skip
    """The gadget ``kind`` of GADGETS before the first iteration; arrays as of :class:`Gadget`.

    Raises ValueError for an unknown kind, for lengths that differ, for an alternative that is no
    number of a hand that can be held, and where no hand can be held.
    """
    if kind not in GADGETS:
        raise ValueError(f"gadget: found {kind!r}, wanted one of {', '.join(GADGETS)}")
    held = np.asarray(left, np.float64) > 0
    if len(alternative) != len(held):
        raise ValueError(f"alternatives: found {len(alternative)}, wanted {len(held)}, one a hand")
    if not held.any() or not np.isfinite(alternative[held]).all():
        raise ValueError(
            "alternatives: wanted a number for each hand that can be held, one or more"
        )
    values = np.where(held, alternative, 0.0).astype(np.float64)
    each = np.divide(1.0, left, out=np.zeros(len(held)), where=held)
    number = np.where(held, 1.0 if number is None else number, 0.0)
    share = np.full(len(held), 0.5)
    reach = share * number if kind == "resolve" else each / held.sum()
    left, regret = np.where(held, left, 0.0), np.zeros((2, len(held)))
    return Gadget(GADGETS[kind], opponent, values, left, each, regret, share, reach, number)


def no_gadget() -> Gadget:
    """The gadget of unsafe solving, which does nothing."""
    empty = np.zeros(0)
    return Gadget(NONE, 0, empty, empty, empty, np.zeros((2, 0)), empty, empty, empty)


@njit
def choose(gadget, value, keep, weight, ahead):
    """Write the opponent's next choice to ``gadget.reach``, after a step of this ``weight``.

    ``value`` is the subgame's to the opponent by hand, times ``gadget.left``; ``keep`` are the
    factors of positive and negative regrets after the step, and ``ahead`` is the share of the
    step's regrets that is expected again (:attr:`sixmax.cfr.methods.Method.ahead`).
    """
    if gadget.kind == RESOLVE:
        _resolve(gadget, value, keep, weight, ahead)
    elif gadget.kind == MAXMARGIN:
        _maxmargin(gadget, value, keep, weight, ahead)


@unchecked
def _resolve(gadget, value, keep, weight, ahead):
    enter, stay = gadget.regret[0], gadget.regret[1]
    for h in range(gadget.share.size):
        more = value[h] * gadget.each[h] - gadget.alternative[h]
        share = gadget.share[h]
        inside = _learn(enter, h, weight * (1.0 - share) * more, keep, ahead)
        outside = _learn(stay, h, -weight * share * more, keep, ahead)
        every = inside + outside
        share = inside / every if every > 0.0 else 0.5
        gadget.share[h], gadget.reach[h] = share, share * gadget.number[h]


@unchecked
def _maxmargin(gadget, value, keep, weight, ahead):
    mean, total, held = 0.0, 0.0, 0
    for h in range(gadget.left.size):
        # The probability of the hand, reach * left, times its margin.
        mean += gadget.reach[h] * (value[h] - gadget.alternative[h] * gadget.left[h])
    for h in range(gadget.left.size):
        margin = value[h] * gadget.each[h] - gadget.alternative[h]
        share = _learn(gadget.regret[0], h, weight * (margin - mean), keep, ahead)
        gadget.share[h] = share if gadget.left[h] > 0.0 else 0.0
        total, held = total + gadget.share[h], held + (gadget.left[h] > 0.0)
    factor, even = (1.0 / total, 0.0) if total > 0.0 else (0.0, 1.0 / held)
    for h in range(gadget.left.size):
        gadget.reach[h] = (gadget.share[h] * factor + even) * gadget.each[h]


@formula
def _learn(regret, h, gain, keep, ahead):
    """Add to a regret; the positive part of the number that it is expected to be next."""
    new = regret[h] + gain
    regret[h] = new * (keep[0] if new > 0.0 else keep[1])
    return max(regret[h] + ahead * gain, 0.0)
