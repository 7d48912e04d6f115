"""One of our players at an OpenSpiel table: a ``pyspiel.Bot``."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sixmax.agents.acpc_client import Follower, seated
from sixmax.agents.openspiel.holdem import library, nearest, rules_of, seen_by
from sixmax.agents.player import Player
from sixmax.base.errors import UserError
from sixmax.base.rng import child, generator
from sixmax.blueprint.run import Run

pyspiel = library()


class SixmaxBot(pyspiel.Bot):
    """Plays hold'em as ``player``, an agent of ``run``, in seat ``player_id`` of ``game``.

    ``game`` is a ``universal_poker`` game of no-limit hold'em with the blinds of the run; stacks
    and betting abstraction are free. The bot reads its own cards, the board and the betting of a
    state, and no other card. All draws follow ``seed`` and the number of the hand. Raises
    UserError for another game.
    """

    def __init__(self, player: Player, run: Run, game: Any, player_id: int, seed: int = 1):
        super().__init__()
        theirs, ranks = rules_of(game)
        if ranks != run.ranks:
            raise UserError(f"OpenSpiel's deck has {ranks} ranks, wanted the run's {run.ranks}")
        rules, by = seated(run.game, theirs)
        self._follower = Follower(player, rules, ranks, by, int(child(seed, "openspiel")))
        self._me, self._hand = player_id, 0

    def player_id(self) -> int:
        return self._me

    def restart(self) -> None:
        """A hand begins."""
        self._hand += 1

    def restart_at(self, state: Any) -> None:
        """The same; the next :meth:`step` replays the hand up to its state."""
        self._hand += 1

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Nothing: the next state tells all actions."""

    def provides_policy(self) -> bool:
        return False

    def step(self, state: Any) -> int:
        """The action at ``state``. Raises UserError where another player is to act."""
        action = self._follower.answer(seen_by(state, self._me, self._hand))
        if action is None:
            raise UserError(f"player {self._me} is asked, but {state.current_player()} is to act")
        return nearest(state, action)


def play(game: Any, bots: Sequence[Any], hands: int, seed: int) -> np.ndarray:
    """Net chips of ``bots`` in hands of ``game``: float64[hands, players].

    Bot k is player k. Cards are drawn by ``seed``. For an interval see
    :mod:`sixmax.scores.statistics`.
    """
    won = np.empty((hands, game.num_players()))
    for number in range(hands):
        random, state = generator(seed, "cards", number), game.new_initial_state()
        for bot in bots:
            bot.restart()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(int(random.choice(actions, p=chances)))
                continue
            actor = state.current_player()
            action = bots[actor].step(state)
            for other, bot in enumerate(bots):
                if other != actor:
                    bot.inform_action(state, actor, action)
            state.apply_action(action)
        won[number] = state.returns()
    return won
