"""The betting of one hand in readable form: the kernels of ``rules`` with names and checks."""

from collections.abc import Sequence

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting import rules
from sixmax.betting.config import GameConfig


class Betting:
    """A hand of ``game`` from the first action to the payoffs."""

    def __init__(self, game: GameConfig):
        self.hand = rules.begin(game)  # int64[LENGTH]
        self.names = game.positions

    def copy(self) -> "Betting":
        """An independent hand in the same state."""
        other = object.__new__(Betting)
        other.hand, other.names = self.hand.copy(), self.names
        return other

    @property
    def seats(self) -> int:
        return len(self.names)

    @property
    def over(self) -> bool:
        """Whether nobody is to act any more."""
        return self.hand[rules.PHASE] != rules.BETTING

    @property
    def showdown(self) -> bool:
        """Whether the hand is over with more than one player left."""
        return self.hand[rules.PHASE] == rules.SHOWN

    @property
    def actor(self) -> int:
        """The seat to act, -1 when the hand is over."""
        return int(self.hand[rules.ACTOR])

    @property
    def round(self) -> int:
        """The betting round; once the hand is over, that of the last action."""
        return int(self.hand[rules.ROUND])

    @property
    def contributed(self) -> np.ndarray:
        """int64[seats]: chips that each seat has put in (a view)."""
        return self.hand[rules.CHIPS : rules.CHIPS + self.seats]

    @property
    def stacks(self) -> np.ndarray:
        """int64[seats]: chips that each seat has left."""
        return self.hand[rules.STACKS : rules.STACKS + self.seats] - self.contributed

    @property
    def contenders(self) -> int:
        """Bit mask of the seats that have not folded."""
        return int(rules.contenders(self.hand))

    @property
    def left(self) -> list[int]:
        """The seats that have not folded, ascending."""
        mask = self.contenders
        return [seat for seat in range(self.seats) if mask >> seat & 1]

    @property
    def to_call(self) -> int:
        """Chips that the actor has to add to call, 0 when checking is free."""
        return int(rules.limits(self.hand)[0])

    @property
    def raise_range(self) -> tuple[int, int] | None:
        """The smallest and the largest raise-to of the actor; None when raising is illegal."""
        _, low, high = rules.limits(self.hand)
        return (int(low), int(high)) if high else None

    def act(self, action: int) -> None:
        """Let the actor fold (FOLD), check or call (CALL) or raise to ``action`` chips.

        Raises UserError, and changes nothing, when that is illegal.
        """
        if not rules.is_legal(self.hand, action):
            raise UserError(self.why_illegal(action))
        rules.apply(self.hand, action)

    def why_illegal(self, action: int) -> str:
        """One line on why ``action`` is not legal here."""
        if self.over:
            return f"action {spell(action)!r} after the hand is over"
        name = self.names[self.actor]
        if action == rules.FOLD:
            return f"{name} folds where checking is free; wanted c"
        if action < rules.FOLD:
            return f"{name}: action {action} is unknown; wanted -1 (fold), 0 (call) or a raise-to"
        if self.raise_range is None:
            return f"{name} raises to {action} where no raise is possible; wanted f or c"
        low, high = self.raise_range
        return f"{name} raises to {action}, wanted {low} to {high}"

    def payoffs(self, rank: Sequence[int] | np.ndarray | None = None) -> np.ndarray:
        """float64[seats]: net chips of a hand that is over.

        ``rank`` is int[seats], higher wins, and needed only at a showdown. Raises UserError.
        """
        if not self.over or (rank is None and self.showdown):
            wanted = "a rank for each seat" if self.over else "a hand that is over"
            raise UserError(f"payoffs: wanted {wanted}")
        ranks = np.zeros(self.seats, np.int32) if rank is None else np.asarray(rank, np.int32)
        if ranks.shape != (self.seats,):
            raise UserError(f"payoffs: found {ranks.size} ranks, wanted {self.seats}")
        out = np.empty(self.seats)
        rules.payoffs(self.contributed.astype(np.int32), self.contenders, ranks, out)
        return out


def spell(action: int) -> str:
    """An action in ACPC notation: ``f``, ``c`` or ``r`` with the raise-to."""
    return {rules.FOLD: "f", rules.CALL: "c"}.get(action, f"r{action}")
