"""The result of a replay: hands, mistakes, and the winnings of each player in each game.

A dealer ends its log with ``SCORE:<chips>:<names>``, the totals of the match: they are compared
with the sums of the hands before, where these are the whole match.
"""

import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from sixmax.base.errors import UserError, printable
from sixmax.betting.config import GameConfig
from sixmax.hands import all_in
from sixmax.hands.record import Record, big_blind
from sixmax.hands.showdown import MISMATCH, ODD_CHIP, RAKE, TOLERANCE, judge
from sixmax.hands.table_rules import TableRules, unit_of
from sixmax.scores.statistics import LEVEL, PAYOFF, Sums, interval

SHOWN = 20  # mistakes that are named; all are counted
MOST_PLAYERS = 100_000
SAMPLE = "a hand, the mean of the player's seats; hands taken as independent"
_CHIPS = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")


def label(game: GameConfig) -> str:
    """The game of a win rate: players, blinds, antes, and stacks where all are equal."""
    unit = unit_of(game)
    posted = "/".join(f"{chips / unit:.15g}" for chips in sorted(filter(None, game.blinds)))
    parts = [f"{game.seats} players", f"blinds {posted or 'none'}"]
    if any(game.antes):
        parts.append(f"antes {'/'.join(f'{c / unit:.15g}' for c in sorted(set(game.antes)))}")
    if isinstance(game, TableRules) and game.unknown:
        return ", ".join([*parts, "stacks not known"])
    equal = f"stacks {game.stacks[0] / unit:,.15g}"
    return ", ".join([*parts, equal if len(set(game.stacks)) == 1 else "stacks not equal"])


class Tally:
    """The result of a replay; ``payoff`` says how a hand is counted."""

    def __init__(self, payoff: str = PAYOFF) -> None:
        self.payoff = payoff
        self.hands = self.mismatches = self.damaged = 0
        self.odd_chips = self.raked = 0  # hands that depart from the rules as tables of people do
        self.mistakes: list[str] = []  # the first ones, each with file and line
        self.empty: list[str] = []  # files without a hand
        self._won: dict[str, dict[str, tuple[int, float, float]]] = {}  # by game and player: Sums
        self._rows = 0
        self._last: tuple[GameConfig | None, str] = None, ""  # the rules met last, and their label

    @property
    def games(self) -> dict[str, dict[str, Sums]]:
        """The winnings by game and player, in mbb; a sample is a hand."""
        return {
            game: {name: Sums(*sums) for name, sums in players.items()}
            for game, players in self._won.items()
        }

    @property
    def players(self) -> dict[str, Sums]:
        """The winnings by player, where all hands are of one game."""
        (players,) = self.games.values() or [{}]
        return players

    def mistake(self, text: str) -> None:
        """Keep ``text`` if it is among the first."""
        if len(self.mistakes) < SHOWN:
            self.mistakes.append(text)

    def damage(self, text: str) -> None:
        """Count an unreadable hand or file; ``text`` says where and why."""
        self.damaged += 1
        self.mistake(text)

    def mismatch(self, text: str) -> None:
        """Count wrong chips; ``text`` says where."""
        self.mismatches += 1
        self.mistake(text)

    def hand(self, hand: Record, net: np.ndarray, place: str, boards: int | None = None) -> None:
        """Count ``hand``, whose payoffs by the rules are ``net`` float64[seats].

        Raises UserError for an all-in pot that cannot be averaged over ``boards``, and for more
        than MOST_PLAYERS players.
        """
        chips = hand.payoffs if boards is None else all_in.expected(hand, boards, hand.number)
        mbb = (chips * (1000 / big_blind(hand.rules))).tolist()
        self.hands += 1
        verdict, unit = judge(hand, net), unit_of(hand.rules)
        self.odd_chips += verdict == ODD_CHIP
        self.raked += verdict == RAKE
        if verdict == MISMATCH:
            found, rules = _chips(hand.payoffs / unit), _chips(net / unit)
            self.mismatch(f"{place}: found payoffs {found}, the rules {rules}")
        if hand.rules is not self._last[0]:
            self._last = hand.rules, label(hand.rules)
        players = self._won.setdefault(self._last[1], {})
        won = dict(zip(hand.names, mbb, strict=True))
        if len(won) < len(mbb):  # a player in several seats: their mean, as seats of a hand depend
            names = np.array(hand.names)
            won = {name: float(np.mean(np.array(mbb)[names == name])) for name in won}
        for name, mean in won.items():
            if name not in players and self._rows >= MOST_PLAYERS:
                raise UserError(f"more than {MOST_PLAYERS:,} players; replay fewer files at once")
            self._rows += name not in players
            n, total, square = players.get(name, (0, 0.0, 0.0))
            players[name] = n + 1, total + mean, square + mean * mean

    def named(self) -> list[str]:
        """The first mistakes, and the number of the rest."""
        more = self.mismatches + self.damaged - len(self.mistakes)
        return [*self.mistakes, f"… and {more:,} more"] if more > 0 else list(self.mistakes)

    def text(self) -> str:
        """All of it, to read."""
        lines = self.named()
        lines += [f"{file}: no hands in it; --allow-empty lets that pass" for file in self.empty]
        games = self.games
        names = set().union(*games.values())
        lines.append(
            f"{_counted(self.hands, 'hand')}, {_counted(self.mismatches, 'mismatch', 'es')}, "
            f"{self.damaged:,} damaged; {_counted(len(names), 'player')}"
        )
        if self.odd_chips or self.raked:
            lines.append(
                f"no mismatches: {_counted(self.odd_chips, 'hand')} off by less than a chip a "
                f"winner (odd chips), {_counted(self.raked, 'hand')} short by a rake"
            )
        if names:
            lines.append(f"{self.payoff}; a sample is {SAMPLE}")
        lines = [_shown(line) for line in lines]
        width = max([6, *(len(_shown(name)) for name in names)])
        head = f"{'player':{width}} {'hands':>12} {'mbb/game':>10} {'SE':>9}  95 % interval"
        for game, players in games.items():
            lines += ["", game, head]
            lines += [f"{_shown(n):{width}} {_figures(sums)}" for n, sums in _best_first(players)]
        return "\n".join(lines)

    def fails(self, allow_empty: bool) -> bool:
        """Whether something is wrong; a file without hands is, unless ``allow_empty``."""
        return bool(self.damaged or self.mismatches or (self.empty and not allow_empty))

    def to_json(self) -> dict[str, Any]:
        """Plain values; null where there are too few hands for an error."""
        own = ("hands", "mismatches", "odd_chips", "raked", "damaged", "mistakes")
        return {name: getattr(self, name) for name in own} | {
            "unit": "mbb/game",
            "payoff": self.payoff,
            "sample": SAMPLE,
            "level": LEVEL,
            "games": [
                {"game": game, "players": [_row(*item) for item in _best_first(players)]}
                for game, players in self.games.items()
            ],
        }


class Totals:
    """The payoffs of one match, hand by hand."""

    def __init__(self) -> None:
        self.chips: dict[str, float] = {}
        self.damaged = False  # whether a hand could not be read
        self._hands = self._rounded = 0
        self._first, self._last = np.inf, -1

    def add(self, hand: Record) -> None:
        """Count ``hand``."""
        self._first, self._last = min(self._first, hand.number), max(self._last, hand.number)
        self._hands += 1
        payoffs = hand.payoffs.tolist()
        self._rounded += not all(map(float.is_integer, payoffs))
        for name, chips in zip(hand.names, payoffs, strict=True):
            self.chips[name] = self.chips.get(name, 0.0) + chips

    def compare(self, line: str, place: str, tally: Tally) -> None:
        """Compare the totals of ``line`` with those of the hands, where these are whole.

        Logs round payoffs that are no whole number: each such hand may add TOLERANCE chips.
        """
        chips, _, names = (part.split("|") for part in line.strip()[6:].partition(":"))
        if len(chips) != len(names) or not all(map(_CHIPS.fullmatch, chips)):
            tally.damage(f"{place}: found {line[:60]!r}, wanted SCORE:<chips>:<names>")
            return
        whole = self._first == 0 and self._last == self._hands - 1
        if self.damaged or not whole:
            return
        score: dict[str, float] = {}
        for name, text in zip(names, chips, strict=True):
            score[name] = score.get(name, 0.0) + float(text)
        paid, most = self.chips, TOLERANCE * (1 + self._rounded)
        if score.keys() != paid.keys() or any(abs(score[n] - paid[n]) > most for n in score):
            tally.mismatch(
                f"{place}: found score {_sums(score)}, the hands before it pay {_sums(paid)}"
            )


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
    error = sums.standard_error
    return f"{sums.n:12,} {sums.mean:+10.1f} {error:9.1f}  {low:+.1f} to {high:+.1f}"


def _row(name: str, sums: Sums) -> dict[str, Any]:
    known = math.isfinite(sums.standard_error)
    return {
        "player": name,
        "hands": sums.n,
        "mean": sums.mean,
        "standard_error": sums.standard_error if known else None,
        "interval": list(interval(sums)) if known else None,
    }


def _chips(values: Sequence[float] | np.ndarray) -> str:
    """Chips by seat as logs part them."""
    return "|".join(f"{v:.10g}" for v in values)


def _sums(chips: dict[str, float]) -> str:
    names = sorted(chips)
    return f"{_chips([chips[name] for name in names])} of {'|'.join(names)}"
