"""The variants of full-width CFR: discounts, weights of iterations, update kernels.

A new variant is a row of METHODS, which all commands read. Discounted CFR has exponents (Brown and
Sandholm 2019, "Solving imperfect-information games via discounted regret minimization", section 3),
which may drift over a run of planned length (Zhang, McAleer and Sandholm 2024, "Faster game solving
via hyperparameter schedules"). Other rules have a kernel of their own as well, and may keep state
(:mod:`sixmax.cfr.full.update`). The solver of ranges knows discounts, drifts and predictions.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from sixmax.cfr.full.predictive import predictive
from sixmax.cfr.full.update import discounted


class Method(NamedTuple):
    """DCFR(alpha, beta, gamma): after iteration t, positive regrets are multiplied by
    t**alpha / (t**alpha + 1) and negative ones by t**beta / (t**beta + 1); before it the sums of
    strategies by ((t - 1) / t)**gamma. Infinity keeps all, minus infinity keeps nothing."""

    title: str
    alpha: float
    beta: float
    gamma: float
    update: Callable[..., Any] = discounted  # kernel of sixmax.cfr.full.update
    state: int = 0  # arrays that the kernel keeps beside regrets and sums
    # Added to alpha, beta and gamma by the end of a run, evenly; and its planned iterations.
    drift: tuple[float, float, float] = (0, 0, 0)
    planned: int = 0

    def __str__(self) -> str:
        return self.title

    def over(self, iterations: int) -> "Method":
        """The method of a run of so many iterations; the same where no exponent drifts."""
        return self._replace(planned=iterations) if any(self.drift) else self

    def step(self, t: int) -> tuple[float, float, float]:
        """The factors of positive and negative regrets, and the weight, of iteration ``t``."""
        return *self.factors(t), float(self.weight(t))

    def factors(self, t: int) -> tuple[float, float]:
        """The factors of positive and negative regrets after iteration ``t``, counted from 1.

        Raises ValueError, as all of these do, for exponents that drift over no planned run.
        """
        alpha, beta, _ = self._exponents(t)
        return _kept(t, alpha), _kept(t, beta)

    def keeps(self, t: int) -> tuple[float, float]:
        """:meth:`factors`, for solvers that match discounted regrets and do no more.

        Raises ValueError for other methods.
        """
        if self.update is not discounted:
            raise ValueError(f"{self}: wanted a method without a kernel of its own")
        return self.factors(t)

    @property
    def ahead(self) -> float:
        """The share of the last regrets that is expected again: 1 if predictive, 0 if discounted.

        For solvers that do both and no more: raises ValueError for other methods.
        """
        if self.update not in (discounted, predictive):
            raise ValueError(f"{self}: wanted a method that discounts or predicts, and no more")
        return float(self.update is predictive)

    def weight(self, t: int) -> float:
        """The weight of iteration ``t`` in the average strategy: 1 of the first."""
        drift = self.drift[2]
        if not drift:
            return t**self.gamma
        self._exponents(t)
        # The logarithm of the product of (s / (s - 1))**gamma over s = 2, …, t, by parts.
        end = min(t, self.planned)
        powers = self.gamma * math.log(end)
        powers += drift / self.planned * (end * math.log(end) - math.lgamma(end))
        return math.exp(powers + (self.gamma + drift) * math.log(t / end))

    def shrink(self, t: int) -> float:
        """The factor of earlier sums where iteration ``t`` is added with weight 1 instead."""
        return ((t - 1) / t) ** self._exponents(t)[2]

    def _exponents(self, t: int) -> tuple[float, float, float]:
        """Alpha, beta and gamma of iteration ``t``; after the planned ones those of the last."""
        if not any(self.drift):
            return self.alpha, self.beta, self.gamma
        if not self.planned:
            raise ValueError(f"{self}: wanted the number of iterations that are planned")
        done, (alpha, beta, gamma) = min(t / self.planned, 1), self.drift
        return self.alpha + done * alpha, self.beta + done * beta, self.gamma + done * gamma


CFR = Method("CFR", math.inf, math.inf, 0)  # Zinkevich et al. 2007
CFR_PLUS = Method("CFR+", math.inf, -math.inf, 1)  # Tammelin 2014: regret matching+
LINEAR = Method("Linear CFR", 1, 1, 1)
DCFR = Method("DCFR", 1.5, 0, 2)
# For searches, no rows below. On drawn boards DCFR halves negative regrets, and forgets which
# actions lose. On all boards, and in rounds that end at leaves, positive regrets that fade sooner
# and negative ones that fade later leave less to win (docs/notebook/performance/methods.md).
DCFR_DRAWN = Method("DCFR(1.5, 1, 2)", 1.5, 1, 2)
DCFR_EXACT = Method("DCFR(1.35, 0.4, 4)", 1.35, 0.4, 4)
PCFR_PLUS = Method("PCFR+", math.inf, -math.inf, 2, predictive, 1)  # Farina et al. 2021
PDCFR_PLUS = Method("PDCFR+", 2.3, -math.inf, 5, predictive, 1)  # Xu et al. 2024
# Schedules, by the gamma with which they begin.
HS_DCFR_30 = Method("HS-DCFR(30)", 1, -1, 30, drift=(3, -2, -5))
HS_DCFR_10 = HS_DCFR_30._replace(title="HS-DCFR(10)", gamma=10)
HS_PDCFR_PLUS = Method("HS-PDCFR+(30)", 1, -math.inf, 30, predictive, 1, (3, 0, -5))
METHODS = {
    "cfr": CFR,
    "cfr+": CFR_PLUS,
    "linear": LINEAR,
    "dcfr": DCFR,
    "pcfr+": PCFR_PLUS,
    "pdcfr+": PDCFR_PLUS,
    "hs-dcfr": HS_DCFR_30,
    "hs-dcfr-10": HS_DCFR_10,
    "hs-pdcfr+": HS_PDCFR_PLUS,
}
# Those that the solver of ranges carries.
CARRIED = {name: m for name, m in METHODS.items() if m.update in (discounted, predictive)}


def _kept(t: int, power: float) -> float:
    """t**power / (t**power + 1)."""
    return float(power > 0) if math.isinf(power) else t**power / (t**power + 1)
