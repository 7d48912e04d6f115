"""From a deck of cards to a no-limit hold'em strategy, with search, and to matches.

This is the face: what stands here keeps its meaning (docs/api/face.md). Nothing is loaded before it
is used, and importing it changes nothing of the process.

    import sixmax as sx

    sx.solve(sx.games.kuhn(players=3), method="cfr+", iterations=1000).exploitability
    run = sx.open("starter.sixmax")
    run.at("f f r225 f f c /", board="8d4d3s").strategy("AKs")
"""

import importlib
from typing import TYPE_CHECKING, Any

from sixmax.base.errors import UserError

if TYPE_CHECKING:
    from sixmax import games
    from sixmax.api.decision import EV
    from sixmax.api.endgame import Endgame, endgame
    from sixmax.api.endgame_solution import EndgameSolution
    from sixmax.api.play import match
    from sixmax.api.run import Agent, OpenedRun, open
    from sixmax.api.solve import GameSolution, solve
    from sixmax.api.spot import SearchedSpot, Spot
    from sixmax.api.strategy import Mix, Range, Strategy
    from sixmax.games.listed import ListedGame, game
    from sixmax.scores.statistics import Result

# Name -> module, read at the first use.
_PLACES = {
    "Agent": "api.run",
    "Endgame": "api.endgame",
    "ListedGame": "games.listed",
    "Mix": "api.strategy",
    "OpenedRun": "api.run",
    "Range": "api.strategy",
    "Result": "scores.statistics",
    "SearchedSpot": "api.spot",
    "EndgameSolution": "api.endgame_solution",
    "GameSolution": "api.solve",
    "Spot": "api.spot",
    "Strategy": "api.strategy",
    "EV": "api.decision",
    "endgame": "api.endgame",
    "game": "games.listed",
    "match": "api.play",
    "open": "api.run",
    "solve": "api.solve",
}
__all__ = [
    "EV", "Agent", "Endgame", "EndgameSolution", "GameSolution", "ListedGame", "Mix", "OpenedRun",
    "Range", "Result", "SearchedSpot", "Spot", "Strategy", "UserError", "endgame", "game", "games",
    "match", "open", "solve",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "games":
        return importlib.import_module("sixmax.games")
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("sixmax")
    if name not in _PLACES:
        raise AttributeError(f"module 'sixmax' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"sixmax.{_PLACES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
