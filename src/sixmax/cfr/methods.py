"""The variants of CFR: their discounts of regrets and weights of iterations in the average.

A new variant of discounted CFR is a row of METHODS: full-width CFR, validation, its command and its
report read the table (Brown and Sandholm 2019, "Solving imperfect-information games via discounted
regret minimization", section 3). Training by sampling discounts by LINEAR in intervals.
"""

import math
from typing import NamedTuple


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
# Titles of schedules of sixmax.cfr.sampled: plain, that of Pluribus, that of Libratus.
SAMPLED = {"mccfr": "MCCFR", "blueprint": "blueprint", "libratus": "Libratus"}


def _kept(t: int, power: float) -> float:
    """t**power / (t**power + 1)."""
    if math.isinf(power):
        return float(power > 0)
    return t**power / (t**power + 1)
