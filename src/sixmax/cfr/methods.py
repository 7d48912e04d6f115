"""The variants of full-width CFR: discounts, weights of iterations, update kernels.

A new variant is a row of METHODS, which all commands read. Discounted CFR has exponents (Brown and
Sandholm 2019, "Solving imperfect-information games via discounted regret minimization", section 3).
Other rules have a kernel of their own as well, and may keep state (:mod:`sixmax.cfr.full.update`).
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from sixmax.cfr.full.predictive import predictive
from sixmax.cfr.full.update import discounted


class Method(NamedTuple):
    """DCFR(alpha, beta, gamma): after iteration t, positive regrets are multiplied by
    t**alpha / (t**alpha + 1) and negative ones by t**beta / (t**beta + 1); the strategy of
    iteration t weighs t**gamma in the average. Infinity keeps all, minus infinity keeps nothing."""

    title: str
    alpha: float
    beta: float
    gamma: float
    update: Callable[..., Any] = discounted  # kernel of sixmax.cfr.full.update
    state: int = 0  # arrays that the kernel keeps beside regrets and sums

    def __str__(self) -> str:
        return self.title

    def step(self, t: int) -> tuple[float, float, float]:
        """The factors of positive and negative regrets, and the weight, of iteration ``t``."""
        return _kept(t, self.alpha), _kept(t, self.beta), float(self.weight(t))

    def keeps(self, t: int) -> tuple[float, float]:
        """The factors of positive and negative regrets after iteration ``t``, counted from 1.

        For solvers that match discounted regrets and do no more: raises ValueError for others.
        """
        if self.update is not discounted:
            raise ValueError(f"{self}: wanted a method without a kernel of its own")
        return self.step(t)[:2]

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
PCFR_PLUS = Method("PCFR+", math.inf, -math.inf, 2, predictive, 1)  # Farina et al. 2021
METHODS = {"cfr": CFR, "cfr+": CFR_PLUS, "linear": LINEAR, "dcfr": DCFR, "pcfr+": PCFR_PLUS}
# Those that the solvers of hold'em carry.
DISCOUNTED = {name: method for name, method in METHODS.items() if method.update is discounted}


def _kept(t: int, power: float) -> float:
    """t**power / (t**power + 1)."""
    if math.isinf(power):
        return float(power > 0)
    return t**power / (t**power + 1)
