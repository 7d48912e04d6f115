"""A river of hold'em for two: title and answers; its hand is in `studies.validate.river`.

The bound is 0.3 % of the pot, the accuracy that solvers of rivers are asked for.
"""

from sixmax.games.game import Game, Known, KnownAnswer

_METHODS = ("linear", "dcfr")
_CLOSE = tuple(
    KnownAnswer("river", name, 1000, "exploitability", "–", 0, 1.5, "ours: 0.3 % of the pot")
    for name in _METHODS
)
_KNOWN = Known(uniform=5889.0892736, more=_CLOSE)
GAMES = (Game("river", "A river of hold’em", {2: _KNOWN}, methods=_METHODS),)
