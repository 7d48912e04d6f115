"""What the world knows about the small games, each number with its source.

OpenSpiel's are its version 2.0.2 (``open_spiel`` on PyPI), with alternating updates. As there,
two players are judged by exploitability, half of NashConv, three and more by NashConv.
"""

import math
from typing import NamedTuple

_OPEN_SPIEL = "OpenSpiel"
_BAND = f"{_OPEN_SPIEL}, sampled"
_KUHN = "Kuhn 1950"
_PROGRAMME = "linear programme"


class Answer(NamedTuple):
    """``quantity`` of the strategy that ``method`` has after so many iterations lies, in chips a
    game, between ``low`` and ``high``. ``known`` is the number as it is printed in ``source``.

    Where ``below`` names another method on the game, what that one scores in the end is the bound.
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


# As printed: to be met to the last digit. With a ~, within that share of it: late in Leduc poker
# the order in which deals are added up, and with it rounding, decides (tests/cfr/full/test_solve.py
# has the spread).
_FULL_WIDTH = {
    ("kuhn", "cfr"): {10: ".0687", 100: ".00823", 1000: ".000938", 10_000: ".000113"},
    ("kuhn", "cfr+"): {10: ".0327", 100: ".00119", 1000: "8.7e-5", 10_000: "9.6e-6"},
    ("kuhn", "linear"): {10: ".02125", 100: ".00109", 1000: "9.35e-5"},
    ("kuhn3", "cfr"): {10: ".3125", 100: ".0370", 1000: ".00392"},
    ("leduc", "cfr"): {10: ".8886", 100: ".0957", 1000: ".01182"},
    ("leduc", "cfr+"): {10: ".6104", 100: ".01342", 1000: ".000257~.15"},
    ("leduc", "linear"): {
        10: ".7211", 30: ".1448", 100: ".0345", 300: ".01527~.3", 1000: ".00483~.6"
    },
    ("leduc", "dcfr"): {
        10: ".7788", 30: ".0638", 100: ".00775~.003", 300: ".000989~.25", 1000: ".000143~.5"
    },
}  # fmt: skip

# Three seeds of another program: ours, on average over its own seeds, is to be no worse. Not before
# 10,000 iterations, where three seeds differ by chance as much as by anything else.
_SAMPLED = {
    "kuhn": {
        10_000: (".0075", ".0138"), 100_000: (".0024", ".0032"), 1_000_000: (".0005", ".0009")
    },
    "kuhn3": {10_000: (".03", ".05"), 100_000: (".011", ".024")},
    "leduc": {10_000: (".27", ".30"), 100_000: (".065", ".076"), 1_000_000: (".019", ".027")},
}  # fmt: skip

# Iterations after which, where nobody has printed a number, _SHARE of what the uniform strategy
# scores is allowed: in the blueprint's schedule discounts, pruning and batches may cost something.
_OURS = {
    ("kuhn", "dcfr"): 10_000,
    ("kuhn", "blueprint"): 1_000_000,
    ("kuhn3", "cfr+"): 10_000,
    ("kuhn3", "linear"): 10_000,
    ("kuhn3", "dcfr"): 10_000,
    ("kuhn3", "blueprint"): 100_000,
    ("leduc", "blueprint"): 1_000_000,
    ("leduc3", "cfr"): 100,
    ("leduc3", "cfr+"): 100,
    ("leduc3", "linear"): 100,
    ("leduc3", "dcfr"): 100,
    ("leduc", "coarse"): 100_000,
    ("reduced", "coarse"): 100_000,
    ("reduced", "cfr+"): 100,
    ("rps", "search4"): 1000,
    ("leduc3", "mccfr"): 300_000,
    ("leduc3", "blueprint"): 300_000,
    ("pushfold", "mccfr"): 1_000_000,
    ("pushfold", "blueprint"): 1_000_000,
    ("preflop", "mccfr"): 1_000_000,
    ("preflop", "blueprint"): 1_000_000,
    ("flop", "blueprint"): 10_000_000,
}
# Flop hold'em: 3.4 million regrets after a minute have 6.6 % left of what the uniform strategy
# scores; CFR, without weights, 3.7 % after 100 iterations.
_SHARE = {
    ("flop", "blueprint"): 0.1,
    ("leduc3", "cfr"): 0.05,
    ("leduc", "coarse"): 0.5,  # which is to be poor
    ("reduced", "coarse"): 0.5,
}
_USUAL_SHARE = 0.02

# Search is to beat the blueprint it is on top of, and four values at a leaf are to beat one.
_BEATEN = {
    ("leduc", "search4"): (300, ("coarse", "search1")),
    ("reduced", "search4"): (300, ("coarse", "search1")),
    ("rps", "search4"): (1000, ("search1",)),
}
_WHY = {"coarse": "ours: better than its blueprint", "search1": "ours: better than one value"}

_UNIFORM = {  # NashConv
    "kuhn": "0.916667", "kuhn3": "2.0625", "leduc": "4.7472222", "leduc3": "12.6112213"
}  # fmt: skip
# Ours, which nobody else has printed; of hold'em in chips of which ten are a big blind.
_UNIFORM_OURS = {
    "reduced": 11.2491703, "rps": 2 / 3, "river": 5889.0892736,
    "pushfold": 9.9782922, "preflop": 26.7603993, "flop": 36.2746156,
}  # fmt: skip

# Value of the game to the first player, and the exploitability printed for CFR+ then: whoever can
# gain g by a best response wins within g of the value, and no player gains more than NashConv.
_VALUES = {
    "kuhn": ("−1/18", -1 / 18, 10_000, 9.6e-6, _KUHN),
    "leduc": ("−0.0856064", -0.085606424078, 1000, 0.000257, _PROGRAMME),
}

# The small blind's value of push or fold at ten big blinds: the equilibrium that the chart of
# holdemresources.net prints, solved as a matrix game
# (tests/evaluation/exploitability/test_pushfold.py). The river is to be as exact as a solver of
# others needs to be useful: three chips of a thousand.
_MORE = (
    Answer("pushfold", "mccfr", 1_000_000, "value", "−0.4537", -0.5037, -0.4037, "matrix game"),
    Answer("river", "linear", 1000, "exploitability", "–", 0, 1.5, "ours: 0.3 % of the pot"),
    Answer("river", "dcfr", 1000, "exploitability", "–", 0, 1.5, "ours: 0.3 % of the pot"),
)


def answers() -> list[Answer]:
    """Every known number: game by game, method by method."""
    return [answer for game in (*_UNIFORM, *_UNIFORM_OURS) for answer in _of(game)]


def uniform(game: str) -> float:
    """What the uniform strategy scores in ``game``, by the quantity that judges it."""
    known = float(_UNIFORM.get(game) or _UNIFORM_OURS[game])
    return known / (2 if score(game) == "exploitability" else 1)


def score(game: str) -> str:
    """The quantity by which ``game`` is judged."""
    return "NashConv" if game[-1].isdigit() else "exploitability"


def _of(game: str) -> list[Answer]:
    judged, found = score(game), []
    if known := _UNIFORM.get(game):
        found.append(Answer(game, "uniform", 0, "NashConv", known, *around(known), _OPEN_SPIEL))
    for (name, method), table in _FULL_WIDTH.items():
        for t, known in table.items() if name == game else ():
            number, rounded, _ = known.partition("~")
            shown = f"≈ {number}" if rounded else number
            found.append(Answer(game, method, t, judged, shown, *around(known), _OPEN_SPIEL))
        if (name, method) == (game, "cfr+"):
            shown, value, t, gain, source = _VALUES[game]
            near = (value - 2 * gain, value + 2 * gain)
            found.append(Answer(game, "cfr+", t, "value", shown, *near, source))
    for t, (low, high) in _SAMPLED.get(game, {}).items():
        found.append(Answer(game, "mccfr", t, judged, f"{low}–{high}", 0, float(high), _BAND))
    for (name, method), t in _OURS.items():
        if name == game:
            share = _SHARE.get((game, method), _USUAL_SHARE)
            source = f"ours: {100 * share:g} % of uniform"
            found.append(Answer(game, method, t, judged, "–", 0, share * uniform(game), source))
    for (name, method), (t, others) in _BEATEN.items():
        for other in others if name == game else ():
            bound = (f"< {other}", 0, math.inf, _WHY[other], other)
            found.append(Answer(game, method, t, judged, *bound))
    return [*found, *(answer for answer in _MORE if answer.game == game)]


def around(printed: str) -> tuple[float, float]:
    """What rounds to ``printed``; with a ~ what is within that share of it."""
    number, _, share = printed.partition("~")
    mantissa, _, exponent = number.partition("e")
    step = 10.0 ** (int(exponent or 0) - len(mantissa.partition(".")[2]))
    error = float(share) * float(number) if share else 0.5 * step
    return float(number) - error, float(number) + error
