"""The schedule of sampled training: when it discounts, prunes and counts.

A Schedule is that of Pluribus; with ``prune_half`` that of Libratus, which samples the actions that
it prunes, and counts the opponents' actions on the way in place of UPDATE-STRATEGY.
"""

from typing import NamedTuple

# Titles of schedules: plain, that of Pluribus, that of Libratus.
SAMPLED = {"mccfr": "MCCFR", "blueprint": "blueprint", "libratus": "Libratus"}
_PRUNING_OFF = 1 << 62


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
        # With K every later iteration prunes; each action by its own draw.
        share = 1.0 if self.prune_half > 0 else max(0.0, self.prune_share)
        after = self.prune_after if share else _PRUNING_OFF
        return Pruning(after, share, self.prune_threshold, self.regret_floor, self.prune_half)

    def discount_factor(self, t: int) -> float | None:
        """The factor of regrets and counters after iteration t, by Linear CFR; None for none."""
        if t < self.discount_until and t % self.discount_every == 0:
            n = t // self.discount_every
            return n / (n + 1)
        return None

    def discounts(self, first: int, last: int) -> list[tuple[int, float]]:
        """(iteration, factor) of the discounts in iterations ``first`` … ``last``, in order."""
        ends = range(first + self.batch - 1, min(last + 1, self.discount_until), self.batch)
        return [(t, factor) for t in ends if (factor := self.discount_factor(t)) is not None]
