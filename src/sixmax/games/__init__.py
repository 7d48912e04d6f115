"""The known games: a file each, with config, deals, title and known answers.

A module of this folder that has GAMES, a tuple of :class:`Game`, adds them: validation, its command
and its report know them by name.
"""

from sixmax.base.errors import UserError, did_you_mean
from sixmax.betting.config import GameConfig
from sixmax.cfr.deals import Deals
from sixmax.games import (
    kuhn_poker,
    leduc_poker,
    reduced_holdem,
    rock_paper_scissors,
    two_round_holdem,
)
from sixmax.games.coin import coin_toss
from sixmax.games.game import Game, Known
from sixmax.games.kuhn_poker import kuhn
from sixmax.games.leduc_poker import leduc
from sixmax.games.listed import ListedGame
from sixmax.games.reduced_holdem import reduced
from sixmax.games.rock_paper_scissors import rps

MODULES = (kuhn_poker, leduc_poker, reduced_holdem, rock_paper_scissors, two_round_holdem)
GAMES: dict[str, Game] = {game.name: game for module in MODULES for game in module.GAMES}
__all__ = [
    "GAMES", "Game", "Known", "ListedGame", "coin_toss", "deals", "kuhn", "leduc", "reduced", "rps",
]  # fmt: skip


def deals(game: GameConfig) -> Deals:
    """Every deal of the small game ``game.cards``, equally likely.

    Raises UserError where no game of that name lists its deals, or they have other rounds.
    """
    known = GAMES.get(game.cards)
    if known is None or known.deals is None:
        names = [name for name, each in GAMES.items() if each.deals]
        hint = did_you_mean(game.cards, ["holdem", *names])
        raise UserError(
            f"game.cards: found {game.cards!r}, wanted holdem or one of {', '.join(names)}"
            + (f"; {hint}" if hint else "")
        )
    dealt = known.deals(game.seats)
    if len(dealt.buckets) != len(game.rounds):
        raise UserError(
            f"game.rounds: found {len(game.rounds)}, wanted {len(dealt.buckets)}, the rounds of "
            f"{game.cards}"
        )
    return dealt
