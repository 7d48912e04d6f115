"""Two players who called to the flop, where one searches to the end of the round."""

import numpy as np

from search.holdem import SEARCH, leaves, small_run
from sixmax.continuation.generate import biased
from sixmax.game.rules import CALL
from sixmax.search.public_hand import PublicHand
from sixmax.search.searcher import Searcher

FLOP = "AhKd9c"
CONFIG = SEARCH.model_copy(
    update={
        "buckets": 0, "limited": [1], "choosers": "opponents", "roll_outs": 3000,
        "limited_iterations": 30, "exact_from": 2, "nested": "resolve", "average": True,
    }
)  # fmt: skip


def on_the_flop(opponent, kept=None, **changes):
    """The flop, and a search from the seat beside ``opponent``.

    ``kept`` are the values of the first round, where it is searched. Outside of searches another
    policy is played than that of the continuations.
    """
    run, policy = small_run(2)
    config, other = CONFIG.model_copy(update=changes), np.roll(policy, 7)
    own = Searcher(run, other, config, packed=leaves(2).packed, continuations=biased(policy, 5.0))
    own.leaf_game = own.leaf_game._replace(first_round=kept)
    hand = PublicHand(run, policy, config, own, seed=7, seat=1 - opponent)
    hand.act(CALL)
    hand.act(CALL)
    hand.deal(FLOP)
    return hand
