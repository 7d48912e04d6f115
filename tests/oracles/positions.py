"""Public states and beliefs that tests ask for, without playing a hand."""

from collections.abc import Sequence

import numpy as np

from sixmax.errors import UserError
from sixmax.game.betting import Betting
from sixmax.game.config import SEEN, GameConfig
from sixmax.search.subgame import PublicState


def public_state(game: GameConfig, board: np.ndarray, actions: Sequence[int]) -> PublicState:
    """The public state of ``game`` after all ``actions`` of the hand, with ``board`` dealt.

    Raises UserError for an illegal action, a hand that is over, and a board that does not fit the
    betting round.
    """
    betting = Betting(game)
    root, begun = betting.hand.copy(), 0
    for k, action in enumerate(actions):
        at = betting.round
        betting.act(int(action))
        if betting.round != at:
            root, begun = betting.hand.copy(), k + 1
    if betting.over:
        raise UserError("the hand is over: nobody is to act")
    board = np.asarray(board, np.int8)
    if game.cards == "holdem" and len(board) != SEEN[betting.round]:
        raise UserError(
            f"found a board of {len(board)} cards, wanted the {SEEN[betting.round]} that betting "
            f"round {betting.round + 1} sees"
        )
    played = tuple(int(a) for a in actions)
    return PublicState(game, root, board, played[:begun], played[begun:])
