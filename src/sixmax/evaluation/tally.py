"""What a replay of hand histories found: hands, mistakes, and what each player won."""

import math

import numpy as np

from sixmax.errors import UserError
from sixmax.evaluation.record import Record
from sixmax.evaluation.statistics import Sums, add

TOLERANCE = 0.006  # chips: payoffs may be rounded to hundredths
SHOWN = 20  # mistakes that are named; all are counted
MOST_PLAYERS = 100_000


class Tally:
    """What a replay found."""

    def __init__(self) -> None:
        self.hands = self.mismatches = self.damaged = 0
        self.mistakes: list[str] = []  # the first ones, each with file and line
        self.players: dict[
            str, Sums
        ] = {}  # mbb; a sample is a hand, the mean of the player's seats

    def mistake(self, text: str) -> None:
        """Keep ``text`` if it is among the first."""
        if len(self.mistakes) < SHOWN:
            self.mistakes.append(text)

    def won(self, name: str, sums: Sums) -> None:
        """Add what the player ``name`` won."""
        if name not in self.players and len(self.players) >= MOST_PLAYERS:
            raise UserError(f"more than {MOST_PLAYERS:,} players; replay fewer files at once")
        self.players[name] = add([self.players.get(name, Sums(0, 0.0, 0.0)), sums])

    def hand(self, hand: Record, net: np.ndarray, where: str, mbb: np.ndarray) -> None:
        """Count ``hand``, whose payoffs the rules say are ``net``."""
        self.hands += 1
        if np.abs(hand.payoffs - net).max() > TOLERANCE:
            self.mismatches += 1
            self.mistake(f"{where}: found payoffs {_chips(hand.payoffs)}, the rules {_chips(net)}")
        for name in dict.fromkeys(hand.names):
            mean = float(mbb[[other == name for other in hand.names]].mean())
            self.won(name, Sums(1, mean, mean * mean))

    def text(self) -> str:
        """All of it, to read."""
        lines = list(self.mistakes)
        more = self.mismatches + self.damaged - len(self.mistakes)
        if more > 0:
            lines.append(f"… and {more:,} more")
        lines.append(
            f"{self.hands:,} hands, {self.mismatches:,} mismatches, {self.damaged:,} damaged; "
            f"{len(self.players):,} players"
        )
        if self.players:
            width = max(max(map(len, self.players)), 6)
            lines.append(f"{'player':{width}} {'hands':>12} {'mbb/game':>10} {'SE':>9}")
        for name, sums in sorted(self.players.items(), key=lambda item: -item[1].mean):
            error = sums.standard_error
            spread = f"{error:9.1f}" if math.isfinite(error) else f"{'-':>9}"
            lines.append(f"{name:{width}} {sums.n:12,} {sums.mean:+10.1f} {spread}")
        return "\n".join(lines)


def _chips(values: np.ndarray) -> str:
    return "|".join(f"{v:g}" for v in values)
