"""The time that a dealer leaves us: how long the next decision may take."""

import math
import time
from collections.abc import Callable
from typing import NamedTuple

LAG = 0.05  # seconds: an answer on its way, counted for each
SAFE = 0.75  # share of the limit of a response that a decision may take


class Limits(NamedTuple):
    """Seconds that a dealer allows a player; without limit infinity.

    As the ACPC's dealer counts them: a response, the responses of a hand together, and those of
    the match, ``per_hand`` times its hands. A player that takes longer forfeits the match.
    """

    response: float = math.inf
    hand: float = math.inf
    per_hand: float = math.inf


class Clock:
    """Counts our time as the dealer does, and divides the rest among the decisions to come."""

    def __init__(self, limits: Limits, now: Callable[[], float] = time.monotonic):
        self._limits, self._now = limits, now
        self._hands, self._hand, self._match = 0, 0.0, 0.0
        self._asked = self._until = -math.inf

    def next_hand(self) -> None:
        """A hand begins."""
        self._hands += 1
        self._hand = 0.0

    def ask(self, rounds: int) -> None:
        """We are asked for an action; ``rounds`` of the hand are left, with the current one.

        # ASSUME the number of hands is unknown, so ``per_hand`` is saved up and never borrowed.
        """
        self._asked, limits = self._now(), self._limits
        left = min(limits.hand - self._hand, limits.per_hand * self._hands - self._match)
        # ASSUME each round costs as much as all that follow, and one share is kept in hand.
        self._until = self._asked + min(SAFE * limits.response, left / (rounds + 1)) - LAG

    def answered(self) -> None:
        """We answer."""
        took = self._now() - self._asked + LAG
        self._hand += took
        self._match += took

    def left(self) -> float:
        """Seconds left for the decision that we are asked for; below 0 when it is late."""
        return self._until - self._now()
