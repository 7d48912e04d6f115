"""Our players and strategies at an OpenSpiel table: each a ``pyspiel.Bot``.

In Kuhn and Leduc poker the games are the same (:mod:`sixmax.games.kuhn_poker`,
:mod:`sixmax.games.leduc_poker`), and actions agree in their order: fold, check or call, raise.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sixmax.agents.acpc_client import Follower, seated
from sixmax.agents.openspiel.holdem import library, nearest, rules_of, seen_by
from sixmax.agents.player import Player
from sixmax.base.errors import UserError
from sixmax.base.rng import child, generator
from sixmax.betting.tree import Tree
from sixmax.blueprint.run import Run
from sixmax.cfr.layout import Layout, entries
from sixmax.search.result import pick

pyspiel = library()
_SUITS = {"kuhn_poker": 1, "leduc_poker": 2}  # as many as rounds


class _Bot(pyspiel.Bot):
    """A bot to which a state tells the whole hand."""

    def __init__(self, player_id: int):
        super().__init__()
        self._me = player_id

    def player_id(self) -> int:
        return self._me

    def restart_at(self, state: Any) -> None:
        self.restart()


class SixmaxBot(_Bot):
    """Plays hold'em as ``player``, an agent of ``run``, in seat ``player_id`` of ``game``.

    ``game`` is a ``universal_poker`` game with the blinds of the run; stacks and betting
    abstraction are free. The bot reads no card of others. All draws follow ``seed`` and the number
    of the hand. Raises UserError for another game.
    """

    def __init__(self, player: Player, run: Run, game: Any, player_id: int, seed: int = 1):
        super().__init__(player_id)
        theirs, ranks = rules_of(game)
        if ranks != run.ranks:
            raise UserError(f"OpenSpiel's deck has {ranks} ranks, wanted the run's {run.ranks}")
        rules, by = seated(run.game, theirs)
        self._follower = Follower(player, rules, ranks, by, int(child(seed, "openspiel")))
        self._hand = 0

    def restart(self) -> None:
        """A hand begins."""
        self._hand += 1

    def step(self, state: Any) -> int:
        """The action at ``state``. Raises UserError where another player is to act."""
        if (action := self._follower.answer(seen_by(state, self._me, self._hand))) is None:
            raise UserError(f"player {self._me} is asked, but {state.current_player()} is to act")
        return nearest(state, action)


class StrategyBot(_Bot):
    """Plays ``strategy`` float64[layout.size] (:func:`sixmax.cfr.policy.shares`) in ``game``.

    ``tree`` and ``layout`` are those of our game of the same name and seats. Raises UserError for
    another game. Draws follow ``seed``.
    """

    def __init__(
        self, tree: Tree, layout: Layout, strategy: np.ndarray, game: Any, player_id: int,
        seed: int = 1,
    ):  # fmt: skip
        super().__init__(player_id)
        _suits(game, tree)
        self._tree, self._layout, self._strategy = tree, layout, strategy
        self._random = generator(seed, "openspiel", player_id)

    def provides_policy(self) -> bool:
        return True

    def get_policy(self, state: Any) -> list[tuple[int, float]]:
        """Each legal action with its probability."""
        row = self._strategy[address(self._tree, self._layout, state)]
        return list(zip(state.legal_actions(), (row / row.sum()).tolist(), strict=True))

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        policy = self.get_policy(state)
        return policy, policy[pick(np.array([p for _, p in policy]), self._random.random())][0]

    def step(self, state: Any) -> int:
        return self.step_with_policy(state)[1]


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


def strategy_of(bots: list[Any], tree: Tree, layout: Layout, game: Any) -> np.ndarray:
    """The strategy of OpenSpiel's ``bots``, by player, on our tree: float64[layout.size].

    Values, best responses and matches in kernels then judge it. Raises UserError for another game,
    or a bot that provides no policy.
    """
    _suits(game, tree)
    for bot in bots:
        if not bot.provides_policy():
            raise UserError(f"{bot}: provides no policy; play against it by play")
    strategy, seen = np.zeros(layout.size), set()
    for state in _decisions(game.new_initial_state()):
        if (key := state.information_state_string()) in seen:
            continue
        seen.add(key)
        at = address(tree, layout, state)
        policy = dict(bots[state.current_player()].step_with_policy(state)[0])
        strategy[at] = [policy.get(a, 0.0) for a in state.legal_actions()]
    return strategy


def address(tree: Tree, layout: Layout, state: Any) -> np.ndarray:
    """The entries of the infoset of ``state`` in a strategy: int64[actions].

    Raises UserError for another game, and for a state that is no decision of ours.
    """
    game, history = state.get_game(), state.history()
    seats, suits = state.num_players(), _suits(game, tree)
    at, board, x = game.new_initial_state(), None, 0
    for k, action in enumerate(history):
        if not at.is_chance_node():
            x = tree.children(x)[at.legal_actions().index(action)]
        elif k >= seats:
            board = action // suits
        at.apply_action(action)
    player = tree.seat(x)
    if not tree.is_decision(x) or player != state.current_player():
        raise UserError(f"{state.history_str()}: no decision of our game")
    bucket = history[player] // suits
    if tree.round(x):
        bucket = bucket * (seats + 1) + board
    return entries(tree, layout, x, np.array(bucket))


def _suits(game: Any, tree: Tree) -> int:
    """Raise UserError unless ``game`` is one of ours with the seats of ``tree``."""
    name, seats = game.get_type().short_name, tree.columns.shape[1]
    same = _SUITS.get(name) == len(tree.columns)
    if not same or game.num_players() != seats:
        wanted = next((n for n, k in _SUITS.items() if k == len(tree.columns)), "Kuhn or Leduc")
        raise UserError(
            f"{name} for {game.num_players()} players, wanted {wanted} for {seats} players"
        )
    return _SUITS[name]


def _decisions(state: Any) -> Iterator[Any]:
    """Every decision from ``state`` on."""
    if not (state.is_terminal() or state.is_chance_node()):
        yield state
    for action in state.legal_actions():
        yield from _decisions(state.child(action))
