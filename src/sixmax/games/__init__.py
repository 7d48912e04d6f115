"""The known games: a file each, with config, deals, title and known answers.

A module of this folder that has GAMES, a tuple of :class:`Game`, adds them: validation, its command
and its report know them by name.
"""

from sixmax.games import kuhn, leduc, reduced_holdem, river, rps, two_round_holdem
from sixmax.games.game import Game, Known

MODULES = (kuhn, leduc, reduced_holdem, rps, river, two_round_holdem)
GAMES: dict[str, Game] = {game.name: game for module in MODULES for game in module.GAMES}
__all__ = ["GAMES", "Game", "Known"]
