"""The variants of CFR: discounts of regrets, weights of iterations, schedules of training.

A new variant of discounted CFR is a row of METHODS, which all commands read (Brown and Sandholm
2019, "Solving imperfect-information games via discounted regret minimization", section 3).

Sampled training has a Schedule, that of Pluribus; with ``prune_half`` that of Libratus, which
samples the actions that it prunes, and counts the opponents' actions on the way in place of
UPDATE-STRATEGY.
"""

import math
from typing import NamedTuple

_PRUNING_OFF = 1 << 62


class Method(NamedTuple):
    """DCFR(alpha, beta, gamma): after iteration t, positive regrets are multiplied by
    t**alpha / (t**alpha + 1) and negative ones by t**beta / (t**beta + 1); the strategy of
    iteration t weighs t**gamma in the average. Infinity keeps all, minus infinity keeps nothing."""

    title: str
    alpha: float
    beta: float
    gamma: float

    def keeps(self, t: int) -> tuple[float, float]:
        """The factors of positive and negative regrets after iteration ``t``, counted from 1."""
        return _kept(t, self.alpha), _kept(t, self.beta)

    def weight(self, t: int) -> float:
        """The weight of iteration ``t`` in the average strategy."""
        return t**self.gamma

    def shrink(self, t: int) -> float:
        """The factor of earlier sums where iteration ``t`` is added with weight 1 instead."""
        return ((t - 1) / t) ** self.gamma


CFR = Method("CFR", math.inf, math.inf, 0)  # Zinkevich et al. 2007
CFR_PLUS = Method("CFR+", math.inf, -math.inf, 1)  # Tammelin 2014: regret matching+
LINEAR = Method("Linear CFR", 1, 1, 1)
DCFR = Method("DCFR", 1.5, 0, 2)
METHODS = {"cfr": CFR, "cfr+": CFR_PLUS, "linear": LINEAR, "dcfr": DCFR}
# Titles of schedules: plain, that of Pluribus, that of Libratus.
SAMPLED = {"mccfr": "MCCFR", "blueprint": "blueprint", "libratus": "Libratus"}


def _kept(t: int, power: float) -> float:
    """t**power / (t**power + 1)."""
    if math.isinf(power):
        return float(power > 0)
    return t**power / (t**power + 1)


class Pruning(NamedTuple):
    """Pruning by negative regret (supplement: after 200 minutes, 95 %, -300 M, floor -310 M)."""

    after: int  # iterations without pruning
    share: float  # of the later iterations that prune
    threshold: int  # actions at or below this regret are left out
    floor: int  # no regret falls below this
    # K of Libratus: an action so far below the threshold is explored every other time.
    half: int = 0


class Schedule(NamedTuple):
    """Everything that shapes training besides the game. Counted in iterations: one iteration is
    one traversal for each seat (t in Algorithm 1)."""

    batch: int  # iterations that read the same frozen regrets
    discount_every: int  # Discount_Interval
    discount_until: int  # LCFR_Threshold
    count_every: int  # Strategy_Interval
    count_after: int  # the average of the first round begins here
    prune_after: int  # Prune_Threshold
    prune_share: float
    prune_threshold: int  # C, in regret units
    regret_floor: int
    scale: float  # regret units a chip
    prune_half: int = 0  # K of Libratus, in regret units; 0: Pluribus's rules

    def check(self, first: int, last: int) -> None:
        """Raise ValueError where iterations ``first`` … ``last`` cut a batch."""
        if (first - 1) % self.batch or last % self.batch:
            raise ValueError(f"iterations {first}..{last} cut a batch of {self.batch}")

    def pruning(self) -> Pruning:
        share = self.prune_share if self.prune_share > 0 else 0.0
        if self.prune_half > 0:
            share = 1.0  # every later iteration; each action by its own draw
        after = self.prune_after if share else _PRUNING_OFF
        return Pruning(after, share, self.prune_threshold, self.regret_floor, self.prune_half)

    def discount_factor(self, t: int) -> float | None:
        """The factor of regrets and counters after iteration t, by Linear CFR; None for none."""
        if t < self.discount_until and t % self.discount_every == 0:
            return LINEAR.keeps(t // self.discount_every)[0]
        return None

    def discounts(self, first: int, last: int) -> list[tuple[int, float]]:
        """(iteration, factor) of the discounts in iterations ``first`` … ``last``, in order."""
        stop = min(last + 1, self.discount_until)
        ends = range(first + self.batch - 1, stop, self.batch)
        return [(t, factor) for t in ends if (factor := self.discount_factor(t)) is not None]
