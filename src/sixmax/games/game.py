"""A known game: its rules, its deals, and the published numbers about it."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from sixmax.betting.config import GameConfig
from sixmax.cfr.deals import Deals
from sixmax.cfr.methods import METHODS
from sixmax.cfr.sampled.schedule import SAMPLED

FULL_WIDTH, SEARCH = tuple(METHODS), ("search1", "search4")
ALL = (*FULL_WIDTH, *SAMPLED, "coarse", *SEARCH)  # coarse: the blueprint that search is on top of
OPEN_SPIEL = "OpenSpiel"


class KnownAnswer(NamedTuple):
    """Bounds, in chips a game, of ``quantity`` after so many iterations of ``method``.

    ``known`` is the number as printed in ``source``. Where ``below`` names another method on the
    game, its last score is the bound.
    """

    game: str
    method: str
    iterations: int
    quantity: str  # "exploitability", "NashConv" or "value", which is the first player's
    known: str
    low: float
    high: float
    source: str
    below: str = ""


class Value(NamedTuple):
    """The value of a game to the first player, and the ``gain`` printed for CFR+ then.

    A strategy against which nobody gains more than g wins within g of the value.
    """

    shown: str
    value: float
    iterations: int
    gain: float
    source: str


@dataclass(frozen=True)
class Known:
    """Numbers known of a game with so many seats, in chips a game.

    OpenSpiel's are its version 2.0.2 (``open_spiel`` on PyPI), with alternating updates. As there,
    two players are judged by exploitability, half of NashConv, three and more by NashConv.
    """

    uniform: str | float  # NashConv of the uniform strategy: as OpenSpiel prints it, or ours
    # Full width by method and iterations, as printed: to be met to the last digit. With a ~, within
    # that share of it: late in Leduc poker the order in which deals are added up decides, by
    # rounding (tests/cfr/full/test_solve.py has the spread).
    printed: dict[str, dict[int, str]] = field(default_factory=dict)
    value: Value | None = None
    # By iterations, the range of three seeds of another program: our mean over our own seeds is to
    # be no worse. Not before 10,000 iterations, where seeds differ by chance as much.
    sampled: dict[int, tuple[str, str]] = field(default_factory=dict)
    # By method, where nobody has printed a number: iterations, and the share of the uniform
    # strategy's score that is allowed after them.
    ours: dict[str, tuple[int, float]] = field(default_factory=dict)
    # By method: iterations after which it beats other methods, and these.
    beats: dict[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    more: tuple[KnownAnswer, ...] = ()


class Game(NamedTuple):
    """A game with known answers; ``known``, ``config`` and ``deals`` are by number of seats.

    ``deals`` is None where they are too many to list; ``config`` too where the game is no poker or
    begins in the middle of a hand.
    """

    name: str
    title: str
    known: dict[int, Known]
    config: Callable[[int], GameConfig] | None = None
    deals: Callable[[int], Deals] | None = None
    methods: tuple[str, ...] = ALL  # that can solve it
    seats: tuple[int, ...] = (2,)

    def answers(self) -> list[KnownAnswer]:
        """Every known number, method by method."""
        return [a for seats, known in self.known.items() for a in _answers(self.at(seats), known)]

    def at(self, seats: int) -> str:
        """The name in files and tables: kuhn, kuhn3, …"""
        return self.name if seats == 2 else f"{self.name}{seats}"


_WHY = {"coarse": "ours: better than its blueprint", "search1": "ours: better than one value"}


def judged_by(name: str) -> str:
    """The quantity by which the game called ``name`` (:meth:`Game.at`) is judged."""
    return "NashConv" if name[-1].isdigit() else "exploitability"


def untrained(name: str, known: Known) -> float:
    """The score of the uniform strategy, by the quantity that judges the game."""
    return float(known.uniform) / (2 if judged_by(name) == "exploitability" else 1)


def _answers(name: str, known: Known) -> Iterator[KnownAnswer]:
    judged = judged_by(name)
    if isinstance(known.uniform, str):
        bounds = around(known.uniform)
        yield KnownAnswer(name, "uniform", 0, "NashConv", known.uniform, *bounds, OPEN_SPIEL)
    for method, table in known.printed.items():
        for t, text in table.items():
            number, rounded, _ = text.partition("~")
            shown = f"≈ {number}" if rounded else number
            yield KnownAnswer(name, method, t, judged, shown, *around(text), OPEN_SPIEL)
        if method == "cfr+" and known.value:
            shown, value, t, gain, source = known.value
            near = (value - 2 * gain, value + 2 * gain)
            yield KnownAnswer(name, "cfr+", t, "value", shown, *near, source)
    for t, (low, high) in known.sampled.items():
        source = f"{OPEN_SPIEL}, sampled"
        yield KnownAnswer(name, "mccfr", t, judged, f"{low}–{high}", 0, float(high), source)
    for method, (t, share) in known.ours.items():
        source = f"ours: {100 * share:g} % of uniform"
        bound = share * untrained(name, known)
        yield KnownAnswer(name, method, t, judged, "–", 0, bound, source)
    for method, (t, others) in known.beats.items():
        for other in others:
            bound = (f"< {other}", 0, math.inf, _WHY[other], other)
            yield KnownAnswer(name, method, t, judged, *bound)
    yield from known.more


def around(printed: str) -> tuple[float, float]:
    """The range that rounds to ``printed``; with a ~ the range within that share of it."""
    number, _, share = printed.partition("~")
    mantissa, _, exponent = number.partition("e")
    step = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    error = float(share) * float(number) if share else 0.5 * step
    return float(number) - error, float(number) + error
