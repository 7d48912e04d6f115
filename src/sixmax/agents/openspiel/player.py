"""An OpenSpiel bot at our table: a player that asks ``pyspiel.Bot.step``."""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from sixmax.agents.openspiel.holdem import library, load, to_ours, to_theirs
from sixmax.agents.player import Player
from sixmax.base.errors import UserError, one_of
from sixmax.base.rng import generator
from sixmax.betting.config import GameConfig
from sixmax.hands.record import shift, turned_rules
from sixmax.search.result import pick

PREFIX = "openspiel:"
Maker = Callable[[Any, int], Any]  # pyspiel.Game and player -> pyspiel.Bot


class OpenSpielPlayer(Player):
    """Plays as the bot that ``make`` gives for each seat that it takes.

    The bot sees a ``universal_poker`` state, in which the cards of others are drawn by the seed of
    the hand: they are not those of the table. If it provides its policy, ``u`` draws from that, so
    that its play repeats. Raises UserError for an illegal action of the bot.
    """

    def __init__(self, name: str, make: Maker, ranks: int = 13):
        self.name, self._make, self._ranks = name, make, ranks
        self._game, self._theirs, self._bots = None, None, {}

    def begin(self, number: int, seat: int, hole: np.ndarray, game: GameConfig, seed: int) -> None:
        if game != self._game:
            by = shift(game)
            self._game, self._theirs = game, load(turned_rules(game, by), self._ranks)
            self._bots.clear()
        self._number, self._me = number, (seat - shift(game)) % game.seats
        if self._me not in self._bots:
            self._bots[self._me] = self._make(self._theirs, self._me)
        self._bot = self._bots[self._me]
        self._hole, self._history = [int(card) for card in hole], []  # board cards and actions
        deck = generator(seed, "others", self._me).permutation(4 * self._ranks)
        self._others = [int(card) for card in deck if card not in self._hole]  # theirs come first
        self._bot.restart()
        self._state = self._replay()

    def deal(self, cards: np.ndarray) -> None:
        dealt = [int(card) for card in cards]
        self._others = [card for card in self._others if card not in dealt]
        self._history += dealt
        self._state = self._replay()

    def act(self, u: float) -> int:
        state, bot = self._state, self._bot
        if bot.provides_policy():
            policy, _ = bot.step_with_policy(state)
            action = policy[pick(np.array([p for _, p in policy]), u)][0]
            if bot.provides_force_action():
                bot.force_action(state, action)
        else:
            action = bot.step(state)
        if action not in state.legal_actions():
            raise UserError(
                f"{self.name}, hand {self._number}: found action {action}, wanted one of "
                f"{str(state.legal_actions())[:60]}"
            )
        return to_ours(int(action))

    def see(self, action: int) -> None:
        theirs, actor = to_theirs(action), self._state.current_player()
        if actor != self._me:
            self._bot.inform_action(self._state, actor, theirs)
        self._state.apply_action(theirs)
        self._history.append(theirs)

    def _replay(self) -> Any:
        """The state after the history, with drawn cards of others."""
        state, rest = self._theirs.new_initial_state(), iter(self._others)
        for player in range(self._game.seats):
            for k in range(2):
                state.apply_action(self._hole[k] if player == self._me else next(rest))
        for step in self._history:
            state.apply_action(step)
        return state


def maker(name: str) -> Maker:
    """The maker of the bots called ``name``.

    ``uniform_random`` is one that OpenSpiel registers; ``module:function`` is a function of a
    Python module on the path, called with the ``pyspiel.Game`` and the player. Raises UserError.
    """
    pyspiel, (module, _, function) = library(), name.partition(":")
    if not function:
        if not pyspiel.is_bot_registered(name):
            known = [*pyspiel.registered_bots(), "module:function"]
            raise UserError(f"OpenSpiel bot {name!r}: unknown; {one_of(name, known)}")
        return lambda game, player: _registered(pyspiel, name, game, player)
    try:
        make = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError) as error:
        raise UserError(f"OpenSpiel bot {name!r}: cannot be imported ({error})") from None
    if not callable(make):
        raise UserError(f"OpenSpiel bot {name!r}: wanted a function of a game and a player")
    return make


def _registered(pyspiel: Any, name: str, game: Any, player: int) -> Any:
    try:
        return pyspiel.load_bot(name, game, player)
    except pyspiel.SpielError as error:
        raise UserError(f"OpenSpiel bot {name!r}: {str(error).strip()[:200]}") from None


def openspiel_player(name: str, ranks: int = 13) -> OpenSpielPlayer:
    """The player ``openspiel:NAME`` of `sixmax table`; names as of :func:`maker`."""
    bot = name.removeprefix(PREFIX)
    return OpenSpielPlayer(f"openspiel-{bot.replace(':', '.')}", maker(bot), ranks)
