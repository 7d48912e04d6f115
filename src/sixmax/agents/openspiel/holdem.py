"""Hold'em as OpenSpiel's ``universal_poker``: the same game, actions and cards in its words.

A card has the same number in both. Its action 0 folds, 1 checks or calls, and with ``fullgame``
betting N raises to N chips; its betting abstractions (``fcpa``, ``fchpa``) number their raises.
"""

import importlib
import re
from types import ModuleType
from typing import Any

import numpy as np

from sixmax.base.errors import UserError
from sixmax.betting.config import GameConfig
from sixmax.betting.notation import codes
from sixmax.betting.rules import CALL, FOLD
from sixmax.hands.acpc import MatchState
from sixmax.hands.record import UNSEEN, rules

_FOLD, _CALL = 0, 1  # of OpenSpiel
_SEQUENCES = re.compile(r"\[Sequences: ([^\]]*)\]")
_NAME = "universal_poker"


def library() -> ModuleType:
    """OpenSpiel's module. Raises UserError where it is not installed."""
    try:
        return importlib.import_module("pyspiel")
    except ImportError:
        raise UserError(
            "OpenSpiel is not installed; wanted the package open_spiel: "
            "pip install 'sixmax[openspiel]'"
        ) from None


def load(game: GameConfig, ranks: int = 13) -> Any:
    """The ``pyspiel.Game`` of ``game``, player p in seat p. Raises UserError for antes."""
    if any(game.antes):
        raise UserError(f"universal_poker: found antes {game.antes}, wanted none")

    def row(values: list[int]) -> str:
        return " ".join(str(v) for v in values)

    return library().load_game(
        _NAME,
        {
            "betting": "nolimit", "bettingAbstraction": "fullgame", "numPlayers": game.seats,
            "numRounds": len(game.rounds), "blind": row(game.blinds), "stack": row(game.stacks),
            "firstPlayer": row([seat + 1 for seat in game.first]), "numSuits": 4,
            "numRanks": ranks, "numHoleCards": 2, "numBoardCards": "0 3 1 1",
        },
    )  # fmt: skip


def rules_of(theirs: Any) -> tuple[GameConfig, int]:
    """The rules of a ``universal_poker`` game, and the ranks of its deck.

    Raises UserError unless it is no-limit hold'em with four rounds.
    """
    given = theirs.get_parameters()
    wanted = {
        "betting": "nolimit", "numRounds": 4, "numSuits": 4, "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
    }  # fmt: skip
    wrong = {key: given.get(key) for key, value in wanted.items() if given.get(key) != value}
    if theirs.get_type().short_name != _NAME or wrong:
        raise UserError(f"{str(theirs)[:80]}: found {wrong}, wanted {_NAME} with {wanted}")
    stacks, blinds, first = (
        [int(word) for word in given[key].split()] for key in ("stack", "blind", "firstPlayer")
    )
    seats = given["numPlayers"]
    return rules(stacks, blinds, [0] * seats, [seat - 1 for seat in first]), given["numRanks"]


def to_theirs(action: int) -> int:
    """FOLD, CALL or a raise-to as an action of ``fullgame`` betting."""
    return {FOLD: _FOLD, CALL: _CALL}.get(action, action)


def to_ours(action: int) -> int:
    """The inverse of :func:`to_theirs`."""
    return {_FOLD: FOLD, _CALL: CALL}.get(action, action)


def betting_of(state: Any) -> tuple[tuple[int, ...], ...]:
    """The betting of a state, whatever its abstraction: FOLD, CALL or raise-to, by round."""
    sequences = _SEQUENCES.search(state.information_state_string(0))[1]
    return tuple(map(codes, sequences.split("|")))


def seen_by(state: Any, player: int, number: int) -> MatchState:
    """The match state, hand ``number``, that ``player`` sees at ``state``: no card of others."""
    seats, done = state.num_players(), state.full_history()
    dealt = np.array([each.action for each in done if each.player < 0], np.int8)  # by chance
    holes = np.full((seats, 2), UNSEEN, np.int8)
    holes[player] = dealt[2 * player : 2 * player + 2]
    return MatchState(player, number, betting_of(state), holes, dealt[2 * seats :])


def nearest(state: Any, action: int) -> int:
    """The legal action of ``state`` that is nearest to our ``action``.

    # ASSUME by chips, the smaller of two; a table of abstract betting may lack our raise.
    """
    if action <= CALL:
        return to_theirs(action)
    if state.get_game().get_parameters()["bettingAbstraction"] == "fullgame":
        return action
    raises = [a for a in state.legal_actions() if a > _CALL]
    return min(raises, key=lambda a: abs(_last(state.child(a)) - action), default=_CALL)


def _last(state: Any) -> int:
    """The last action of ``state``."""
    return next(part[-1] for part in reversed(betting_of(state)) if part)
