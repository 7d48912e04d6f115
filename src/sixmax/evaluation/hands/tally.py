"""What a replay of hand histories found: hands, mistakes, and what each player won of each game."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from sixmax.errors import UserError, printable
from sixmax.evaluation.hands import all_in
from sixmax.evaluation.hands.record import Record, big_blind
from sixmax.evaluation.scores.statistics import LEVEL, PAYOFF, Sums, add, interval
from sixmax.game.config import GameConfig

TOLERANCE = 0.006  # chips: payoffs may be rounded to hundredths
SHOWN = 20  # mistakes that are named; all are counted
MOST_PLAYERS = 100_000
SAMPLE = "a hand, the mean of the player's seats; hands taken as independent"


def label(game: GameConfig) -> str:
    """What is one game to a win rate: players, blinds, antes, and stacks where all are equal."""
    posted = "/".join(str(chips) for chips in sorted(filter(None, game.blinds)))
    parts = [f"{game.seats} players", f"blinds {posted or 'none'}"]
    if any(game.antes):
        parts.append(f"antes {'/'.join(str(chips) for chips in sorted(set(game.antes)))}")
    same = len(set(game.stacks)) == 1
    return ", ".join([*parts, f"stacks {game.stacks[0]:,}" if same else "stacks not equal"])


class Tally:
    """What a replay found; ``payoff`` says what is counted of a hand."""

    def __init__(self, payoff: str = PAYOFF) -> None:
        self.payoff = payoff
        self.hands = self.mismatches = self.damaged = 0
        self.mistakes: list[str] = []  # the first ones, each with file and line
        self.empty: list[str] = []  # files without a hand
        self.games: dict[str, dict[str, Sums]] = {}  # mbb by game and player; a sample is a hand
        self._rows = 0

    @property
    def players(self) -> dict[str, Sums]:
        """What the players won, where all hands are of one game."""
        (found,) = self.games.values() or [{}]
        return found

    def mistake(self, text: str) -> None:
        """Keep ``text`` if it is among the first."""
        if len(self.mistakes) < SHOWN:
            self.mistakes.append(text)

    def damage(self, text: str) -> None:
        """Count what cannot be read; ``text`` says where and why."""
        self.damaged += 1
        self.mistake(text)

    def mismatch(self, text: str) -> None:
        """Count chips that are not what they should be; ``text`` says where."""
        self.mismatches += 1
        self.mistake(text)

    def won(self, game: str, name: str, sums: Sums) -> None:
        """Add what the player ``name`` won of ``game``."""
        players = self.games.setdefault(game, {})
        if name not in players:
            if self._rows >= MOST_PLAYERS:
                raise UserError(f"more than {MOST_PLAYERS:,} players; replay fewer files at once")
            self._rows += 1
        players[name] = add([players.get(name, Sums(0, 0.0, 0.0)), sums])

    def hand(self, hand: Record, net: np.ndarray, where: str, boards: int | None = None) -> None:
        """Count ``hand``, whose payoffs the rules say are ``net``.

        Raises UserError for an all-in pot that cannot be averaged over ``boards``.
        """
        chips = hand.payoffs if boards is None else all_in.expected(hand, boards, hand.number)
        mbb = chips * (1000 / big_blind(hand.rules))
        self.hands += 1
        if np.abs(hand.payoffs - net).max() > TOLERANCE:
            self.mismatch(
                f"{where}: found payoffs {chips_text(hand.payoffs)}, the rules {chips_text(net)}"
            )
        game = label(hand.rules)
        won: dict[str, list[float]] = {}
        for name, value in zip(hand.names, mbb.tolist(), strict=True):
            won.setdefault(name, []).append(value)
        for name, seats in won.items():
            mean = seats[0] if len(seats) == 1 else float(np.mean(seats))
            self.won(game, name, Sums(1, mean, mean * mean))

    def named(self) -> list[str]:
        """The first mistakes, and how many more there are."""
        more = self.mismatches + self.damaged - len(self.mistakes)
        return [*self.mistakes, f"… and {more:,} more"] if more > 0 else list(self.mistakes)

    def text(self) -> str:
        """All of it, to read."""
        lines = self.named()
        lines += [f"{file}: no hands in it; --allow-empty lets that pass" for file in self.empty]
        names = {name for players in self.games.values() for name in players}
        lines.append(
            f"{_counted(self.hands, 'hand')}, {_counted(self.mismatches, 'mismatch', 'es')}, "
            f"{self.damaged:,} damaged; {_counted(len(names), 'player')}"
        )
        if names:
            lines.append(f"{self.payoff}; a sample is {SAMPLE}")
        width = max([6, *(len(_shown(name)) for name in names)])
        lines = [_shown(line) for line in lines]
        for game, players in self.games.items():
            lines += ["", game]
            lines.append(
                f"{'player':{width}} {'hands':>12} {'mbb/game':>10} {'SE':>9}  95 % interval"
            )
            lines += [
                f"{_shown(name):{width}} {_figures(sums)}" for name, sums in _best_first(players)
            ]
        return "\n".join(lines)

    def fails(self, allow_empty: bool) -> bool:
        """Whether something is wrong; a file without hands is, unless ``allow_empty``."""
        return bool(self.damaged or self.mismatches or (self.empty and not allow_empty))

    def to_json(self) -> dict[str, Any]:
        """Plain values; null where there are too few hands for an error."""
        return {
            "hands": self.hands,
            "mismatches": self.mismatches,
            "damaged": self.damaged,
            "mistakes": self.mistakes,
            "unit": "mbb/game",
            "payoff": self.payoff,
            "sample": SAMPLE,
            "level": LEVEL,
            "games": [
                {"game": game, "players": [_row(*item) for item in _best_first(players)]}
                for game, players in self.games.items()
            ],
        }


def _shown(text: str) -> str:
    return printable(text, lines=False)


def _counted(n: int, noun: str, plural: str = "s") -> str:
    return f"{n:,} {noun}{'' if n == 1 else plural}"


def _best_first(players: dict[str, Sums]) -> list[tuple[str, Sums]]:
    return sorted(players.items(), key=lambda item: -item[1].mean)


def _figures(sums: Sums) -> str:
    if sums.n < 2:
        return f"{sums.n:12,} {sums.mean:+10.1f} {'-':>9}  -"
    low, high = interval(sums)
    spread = f"{sums.standard_error:9.1f}  {low:+.1f} to {high:+.1f}"
    return f"{sums.n:12,} {sums.mean:+10.1f} {spread}"


def _row(name: str, sums: Sums) -> dict[str, Any]:
    known = math.isfinite(sums.standard_error)
    return {
        "player": name,
        "hands": sums.n,
        "mean": sums.mean,
        "standard_error": sums.standard_error if known else None,
        "interval": list(interval(sums)) if known else None,
    }


def chips_text(values: Sequence[float] | np.ndarray) -> str:
    """Chips of several seats as logs part them."""
    return "|".join(f"{v:.10g}" for v in values)
